// Sessions in which nothing was said: no conversations, announced once, and read once as long as they do not change.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareWithStore, findSessions } from '../../src/cli/transcripts/found-sessions.ts';
import { claudeCodeFormat as format } from '../../src/transcripts/claude-code/claude-code-format.ts';
import { Handovers } from '../../src/transcripts/handover.ts';
import { SilentSessions } from '../../src/transcripts/silent-sessions.ts';
import type { TranscriptFormat } from '../../src/transcripts/transcript-format.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { questionLine, sessionId } from './many-lines.ts';
import { importFrom, openTestStore } from './workbench.ts';

async function setUp() {
  const folder = createQuickFolder('silent');
  const root = join(folder, 'projects');
  mkdirSync(join(root, 'project'), { recursive: true });
  const path = join(root, 'project', `${sessionId}.jsonl`);
  writeFileSync(path, `${JSON.stringify({ type: 'queue-operation', sessionId })}\n`);
  const store = await openTestStore();
  const file = join(folder, 'silent-sessions.json');
  let reads = 0;
  const counting: TranscriptFormat = {
    ...format,
    read: (...parameters) => {
      reads += 1;
      return format.read(...parameters);
    },
  };
  /** As one run of the command: what is announced, and what came of it. */
  const run = async (options: { again?: boolean; dryRun?: boolean } = {}) => {
    const silent = await SilentSessions.load(file, '1');
    const found = await findSessions({ format, path: root }, {});
    const { fresh, grown } = await compareWithStore({ store, handovers: new Handovers(store), again: false, silent }, found);
    reads = 0;
    const { sources } = await importFrom(store, root, { format: counting, silent, ...options });
    if (!options.dryRun) await silent.save();
    return { announced: fresh + grown, reads, sources: Object.entries(sources).filter(([, count]) => count > 0) };
  };
  return { path, file, store, run };
}

describe('a session in which nothing was said', () => {
  it('is announced and read once, and again when it changes', async () => {
    const { path, file, store, run } = await setUp();
    expect(await run({ dryRun: true })).toEqual({ announced: 1, reads: 1, sources: [['empty', 1]] });
    expect(await run()).toEqual({ announced: 1, reads: 1, sources: [['empty', 1]] });
    expect(await run()).toEqual({ announced: 0, reads: 0, sources: [['empty', 1]] });
    expect(await run({ dryRun: true })).toEqual({ announced: 0, reads: 0, sources: [['empty', 1]] });
    rmSync(file);
    expect(await run()).toEqual({ announced: 1, reads: 1, sources: [['empty', 1]] });
    appendFileSync(path, `${questionLine(1)}\n`);
    expect(await run()).toEqual({ announced: 1, reads: 1, sources: [['created', 1]] });
    expect(await run()).toEqual({ announced: 0, reads: 0, sources: [['unchanged', 1]] });
    expect(await store.stats()).toMatchObject({ conversations: 1, entries: 1 });
  });

  it('is told again where a part of it could not be read', async () => {
    const { path, run } = await setUp();
    appendFileSync(path, 'not JSON\n');
    expect(await run()).toEqual({ announced: 1, reads: 1, sources: [['empty', 1]] });
    expect(await run()).toEqual({ announced: 1, reads: 1, sources: [['empty', 1]] });
  });

  it('is not announced while its file is empty and new', async () => {
    const { path, run } = await setUp();
    writeFileSync(path, '');
    expect(await run()).toEqual({ announced: 0, reads: 0, sources: [['empty', 1]] });
  });
});
