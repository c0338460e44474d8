// Files nobody meant well: what can be read of them is, what cannot is told with its line, and memory stays bounded.
import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCodeFormat } from '../../src/transcripts/claude-code/claude-code-format.ts';
import { codexFormat } from '../../src/transcripts/codex/codex-format.ts';
import { transcriptFormats } from '../../src/transcripts/formats.ts';
import type { TranscriptFormat, TranscriptItem, TranscriptSource } from '../../src/transcripts/transcript-format.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { collect, entriesOf } from './listing.ts';
import { answerLine, questionLine, sessionId, writeTalk } from './many-lines.ts';
import { importFrom, openTestStore, readStore } from './workbench.ts';

const megabyte = 1024 * 1024;
/** CONTINUO_HUGE=1 makes it the gigabyte it is meant to be. */
const hugeBytes = process.env.CONTINUO_HUGE ? 1024 * megabyte : 300 * megabyte;

function sessionFile(name = `${sessionId}.jsonl`): { root: string; path: string } {
  const root = join(createTemporaryFolder('hostile'), 'projects');
  mkdirSync(join(root, 'p'), { recursive: true });
  return { root, path: join(root, 'p', name) };
}

function sourceOf(path: string): TranscriptSource {
  return { type: 'source', id: sessionId, path, size: 1, modifiedAt: 1 };
}

const textsOf = (items: readonly TranscriptItem[]) => entriesOf(items).map(({ entry }) => ('text' in entry ? entry.text : ''));
const notesOf = (items: readonly TranscriptItem[]) =>
  items.flatMap((item) => (item.type === 'skipped' ? [`${item.line} ${item.reason} ${item.what}`] : []));

describe('a session', () => {
  it(`of ${hugeBytes / megabyte} MB is read in bounded memory`, async () => {
    const { path } = sessionFile();
    const text = 'All work and no play makes a long file. '.repeat(250);
    const count = Math.ceil(hugeBytes / (text.length + 350));
    expect(writeTalk(path, count, () => text)).toBeGreaterThan(hugeBytes);
    let entries = 0;
    let most = 0;
    global.gc?.();
    const before = process.memoryUsage().rss;
    for await (const item of claudeCodeFormat.read(sourceOf(path))) {
      if (item.type === 'entry') entries += 1;
      else if (item.type === 'checkpoint') most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(entries).toBe(count);
    expect(most).toBeLessThan(200 * megabyte);
  });

  it('with a line of 200 MB loses that line only, and never holds it', async () => {
    const { path } = sessionFile();
    writeFileSync(path, `${questionLine(1)}\n`);
    const file = openSync(path, 'a');
    writeSync(file, '{"type":"user","message":{"role":"user","content":"');
    const block = Buffer.alloc(10 * megabyte, 'x');
    for (let written = 0; written < 20; written += 1) writeSync(file, block);
    writeSync(file, `"}}\n${answerLine(2)}\n`);
    closeSync(file);
    const before = process.memoryUsage().rss;
    const items = await collect(claudeCodeFormat.read(sourceOf(path)));
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * megabyte);
    expect(textsOf(items)).toEqual(['Question 1?', 'Answer 2.']);
    expect(notesOf(items)).toEqual(['2 too-long line']);
    const checkpoint = items.findLast((item) => item.type === 'checkpoint')?.checkpoint;
    appendFileSync(path, `${questionLine(3)}\n`);
    expect(textsOf(await collect(claudeCodeFormat.read(sourceOf(path), { from: checkpoint })))).toEqual(['Question 3?']);
  });

  it('goes on after a line above the limit that was the last one', async () => {
    const { path } = sessionFile();
    writeFileSync(path, `${questionLine(1)}\n${'x'.repeat(5000)}\n`);
    const first = await collect(claudeCodeFormat.read(sourceOf(path), { mostLineBytes: 1000 }));
    expect(notesOf(first)).toEqual(['2 too-long line']);
    const checkpoint = first.findLast((item) => item.type === 'checkpoint')?.checkpoint;
    appendFileSync(path, `${answerLine(2)}\n`);
    const rest = await collect(claudeCodeFormat.read(sourceOf(path), { from: checkpoint, mostLineBytes: 1000 }));
    expect(rest[0]).not.toHaveProperty('resumed', false);
    expect(textsOf(rest)).toEqual(['Answer 2.']);
  });

  it('with broken bytes, zeros, bare values and half records keeps the rest', async () => {
    const { path } = sessionFile();
    const lines: (string | Buffer)[] = [
      Buffer.concat([Buffer.from(questionLine(1, 'one ')).subarray(0, -1), Buffer.from(' ')]),
      Buffer.concat([Buffer.alloc(4096), Buffer.from(questionLine(3, 'after zeros'))]),
      'null',
      '[1,2]',
      '"text"',
      '{"type":"user"',
      '\u0000\u0000',
      '',
      questionLine(9, 'bytes: @@').replace('@@', '\ufffd'),
      answerLine(10),
    ];
    writeFileSync(path, Buffer.concat(lines.flatMap((each) => [Buffer.from(each as string), Buffer.from('\n')])));
    const items = await collect(claudeCodeFormat.read(sourceOf(path)));
    expect(textsOf(items)).toEqual(['after zeros', 'bytes: \ufffd', 'Answer 10.']);
    expect(notesOf(items)).toEqual([
      '1 broken not JSON',
      '3 broken not an object',
      '4 broken not an object',
      '5 broken not an object',
      '6 broken not JSON',
    ]);
  });

  it('with bytes that are no UTF-8 keeps the words around them', async () => {
    const { path } = sessionFile();
    const bytes = Buffer.from(`${questionLine(1, 'caf# is closed')}\n`);
    bytes[bytes.indexOf('#')] = 0xe9;
    writeFileSync(path, bytes);
    expect(textsOf(await collect(claudeCodeFormat.read(sourceOf(path))))).toEqual(['caf\ufffd is closed']);
  });

  it('nested deeper than anything is refused entry by entry', async () => {
    const { root, path } = sessionFile();
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const call = answerLine(2).replace(
      /\{"type":"text","text":"[^"]*"\}/,
      `{"type":"tool_use","id":"toolu_1","name":"Bash","input":${deep}}`,
    );
    const result = questionLine(3).replace('"Question 3?"', `[{"type":"tool_result","tool_use_id":"toolu_1","content":${deep}}]`);
    const parts = questionLine(4).replace('"Question 4?"', `[${'['.repeat(20_000)}${']'.repeat(20_000)}]`);
    writeFileSync(path, `${[questionLine(1), call, result, parts, answerLine(5)].join('\n')}\n`);
    const store = await openTestStore();
    const report = await importFrom(store, root);
    expect(report).toMatchObject({ sources: { created: 1, failed: 0 } });
    const [stored] = (await readStore(store)).values();
    expect(stored?.entries.map((entry) => ('text' in entry ? entry.text : entry.kind))).toEqual([
      'Question 1?',
      '[not writable as JSON]',
      'Answer 5.',
    ]);
    expect(report.broken.map(({ reason }) => reason).sort()).toEqual(['broken', 'refused']);
  });

  it('that is a pipe, a folder or not there is a fault of its own', async () => {
    const { root, path } = sessionFile();
    execFileSync('mkfifo', [path]);
    mkdirSync(join(root, 'p', 'aaaaaaaa-0000-4000-8000-000000000000.jsonl'));
    const store = await openTestStore();
    const gone = sourceOf(join(root, 'gone.jsonl'));
    const report = await importFrom(store, root, { sources: [sourceOf(path), { ...gone, id: 'gone' }] });
    expect(report.failed.map(({ code }) => code)).toEqual(['unsafe-path', 'io-failed']);
    const found = await collect(claudeCodeFormat.discover(root));
    expect(found).toEqual([{ type: 'skipped', reason: 'link', what: 'not a file', path }]);
  });
});

describe.each(transcriptFormats.filter(({ name }) => ['claude-code', 'codex'].includes(name)))(
  '$label',
  (format: TranscriptFormat) => {
    it('reads records whose fields are of any other type', async () => {
      const { path } = sessionFile();
      const random = createSeededRandom(7);
      const samples = format === codexFormat ? codexRecords : [questionLine(1), answerLine(2)].map((each) => JSON.parse(each));
      const odd: unknown[] = [null, 0, -1, '', 'text', [], [null], {}, { type: 5 }, true, [[['x']]], { text: {} }];
      const spoil = (value: unknown): unknown => {
        if (random.chance(0.15)) return random.pick(odd);
        if (Array.isArray(value)) return value.map(spoil);
        if (typeof value !== 'object' || value === null) return value;
        return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoil(field)]));
      };
      const lines = Array.from({ length: 3000 }, () => JSON.stringify(spoil(random.pick(samples))));
      writeFileSync(path, `${lines.join('\n')}\n`);
      const items = await collect(format.read(sourceOf(path)));
      expect(items.at(-1)).toMatchObject({ type: 'checkpoint', checkpoint: { line: 3000 } });
      const store = await openTestStore();
      const report = await importFrom(store, path, { format, sources: [sourceOf(path)] });
      expect(report).toMatchObject({ sources: { created: 1 }, failed: [] });
    });
  },
);

const codexRecords = [
  {
    timestamp: '2026-01-01T00:00:00.000Z',
    type: 'session_meta',
    payload: {
      id: sessionId,
      cwd: '/x',
      git: { branch: 'main' },
      source: { subagent: { thread_spawn: { parent_thread_id: 'p' } } },
    },
  },
  { timestamp: '2026-01-01T00:00:01.000Z', type: 'turn_context', payload: { cwd: '/x', model: 'm' } },
  { timestamp: '2026-01-01T00:00:02.000Z', type: 'event_msg', payload: { type: 'user_message', message: 'hello' } },
  {
    timestamp: '2026-01-01T00:00:03.000Z',
    type: 'event_msg',
    payload: {
      type: 'item_completed',
      turn_id: 't',
      item: { type: 'UserMessage', id: 'i', content: [{ type: 'text', text: 'hi' }] },
    },
  },
  {
    timestamp: '2026-01-01T00:00:04.000Z',
    type: 'response_item',
    payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'yes' }] },
  },
  {
    timestamp: '2026-01-01T00:00:05.000Z',
    type: 'response_item',
    payload: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'why' }] },
  },
  {
    timestamp: '2026-01-01T00:00:06.000Z',
    type: 'response_item',
    payload: { type: 'function_call', name: 'shell', arguments: '{"a":1}', call_id: 'c' },
  },
  {
    timestamp: '2026-01-01T00:00:07.000Z',
    type: 'response_item',
    payload: { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'out' }] },
  },
  {
    timestamp: '2026-01-01T00:00:08.000Z',
    type: 'token_usage_record',
    payload: { response_id: 'r', usage: { input_tokens: 1, output_tokens: 2, cached_input_tokens: 0 } },
  },
  { timestamp: '2026-01-01T00:00:09.000Z', type: 'compacted', payload: { message: 'short' } },
];
