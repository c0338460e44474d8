// Sessions of Continue: whole files written anew, without moments and ids, and what that must not lead to.
import { readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { continueFormat } from '../../src/transcripts/continue/continue-format.ts';
import type { TranscriptItem } from '../../src/transcripts/transcript-format.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { collect, entriesOf, findSources, headerOf, listEntry, readExpected, readItems } from './listing.ts';
import { continueFixtures, copyFixtures, importFrom, openTestStore, readStore } from './workbench.ts';

const format = continueFormat;
const original = 'e8dbec5f-d9b1-4463-baca-acf9ef2e9806';
const fork = '7880266e-c2c5-48f1-82fc-1b9c20779a5d';
const keyOf = (id: string) => `import:continue:${id}`;
const expectedLines = (id: string) =>
  (readExpected('continue').get(id) ?? '').split('\n').filter((line) => line.startsWith('? '));
const withoutMoment = (entry: Parameters<typeof listEntry>[0]) => listEntry(entry).replace(/^\S+/, '?');
const listed = (items: readonly TranscriptItem[]) => entriesOf(items).map(({ entry }) => listEntry(entry));
const notesOf = (items: readonly TranscriptItem[]) =>
  items.flatMap((item) => (item.type === 'skipped' ? [`${item.reason} ${item.what}`] : []));

function sessionFile(session: unknown): { root: string; path: string } {
  const root = createQuickFolder('continue');
  const path = join(root, 'one.json');
  writeFileSync(path, typeof session === 'string' || Buffer.isBuffer(session) ? session : JSON.stringify(session));
  return { root, path };
}

async function readOne(root: string): Promise<TranscriptItem[]> {
  const [source] = await findSources(format, root);
  return readItems(format, source as never);
}

describe('an import of Continue', () => {
  it('keeps what was said, with the moment of the file, and a second one changes nothing', async () => {
    const root = copyFixtures(continueFixtures);
    for (const { path } of await findSources(format, root)) utimesSync(path, 1_794_705_000, 1_794_705_000);
    const store = await openTestStore();
    expect(await importFrom(store, root, { format })).toMatchObject({
      sources: { created: 10, failed: 0 },
      broken: [],
      failed: [],
    });
    const stored = await readStore(store);
    for (const id of readExpected('continue').keys()) {
      const entries = stored.get(keyOf(id))?.entries ?? [];
      expect(entries.map(withoutMoment)).toEqual(expectedLines(id));
      expect(new Set(entries.map(({ at }) => at))).toEqual(new Set([1_794_705_000_000]));
    }
    expect(stored.get(keyOf(original))?.conversation).toMatchObject({ createdAt: Date.parse('2026-11-15T00:58:22.944Z') });
    expect(await importFrom(store, root, { format })).toMatchObject({ sources: { unchanged: 10 }, entries: 0 });
    expect(await readStore(store)).toEqual(stored);
  });

  it('knows a copy by its beginning, and sessions that only begin with the same words as others', async () => {
    const root = copyFixtures(continueFixtures);
    utimesSync(join(root, `${original}.json`), 1, 1);
    const store = await openTestStore();
    await importFrom(store, root, { format });
    const origin = await store.get(keyOf(original));
    expect(await store.get(keyOf(fork))).toMatchObject({ forkedFrom: { id: origin.id, seq: 12 }, lastSeq: 14 });
    expect((await store.get(keyOf('03089ddf-a7fe-4500-a750-60a23fa83285'))).forkedFrom).toBeUndefined();
  });

  it('takes only what a session grew by, item by item, also a result that comes after its call', async () => {
    const root = copyFixtures(continueFixtures);
    const path = join(root, `${original}.json`);
    const session = JSON.parse(readFileSync(path, 'utf8'));
    const store = await openTestStore();
    const run = async (history: unknown[]) => {
      writeFileSync(path, JSON.stringify({ ...session, history }));
      return importFrom(store, path, { format });
    };
    for (let length = 1; length <= session.history.length; length += 1) {
      const history = session.history.slice(0, length);
      const last = history.at(-1);
      const isCall = last.toolCallStates !== undefined;
      const running = isCall && {
        toolCallStates: last.toolCallStates.map((state: object) => ({ ...state, status: 'calling', output: undefined })),
      };
      await run([...history.slice(0, -1), { ...last, ...running }]);
      if (isCall) expect(await run(history)).toMatchObject({ sources: { grown: 1 }, entries: 1 });
    }
    const stored = (await readStore(store)).get(keyOf(original));
    expect(stored?.entries.map(withoutMoment)).toEqual(expectedLines(original));
    // What was taken out of the file stays.
    expect(await run(session.history.slice(3))).toMatchObject({ sources: { unchanged: 1 }, entries: 0, known: 7 });
  });

  it('keeps words that are said twice, and does not double them', async () => {
    const say = (role: string, content: string) => ({ message: { role, content } });
    const history = [say('user', 'Again'), say('assistant', 'Done.'), say('user', 'Again'), say('assistant', 'Done.')];
    const { root, path } = sessionFile({
      sessionId: 'one',
      title: 'Twice',
      workspaceDirectory: 'file:///home/dev/my%20code',
      history,
    });
    const store = await openTestStore();
    await importFrom(store, root, { format });
    writeFileSync(path, JSON.stringify({ sessionId: 'one', title: 'Thrice', history: [...history, say('user', 'Again')] }));
    expect(await importFrom(store, root, { format })).toMatchObject({ entries: 1, known: 4 });
    const stored = (await readStore(store)).get(keyOf('one'));
    expect(stored?.entries.map((entry) => ('text' in entry ? entry.text : entry.kind))).toEqual([
      'Again',
      'Done.',
      'Again',
      'Done.',
      'Again',
    ]);
    expect(stored?.conversation).toMatchObject({ title: 'Thrice', meta: { import: { cwd: '/home/dev/my code' } } });
  });

  it('takes a file that was cut when it is whole again, and says so meanwhile, wherever it is cut', async () => {
    const root = copyFixtures(continueFixtures);
    const path = join(root, `${original}.json`);
    const whole = readFileSync(path);
    const store = await openTestStore();
    // It was made at this moment: what will be in it comes later.
    writeFileSync(path, '');
    expect(await importFrom(store, path, { format })).toMatchObject({ sources: { empty: 1 }, broken: [] });
    for (let at = 97; at < whole.length; at += 97) {
      writeFileSync(path, whole.subarray(0, at));
      expect(await importFrom(store, path, { format })).toMatchObject({
        sources: { failed: 1 },
        broken: [{ reason: 'broken', path }],
      });
    }
    writeFileSync(path, whole);
    expect(await importFrom(store, path, { format })).toMatchObject({ sources: { created: 1 }, entries: 12 });
    writeFileSync(path, whole.subarray(0, 1000));
    expect(await importFrom(store, path, { format })).toMatchObject({
      sources: { failed: 1 },
      broken: [{ reason: 'broken' }],
    });
    writeFileSync(path, whole);
    expect(await importFrom(store, path, { format })).toMatchObject({ sources: { unchanged: 1 }, entries: 0, broken: [] });
  });
});

describe('a session of Continue', () => {
  it('of an editor has thinking, pictures, results of their own and summaries', async () => {
    const { root } = sessionFile({
      sessionId: 'one',
      title: 'New Session',
      workspaceDirectory: '/w',
      history: [
        { message: { role: 'system', content: 'You are' } },
        {
          message: {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'imageUrl', imageUrl: { url: 'data:' } },
            ],
          },
        },
        { message: { role: 'thinking', content: 'Hm.' } },
        {
          message: {
            role: 'assistant',
            content: '',
            toolCalls: [{ id: 'c1', function: { name: 'read', arguments: 'no json' } }],
          },
        },
        { message: { role: 'tool', content: 'here', toolCallId: 'c1' } },
        { message: { role: 'assistant', content: 'Yes' }, reasoning: { text: 'Because.' }, conversationSummary: 'They looked.' },
      ],
    });
    const items = await readOne(root);
    expect(listed(items)).toEqual([
      '? user | Look\\n\\n[image]',
      '? thinking | Hm.',
      '? call read | "no json"',
      '? result ? | here',
      '? thinking | Because.',
      '? assistant | Yes',
      '? summary | They looked.',
    ]);
    expect(headerOf(items)).toEqual({ cwd: '/w' });
    expect(notesOf(items)).toEqual(['harness system']);
  });

  it('above the limit, of other types or with broken bytes is a note, and the rest is read', async () => {
    const { root, path } = sessionFile({
      sessionId: 'one',
      history: [
        null,
        'x',
        { message: 5 },
        { message: { role: 'user', content: 'caf#\u0000' } },
        { message: { role: 'bard', content: 'x' } },
      ],
    });
    const bytes = readFileSync(path);
    bytes[bytes.indexOf('#')] = 0xe9;
    writeFileSync(path, bytes);
    const items = await readOne(root);
    expect(listed(items)).toEqual(['? user | caf\ufffd\u0000']);
    expect(notesOf(items)).toEqual([
      'broken history item',
      'broken history item',
      'unknown message without role',
      'unknown bard',
    ]);
    const [source] = await findSources(format, root);
    expect(notesOf(await collect(format.read(source as never, { mostLineBytes: 50 })))).toEqual(['too-long file']);
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const call = `{"message":{"role":"assistant","content":"Deep","toolCalls":[{"id":"c","function":{"name":"t","arguments":${deep}}}]}}`;
    writeFileSync(path, `{"sessionId":"one","history":[${call}]}`);
    const report = await importFrom(await openTestStore(), root, { format });
    expect(report).toMatchObject({ sources: { created: 1 }, messages: 1, failed: [], broken: [{ reason: 'refused' }] });
  });

  it('whose fields are of any other type is read', async () => {
    const random = createSeededRandom(5);
    const sample = JSON.parse(readFileSync(join(continueFixtures, `${original}.json`), 'utf8'));
    const odd: unknown[] = [null, 0, -1, '', 'text', [], [null], {}, { type: 5 }, true, [[['x']]], { text: {} }];
    const spoil = (value: unknown): unknown => {
      if (random.chance(0.05)) return random.pick(odd);
      if (Array.isArray(value)) return value.map(spoil);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoil(field)]));
    };
    const history = Array.from({ length: 300 }, () => sample.history.map(spoil)).flat();
    const { root } = sessionFile({ ...sample, history });
    expect(await importFrom(await openTestStore(), root, { format })).toMatchObject({ sources: { created: 1 }, failed: [] });
  });

  it('that is a link, gone, or no session is told', async () => {
    const { root, path } = sessionFile('[]');
    symlinkSync(join(continueFixtures, `${original}.json`), join(root, 'linked.json'));
    expect((await collect(format.discover(root))).map((each) => [each.type, each.path])).toEqual([
      ['skipped', join(root, 'linked.json')],
      ['source', path],
    ]);
    const sources = await findSources(format, root);
    expect((await importFrom(await openTestStore(), root, { format, sources })).broken).toMatchObject([
      { what: 'not a session', path },
    ]);
    rmSync(path);
    expect((await importFrom(await openTestStore(), root, { format, sources })).failed).toMatchObject([
      { path, code: 'io-failed' },
    ]);
  });
});

it('sessions are looked for where the agent was told to keep them, and gone on with as a copy', () => {
  expect(format.roots({}, '/home/me')).toEqual(['/home/me/.continue/sessions']);
  expect(format.roots({ CONTINUE_GLOBAL_DIR: '/c' }, '/home/me')).toEqual(['/c/sessions']);
  expect(format.resumeCommand?.({ id: 'abc', cwd: '/x' })).toEqual({ command: 'cn', args: ['--fork', 'abc'], cwd: '/x' });
  expect(format.write).toBeUndefined();
});
