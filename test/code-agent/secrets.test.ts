// 敏感信息: nothing secret that was said, read, run or changed reaches the session file, nor any file of the store, the reviewer's
// conversation included; and long sessions keep the document's times.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import positives from '../../src/store/redaction/corpus/positives.json' with { type: 'json' };
import { createQuickProject, git, readSessions, writeFiles } from '../support/code-project.ts';
import { openSubject } from '../support/store-subjects.ts';
import { acceptAnswer, createAgent, editAnswer } from '../support/test-agent.ts';

// Kept in two parts, so that no scanner takes this repository for a leak.
const samples = positives.map(({ text, secret }) => {
  const value = secret.join('');
  return { value, text: text.replaceAll('{secret}', () => value) };
});

function readAll(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

/** As it is, and as it stands in JSON. */
function findLeaks(text: string, values: readonly string[]): string[] {
  const bytes = (value: string) => Buffer.from(value).toString('latin1');
  return values.filter((value) => text.includes(bytes(value)) || text.includes(bytes(JSON.stringify(value).slice(1, -1))));
}

describe('敏感信息 (secrets)', () => {
  it('of the conversation, of tool output, of the change and of the environment are in no file', async () => {
    const corpus = samples.map(({ text }) => text).join('\n\n');
    const root = createQuickProject({ 'config.txt': corpus });
    const folder = join(dirname(root), 'store');
    mkdirSync(folder);
    const store = await openSubject('jsonl', folder);
    // Of no known form: it can only be known by its value.
    const variable = 'Nur ein Satz, den keiner errät 42';
    writeFiles(root, { 'env.txt': `${variable}\n` });
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'env');
    const { agent, notices } = await createAgent(
      root,
      [
        { toolCalls: [{ tool: 'read_file', input: { path: 'config.txt' } }] },
        { toolCalls: [{ tool: 'run_command', input: { command: 'cat config.txt' } }] },
        { toolCalls: [{ tool: 'read_file', input: { path: 'env.txt' } }] },
        { toolCalls: [{ tool: 'write_file', input: { path: 'new.txt', content: corpus } }] },
        editAnswer,
        corpus,
        `${corpus}\n\nVERDICT: ACCEPT`,
      ],
      { store, approvals: { allow: ['make test', 'cat', 'write_file'] }, secretValues: [variable] },
    );
    const { outcome } = await agent.run(`Use this:\n${corpus}`);
    expect(outcome).toBe('done');
    await agent.close();
    await store.close();
    // A password that is a word like any other ("postgres") may stand where it is none.
    const innocent = positives.map(({ text }) => text).join('\n');
    const values = samples.map(({ value }) => value).filter((value) => !innocent.includes(value));
    expect(values.length).toBeGreaterThan(120);
    const session = readAll(join(root, '.continuo'));
    expect(session).toContain('[masked:');
    expect(findLeaks(session, [...values, variable])).toEqual([]);
    const stored = readAll(folder);
    expect(stored).toContain('continuo-review');
    expect(findLeaks(stored, values)).toEqual([]);
    expect(notices.at(-1)).toMatchObject({ code: 'session-saved-masked' });
    expect(Number(notices.at(-1)?.details.masked)).toBeGreaterThan(samples.length);
  });
});

describe('titles', () => {
  it('of the conversation and of its review hold no part of a secret that the cut falls into', async () => {
    const root = createQuickProject();
    const secret = positives.find(({ rule }) => rule === 'github-pat')?.secret.join('') ?? '';
    const { agent, store } = await createAgent(root, [editAnswer, 'It adds.', acceptAnswer]);
    await agent.run(`${'word '.repeat(12)}${secret} and so on`);
    await agent.close();
    const titles = (await store.list({})).items.map(({ title }) => title ?? '');
    expect(titles.map((title) => title.slice(0, 12)).sort()).toEqual(['Review: word', 'word word wo']);
    expect(titles.filter((title) => title.includes(secret.slice(0, 10)))).toEqual([]);
  });
});

describe('性能验收 (1000 messages)', () => {
  it('保存性能 < 2 s, 恢复性能 < 3 s: for the whole agent, laid anew into a store and from the store', async () => {
    const root = createQuickProject();
    const messages = Array.from({ length: 1000 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `message ${index}: 你好 ${'words of some length '.repeat(20)}`,
    }));
    mkdirSync(join(root, '.continuo'));
    const state = {
      ...{ agent_type: 'code_agent', root_dir: root, tool_group: 'default', model_group: 'smart', model_name: 'scripted:model' },
      ...{ disable_review: false, review_max_iterations: 3, start_commit: null, messages, non_interactive: false },
    };
    const document = { version: '1.0', saved_at: '2025-01-19T12:34:56', file_prefix: 'code_agent', state };
    writeFileSync(join(root, '.continuo', 'saved_session_code_agent_x_y_1.json'), JSON.stringify(document));
    const first = await createAgent(root, [acceptAnswer]);
    const timed = async (work: () => Promise<boolean>): Promise<number> => {
      const start = performance.now();
      expect(await work()).toBe(true);
      return performance.now() - start;
    };
    const laid = await timed(() => first.agent.restoreSession());
    const saved = await timed(() => first.agent.saveSession());
    await first.agent.close();
    const second = await createAgent(root, [], { store: first.store });
    const restored = await timed(() => second.agent.restoreSession());
    expect(second.agent.messages).toEqual(messages);
    await second.agent.close();
    expect(readSessions(root).length).toBe(1);
    expect(laid).toBeLessThan(3000);
    expect(restored).toBeLessThan(3000);
    expect(saved).toBeLessThan(2000);
  });
});
