// Sessions that are seen shorter than they were, and whole again: a file that is half copied, an older copy, one that was overwritten and
// restored. Whatever comes between, what is stored is what one import of the whole stores.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { claudeCodeFormat } from '../../src/transcripts/claude-code/claude-code-format.ts';
import { codexFormat } from '../../src/transcripts/codex/codex-format.ts';
import { continueFormat } from '../../src/transcripts/continue/continue-format.ts';
import { copilotFormat } from '../../src/transcripts/copilot/copilot-format.ts';
import { geminiFormat } from '../../src/transcripts/gemini/gemini-format.ts';
import { foreignId } from '../../src/transcripts/known-entries.ts';
import { nanobotFormat } from '../../src/transcripts/nanobot/nanobot-format.ts';
import { piFormat } from '../../src/transcripts/pi/pi-format.ts';
import { qwenFormat } from '../../src/transcripts/qwen/qwen-format.ts';
import type { TranscriptFormat } from '../../src/transcripts/transcript-format.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { findSources } from './listing.ts';
import {
  claudeFixtures,
  codexFixtures,
  continueFixtures,
  copilotFixtures,
  copyFixtures,
  fixtures,
  geminiRoots,
  importFrom,
  openTestStore,
  piRoots,
  qwenRoots,
  readStore,
} from './workbench.ts';

const cases: { name: string; format: TranscriptFormat; from: string }[] = [
  { name: 'Claude Code', format: claudeCodeFormat, from: claudeFixtures },
  { name: 'Codex', format: codexFormat, from: codexFixtures },
  { name: 'Gemini CLI', format: geminiFormat, from: geminiRoots[0] as string },
  { name: 'Qwen Code', format: qwenFormat, from: qwenRoots[0] as string },
  { name: 'pi', format: piFormat, from: piRoots[0] as string },
  { name: 'GitHub Copilot CLI', format: copilotFormat, from: copilotFixtures },
  { name: 'nanobot', format: nanobotFormat, from: join(fixtures, 'nanobot/made-by-hand/sessions') },
  { name: 'Continue', format: continueFormat, from: continueFixtures },
];

/** The first two thirds of it: lines of a log, messages of a document. */
function cut(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (text.trimEnd().includes('\n') && !text.startsWith('{\n')) {
    const lines = text.split('\n');
    return `${lines.slice(0, Math.max(1, Math.floor(((lines.length - 1) * 2) / 3))).join('\n')}\n`;
  }
  const document = JSON.parse(text);
  return JSON.stringify({ ...document, history: document.history.slice(0, Math.ceil((document.history.length * 2) / 3)) });
}

const random = createSeededRandom(7);
const garbage = Buffer.from(Array.from({ length: 3000 }, () => random.between(0, 255)));

async function listStore(store: ConversationStore) {
  const stored = [...(await readStore(store))].sort(([a], [b]) => (a < b ? -1 : 1));
  return stored.map(([key, { entries }]) => ({ key, ids: entries.map(foreignId) }));
}

describe.each(['sqlite', 'jsonl'] as const)('in a %s store', (driver) => {
  describe.each(cases)('sessions of $name', ({ format, from }) => {
    async function setUp() {
      const root = copyFixtures(from);
      const paths = [...new Set((await findSources(format, root)).map(({ path }) => path))];
      const whole = new Map(paths.map((path) => [path, readFileSync(path)]));
      const store = await openTestStore(driver);
      const put = (change: (bytes: Buffer) => string | Buffer) => {
        for (const [path, bytes] of whole) writeFileSync(path, change(bytes));
      };
      const run = (folder = root) => importFrom(store, folder, { format });
      await run();
      return { store, put, run, first: await listStore(store) };
    }

    it('are stored once when they are cut and whole again, and when they are damaged and restored', async () => {
      const { store, put, run, first } = await setUp();
      expect(first.length).toBeGreaterThan(0);
      for (const change of [cut, () => garbage, cut]) {
        put(change);
        await run();
        put((bytes) => bytes);
        expect(await run()).toMatchObject({ entries: 0, failed: [] });
        expect(await listStore(store)).toEqual(first);
      }
    });

    it('are stored once when an older copy and the present one are imported in turns', async () => {
      const { store, run, first } = await setUp();
      const older = copyFixtures(from);
      for (const path of new Set((await findSources(format, older)).map((source) => source.path)))
        writeFileSync(path, cut(readFileSync(path)));
      for (let round = 0; round < 2; round += 1) {
        expect(await run(older)).toMatchObject({ sources: { created: 0, grown: 0 }, entries: 0 });
        expect(await run()).toMatchObject({ sources: { created: 0, grown: 0 }, entries: 0 });
      }
      expect(await listStore(store)).toEqual(first);
    });
  });
});

describe('a session that was cut', () => {
  const id = '90258489-e943-40a6-aad2-a42acd72066a';
  const key = `import:claude-code:${id}`;

  async function setUp(policy: 'full' | 'headers-only' = 'full') {
    const root = join(copyFixtures(claudeFixtures), '-home-dev-code-proj-a');
    const path = join(root, `${id}.jsonl`);
    const text = readFileSync(path, 'utf8');
    const store = await openTestStore();
    const run = async () =>
      importFrom(store, root, {
        policy: { kind: policy },
        sources: (await findSources(claudeCodeFormat, root)).filter((source) => source.id === id),
      });
    await run();
    return { store, run, path, text, lines: text.trimEnd().split('\n') };
  }

  it('is stored once wherever the cut is, also where no word is kept', { timeout: 60_000 }, async () => {
    const { store, run, path, text, lines } = await setUp('headers-only');
    for (let count = 1; count < lines.length; count += 5) {
      writeFileSync(path, `${lines.slice(0, count).join('\n')}\n`);
      await run();
      writeFileSync(path, text);
      expect(await run()).toMatchObject({ entries: 0 });
    }
    expect(await store.get(key)).toMatchObject({ lastSeq: 17 });
  });

  it('goes on where it was whole, also when people said something in it here', async () => {
    const { store, run, path, text, lines } = await setUp();
    await store.append((await store.get(key)).id, { kind: 'message', role: 'user', text: 'Said here.' });
    writeFileSync(path, `${lines.slice(0, 30).join('\n')}\n`);
    await run();
    writeFileSync(path, text);
    await run();
    // Nothing is left to be looked for: the next reading need not load what is stored.
    expect(await store.get(key)).toMatchObject({ lastSeq: 18, meta: { import: { seq: 18 } } });
  });
});
