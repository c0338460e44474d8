// No file is taken for two agents': every detector looks at every fixture, and at files that are nobody's.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transcriptFormats } from '../../src/transcripts/formats.ts';
import { readHead } from '../../src/transcripts/session-folder.ts';
import { fixtures } from './workbench.ts';

const agents: Readonly<Record<string, string>> = { claude: 'claude-code' };

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const detectorsOf = async (path: string, head?: Buffer) => {
  const given = head ?? (await readHead(path));
  return transcriptFormats.filter((format) => format.detect({ path, head: given })).map(({ name }) => name);
};

describe.each(readdirSync(fixtures, { withFileTypes: true }).filter((entry) => entry.isDirectory()))('$name', ({ name }) => {
  it('is known by its own format only', async () => {
    const own = agents[name] ?? name;
    const counts: Record<string, number> = {};
    for (const path of filesBelow(join(fixtures, name))) {
      const found = await detectorsOf(path);
      expect({ path, others: found.filter((each) => each !== own) }).toEqual({ path, others: [] });
      for (const each of found) counts[each] = (counts[each] ?? 0) + 1;
    }
    expect(counts[own]).toBeGreaterThan(0);
  });

  it('is known whatever its file is called', async () => {
    for (const path of filesBelow(join(fixtures, name))) {
      const renamed = `/somewhere/else/renamed${basename(path).replace(/^[^.]*/, '')}`;
      const found = await detectorsOf(renamed, await readHead(path));
      expect({ path, others: found.filter((each) => each !== (agents[name] ?? name)) }).toEqual({ path, others: [] });
    }
  });
});

it.each([
  ['package.json', '{"name":"x","version":"1.0.0","dependencies":{}}'],
  ['empty.json', ''],
  ['list.json', '[]'],
  ['numbers.json', '[1,2,3]'],
  ['nothing.json', '{}'],
  ['roles.json', '[{"role":"admin","name":"ann"}]'],
  ['zeros.json', '\u0000\u0000\u0000\u0000'],
  ['users.json', '[{"uuid":"c1a00000","full_name":"Ann","email_address":"ann@example.org"}]'],
  ['messages.json', '{"messages":[]}'],
  ['log.jsonl', '{"type":"message","text":"hello"}\n'],
  ['words.zip', 'PK\u0003\u0004 notes.txt'],
])('%s is nobody’s', async (name, text) => {
  expect(await detectorsOf(`/x/${name}`, Buffer.from(text, 'latin1'))).toEqual([]);
});
