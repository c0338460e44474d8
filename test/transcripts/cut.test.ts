// A session cut at any byte gives the beginning of what the whole one says, and goes on from there without a gap.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCodeFormat } from '../../src/transcripts/claude-code/claude-code-format.ts';
import { codexFormat } from '../../src/transcripts/codex/codex-format.ts';
import { copilotFormat } from '../../src/transcripts/copilot/copilot-format.ts';
import { geminiFormat } from '../../src/transcripts/gemini/gemini-format.ts';
import { nanobotFormat } from '../../src/transcripts/nanobot/nanobot-format.ts';
import { piFormat } from '../../src/transcripts/pi/pi-format.ts';
import { qwenFormat } from '../../src/transcripts/qwen/qwen-format.ts';
import type { TranscriptFormat, TranscriptItem } from '../../src/transcripts/transcript-format.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { collect, entriesOf, findSources } from './listing.ts';
import { copilotFixtures, fixtures } from './workbench.ts';

const geminiLog = 'gemini/made-by-hand/.gemini/tmp/proj-d/chats/session-2026-03-02T10-00-5c0ffee0.jsonl';
const piTree =
  'pi/made-by-hand/sessions/--home-dev-code-proj-d--/2026-02-03T08-00-00-000Z_019c0000-0000-7000-8000-00000000000a.jsonl';

const cases: { name: string; format: TranscriptFormat; root: string; every: number }[] = [
  { name: 'Claude Code', format: claudeCodeFormat, root: join(fixtures, 'claude/made-by-hand/projects'), every: 41 },
  { name: 'Codex', format: codexFormat, root: join(fixtures, 'codex/made-by-hand/0.80.0/sessions'), every: 17 },
  { name: 'Gemini CLI', format: geminiFormat, root: join(fixtures, geminiLog), every: 13 },
  { name: 'Qwen Code', format: qwenFormat, root: join(fixtures, 'qwen/made-by-hand/projects'), every: 13 },
  {
    name: 'GitHub Copilot CLI',
    format: copilotFormat,
    root: join(copilotFixtures, '6b6f8c4b-d1a0-4c1b-8cd7-69d17cc0d218'),
    every: 61,
  },
  { name: 'nanobot', format: nanobotFormat, root: join(fixtures, 'nanobot/made-by-hand/sessions/cli_direct.jsonl'), every: 7 },
  { name: 'pi', format: piFormat, root: join(fixtures, piTree), every: 13 },
];

describe.each(cases)('a session of $name', ({ format, root, every }) => {
  it('is read up to the cut, and from there on when it has grown', async () => {
    const [source] = await findSources(format, root);
    if (!source) throw new Error('no fixture');
    const bytes = readFileSync(source.path);
    const path = join(createQuickFolder('cut'), 'session.jsonl');
    const whole = entriesOf(await collect(format.read(source)));
    // Every byte near the ends of lines, where it matters, and a comb over the rest.
    const cuts = Array.from(bytes.keys()).filter(
      (at) => at % every === 0 || [9, 10, 13].includes(bytes[at] as number) || bytes[at - 1] === 10,
    );
    for (const at of [...cuts, bytes.length]) {
      writeFileSync(path, bytes.subarray(0, at));
      const first = await collect(format.read({ ...source, path }));
      const lines = bytes.subarray(0, at).toString('latin1').split('\n').length - 1;
      expect(brokenOf(first)).toEqual([]);
      expect(entriesOf(first)).toEqual(whole.slice(0, entriesOf(first).length));
      const checkpoint = first.findLast((item) => item.type === 'checkpoint')?.checkpoint;
      expect(checkpoint).toMatchObject({ line: lines });
      writeFileSync(path, bytes);
      const rest = await collect(format.read({ ...source, path }, { from: checkpoint }));
      expect(rest[0]).not.toHaveProperty('resumed', false);
      expect([...entriesOf(first), ...entriesOf(rest)]).toEqual(whole);
    }
  });
});

function brokenOf(items: readonly TranscriptItem[]): TranscriptItem[] {
  return items.filter((item) => item.type === 'skipped' && item.reason === 'broken');
}
