import { describe, expect, it } from 'vitest';
import type { EventBody, RuntimeEvent } from '../../runtime/runtime-event.ts';
import type { Context } from '../context.ts';
import { en } from '../messages/en.ts';
import { zh } from '../messages/zh.ts';
import { createStyle } from '../output/style.ts';
import { TurnView } from './turn-view.ts';

function shown(...events: EventBody[]): string[] {
  return shownIn(en, ...events);
}

function shownIn(text: typeof en, ...events: EventBody[]): string[] {
  const parts: string[] = [];
  const screen = { write: (text: string) => void parts.push(text), line: (text: string) => void parts.push(`| ${text}`) };
  const view = new TurnView({ text, style: createStyle(false) } as Context, screen);
  for (const event of events) view.show({ at: 0, sessionId: 'ses_1', ...event } as RuntimeEvent);
  return parts;
}

const result = (text: string, more: object = {}): EventBody => ({ type: 'tool-result', callId: 'c', tool: 't', text, ...more });

describe('a turn on the screen', () => {
  it('is the answer as it comes, with nothing in it that a terminal obeys', () => {
    expect(shown({ type: 'text-delta', text: 'Hel' }, { type: 'text-delta', text: 'lo\u001b[31m\n' })).toEqual([
      'Hel',
      'lo^[[31m\n',
    ]);
  });

  it('has one line for a call and one for its outcome', () => {
    const call: EventBody = { type: 'tool-call', callId: 'c', tool: 'run_command', input: { command: 'ls\n-l', deep: { a: 1 } } };
    expect(shown(call, { type: 'tool-output', callId: 'c', text: 'x' }, result('\nfirst\nsecond\n'))).toEqual([
      '| → run_command ls -l {"a":1}',
      '| ← 3 lines · first',
    ]);
    expect(
      shown(result('done'), result('no such file', { failed: true }), result('…', { failed: true, code: 'approval-denied' })),
    ).toEqual(['| ← done', '| ← failed · no such file', '| ← not allowed']);
    expect(shown(result('x'.repeat(500)))).toEqual([`| ← ${'x'.repeat(120)}…`]);
  });

  it('does not count how a command ended as a line of its output', () => {
    expect(shown(result('one\n(exit code 0)'), result('a\nb\n(exit code 0)'), result('(exit code 0)'))).toEqual([
      '| ← one',
      '| ← 2 lines · a',
      '| ← (exit code 0)',
    ]);
    expect(shown(result('no such file\n(exit code 2)', { failed: true }))).toEqual(['| ← failed · exit code 2 · no such file']);
  });

  it('tells warnings in the language in force, and as they came where it cannot', () => {
    const details = { server: 'files', reason: 'it ended with code 1' };
    const warning: EventBody = { type: 'warning', code: 'mcp-failed', message: 'in English', details };
    const unknown: EventBody = { type: 'warning', code: 'listener-failed', message: 'A listener failed.' };
    const waiting: EventBody = { type: 'warning', code: 'mcp-waiting', message: '', details: { server: 'files' } };
    expect(shown(warning, unknown)).toEqual(['| The MCP server "files" failed: it ended with code 1.', '| A listener failed.']);
    expect(shownIn(zh, warning, unknown, waiting)).toEqual([
      '| MCP 服务器“files”出错：它以代码 1 结束。',
      '| A listener failed.',
      '| 正在等待 MCP 服务器“files”启动……',
    ]);
  });

  it('says once that the model thinks, and why it takes longer', () => {
    const thought: EventBody = { type: 'thinking-delta', text: 'hm' };
    expect(
      shown(thought, thought, { type: 'model-retry', attempt: 2, delay: 1500, code: 'model-rate-limited' }, thought, {
        type: 'history-trim',
        dropped: 1,
        kept: 3,
        reason: 'items',
      }),
    ).toEqual([
      '| thinking…',
      '| The provider allows no more requests for now; trying again in 2 s (attempt 2)',
      '| thinking…',
      '| 1 older entry is no longer shown to the model; the log keeps everything.',
    ]);
  });
});
