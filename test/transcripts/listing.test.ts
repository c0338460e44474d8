// Every session of the fixtures says exactly what was written down from its file by hand.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentChatterFormat } from '../../src/transcripts/agent-chatter/agent-chatter-format.ts';
import { chatGptFormat } from '../../src/transcripts/chatgpt/chatgpt-format.ts';
import { cisFormat } from '../../src/transcripts/cis/cis-format.ts';
import { claudeAiFormat } from '../../src/transcripts/claude-ai/claude-ai-format.ts';
import { claudeCodeFormat } from '../../src/transcripts/claude-code/claude-code-format.ts';
import { codexFormat } from '../../src/transcripts/codex/codex-format.ts';
import { continueFormat } from '../../src/transcripts/continue/continue-format.ts';
import { copilotFormat } from '../../src/transcripts/copilot/copilot-format.ts';
import { detectFormat } from '../../src/transcripts/formats.ts';
import { geminiFormat } from '../../src/transcripts/gemini/gemini-format.ts';
import { jarvisFormat } from '../../src/transcripts/jarvis/jarvis-format.ts';
import { nanobotFormat } from '../../src/transcripts/nanobot/nanobot-format.ts';
import { openAiFormat } from '../../src/transcripts/openai/openai-format.ts';
import { opencodeFormat } from '../../src/transcripts/opencode/opencode-format.ts';
import { piFormat } from '../../src/transcripts/pi/pi-format.ts';
import { qwenFormat } from '../../src/transcripts/qwen/qwen-format.ts';
import { readHead } from '../../src/transcripts/session-folder.ts';
import { entriesOf, findSources, listSession, readExpected, readItems } from './listing.ts';
import {
  claudeFixtures,
  codexFixtures,
  continueFixtures,
  copilotFixtures,
  copyFixtures,
  fixtures,
  geminiRoots,
  opencodeFixtures,
  piRoots,
  qwenRoots,
} from './workbench.ts';

const cases = [
  { format: claudeCodeFormat, roots: [claudeFixtures, join(fixtures, 'claude/made-by-hand/projects')] },
  { format: codexFormat, roots: [codexFixtures, join(fixtures, 'codex/made-by-hand/0.80.0/sessions')] },
  { format: geminiFormat, roots: geminiRoots },
  { format: qwenFormat, roots: qwenRoots },
  { format: piFormat, roots: piRoots },
  { format: opencodeFormat, roots: [opencodeFixtures] },
  { format: copilotFormat, roots: [copilotFixtures] },
  { format: continueFormat, roots: [continueFixtures] },
  { format: agentChatterFormat, roots: [join(fixtures, 'agent-chatter/made-by-hand/sessions')] },
  { format: jarvisFormat, roots: [join(fixtures, 'jarvis/made-by-hand')] },
  { format: nanobotFormat, roots: [join(fixtures, 'nanobot/made-by-hand/sessions')] },
  { format: cisFormat, roots: [join(fixtures, 'cis/made-by-hand')] },
  { format: openAiFormat, roots: [join(fixtures, 'openai/made-by-hand')] },
  { format: chatGptFormat, roots: [join(fixtures, 'chatgpt/made-by-hand')] },
  { format: claudeAiFormat, roots: [join(fixtures, 'claude-ai/made-by-hand')] },
];
/** Its result lies in a file beside it, and has a test of its own. */
const persisted = '1c5e8ef9-09b3-432b-9676-385817aa23d3';

describe.each(cases)('$format.label', ({ format, roots }) => {
  it('reads every session as it was written down by hand', async () => {
    const expected = readExpected(format.name);
    const found = new Map<string, string>();
    for (const root of roots)
      for (const source of await findSources(format, root))
        if (source.id !== persisted) found.set(source.id, await listSession(format, source));
    for (const [id, listing] of expected) expect(found.get(id)).toBe(listing);
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  });

  it('knows its own files by their beginning', async () => {
    for (const root of roots)
      for (const { path } of await findSources(format, root))
        expect(detectFormat({ path, head: await readHead(path) })?.name).toBe(format.name);
  });

  it('gives every entry an id of its own, the same at every reading', async () => {
    for (const root of roots)
      for (const source of await findSources(format, root)) {
        const ids = entriesOf(await readItems(format, source)).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(entriesOf(await readItems(format, source)).map(({ id }) => id)).toEqual(ids);
      }
  });
});

describe('Claude Code', () => {
  it('takes a large result from the file beside the session, never from the path that is recorded', async () => {
    const root = copyFixtures(claudeFixtures);
    const folder = join(root, '-home-dev-code-proj-a', persisted, 'tool-results');
    const numbers = `${Array.from({ length: 60_000 }, (_, index) => index + 1).join('\n')}\n`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'b44jnfg20.txt'), numbers);
    const source = (await findSources(claudeCodeFormat, root)).find(({ id }) => id === persisted);
    const listing = (await listSession(claudeCodeFormat, source as never)).split('\n');
    const prompt = 'Please print a lot [[tool:Bash {"command":"seq 1 60000","description":"Print many numbers"}]]';
    expect(listing).toEqual([
      `= ${persisted}`,
      'cwd /home/dev/code/proj-a',
      'branch feature/retry',
      'model claude-opus-5-5',
      'version 2.1.325',
      'created 2026-11-15T01:02:56.439Z',
      `01:02:56.570 user | ${prompt}`,
      '01:02:56.733 call Bash 4237/36/1541 | {"command":"seq 1 60000","description":"Print many numbers"}',
      `01:02:56.827 result Bash | ${numbers.replaceAll('\n', '\\n')}`,
      '01:02:56.893 assistant 5001/13/1541 | The tool call is done.',
    ]);
  });

  it('tells what it left out, and counts whole requests and queued prompts as repeats', async () => {
    const source = (await findSources(claudeCodeFormat, claudeFixtures)).find(({ id }) => id.startsWith('11111111'));
    const counts: Record<string, number> = {};
    for (const item of await readItems(claudeCodeFormat, source as never))
      if (item.type === 'skipped') counts[`${item.reason} ${item.what}`] = (counts[`${item.reason} ${item.what}`] ?? 0) + 1;
    expect(counts).toMatchObject({ 'repeat queue-operation': 4, 'harness custom-title': 2, 'harness agent-name': 2 });
    expect(Object.keys(counts).filter((name) => name.startsWith('unknown') || name.startsWith('broken'))).toEqual([]);
  });
});

describe('Codex', () => {
  it('reads a packed session as it reads the plain one', async () => {
    const [plain] = await findSources(codexFormat, join(fixtures, 'codex/made-by-hand/0.80.0/sessions'));
    const [packed] = await findSources(codexFormat, join(fixtures, 'codex/made-by-hand/packed'));
    expect(packed?.path).toMatch(/\.jsonl\.zst$/);
    expect(await readItems(codexFormat, packed as never)).toEqual(await readItems(codexFormat, plain as never));
  });
});
