import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../model/id.ts';
import type { Context } from '../context.ts';
import { en } from '../messages/en.ts';
import { zh } from '../messages/zh.ts';
import { createStyle } from '../output/style.ts';
import { formatQuestion } from './approval-question.ts';

const context = { text: en, style: createStyle(false) } as Context;

function ask(needs: string[][], more: { reason?: string; summary?: string; tool?: string } = {}, language = context) {
  return formatQuestion(language, {
    requestId: 'apr_1',
    conversationId: 'cnv_1' as ConversationId,
    callId: 'c',
    tool: 'run_command',
    summary: needs.map((words) => words.join(' ')).join('; '),
    needs,
    signal: new AbortController().signal,
    ...more,
  });
}

describe('a question for permission', () => {
  it('shows the command, the answers, and what would be remembered', () => {
    const { lines, prompt, read } = ask([['git', 'status', '-s']]);
    expect([...lines, prompt]).toEqual([
      'run_command needs permission:',
      '  git status -s',
      '  [y] yes, this once',
      '  [h] yes, for an hour in this conversation: git status …',
      '  [a] yes, always in this conversation, also when it is resumed: git status …',
      '  [s] yes, always here and in conversations that this one opens later: git status …',
      '  [n] no',
      'Allow? [y/h/a/s/n] ',
    ]);
    expect(read(' Y ')).toEqual({ allow: true });
    expect(read('n')).toEqual({ allow: false });
    const prefix = [['git', 'status']];
    expect(read('h')).toEqual({ allow: true, remember: { scope: 'conversation', prefix, milliseconds: 3_600_000 } });
    expect(read('a')).toEqual({ allow: true, remember: { scope: 'conversation', prefix } });
    expect(read('s')).toEqual({ allow: true, remember: { scope: 'session', prefix } });
    for (const typed of ['', 'yes', 'ya', 'constructor']) expect(read(typed)).toBe(undefined);
  });

  it.each([
    [[['npm', 'run', 'build', '--', '-v']], 'npm run build …', [['npm', 'run', 'build']]],
    [[['npm', 'test']], 'npm test …', [['npm', 'test']]],
    [[['write_file', 'src', 'lib', 'a.ts']], 'write_file src lib …', [['write_file', 'src', 'lib']]],
    [[['mcp', 'tracker', 'create_issue']], 'mcp tracker create_issue …', [['mcp', 'tracker', 'create_issue']]],
    [[['rm', 'build']], 'exactly rm build', undefined],
    [[['git', '--version']], 'exactly git --version', undefined],
    [
      [
        ['git', 'log'],
        ['head', '-n', '3 x'],
      ],
      'exactly git log, exactly head -n "3 x"',
      undefined,
    ],
  ])('offers a rule that holds no surprise: %j', (needs, shown, prefix) => {
    const { lines, read } = ask(needs);
    expect(lines.at(-3)).toBe(`  [a] yes, always in this conversation, also when it is resumed: ${shown}`);
    expect(read('a')).toEqual({ allow: true, remember: { scope: 'conversation', ...(prefix && { prefix }) } });
  });

  it('that only a person may answer says why, and remembers nothing', () => {
    const { lines, prompt, read } = ask([['echo', 'x']], { reason: 'no sandbox is available here' });
    expect([...lines, prompt]).toEqual([
      'run_command needs permission:',
      '  echo x',
      '  asked because no sandbox is available here',
      '  [y] yes, this once',
      '  [n] no',
      'Allow? [y/n] ',
    ]);
    expect([read('h'), read('a'), read('s')]).toEqual([undefined, undefined, undefined]);
  });

  it('hides nothing of a command that a terminal would obey or that has several lines', () => {
    const { lines } = ask([['x']], { summary: 'echo a\u001b[2K\rls\nrm -rf \u202ex' });
    expect(lines.slice(1, 3)).toEqual(['  echo a^[[2K^Mls', '  rm -rf \\u{202e}x']);
  });

  it('is asked in Chinese where Chinese is spoken', () => {
    const chinese = { text: zh, style: createStyle(false) } as Context;
    const { lines, prompt } = ask([['git', 'status']], { reason: 'no sandbox is available here' }, chinese);
    expect([...lines, prompt]).toEqual([
      'run_command 需要许可：',
      '  git status',
      '  询问的原因：这里没有可用的沙箱',
      '  [y] 可以，仅此一次',
      '  [n] 不可以',
      '允许吗？[y/n] ',
    ]);
    const summaryOf = (tool: string, summary: string) => ask([[tool, 'a']], { tool, summary }, chinese).lines[1];
    expect(summaryOf('write_file', 'write 2 lines to a to b.txt')).toBe('  写入 a to b.txt（2 行）');
    expect(summaryOf('edit_file', 'edit a.txt')).toBe('  编辑 a.txt');
    expect(summaryOf('run_command', 'edit a.txt')).toBe('  edit a.txt');
  });
});
