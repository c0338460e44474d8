// A conversation written as messages of OpenAI is a request that can be sent, and is read again as it was.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openAiFormat } from '../../src/transcripts/openai/openai-format.ts';
import type { OutgoingEntry, TranscriptSource } from '../../src/transcripts/transcript-format.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { collect, entriesOf, headerOf, listEntry } from './listing.ts';
import { fixtures } from './workbench.ts';

const at = Date.UTC(2026, 1, 2, 3, 4, 5);
const session = { title: 'A talk', cwd: '/home/dev/code/proj-d', branch: 'main', model: 'gpt-5.1', createdAt: at };

async function readBack(root: string) {
  const [source] = await collect(openAiFormat.discover(root));
  return { source: source as TranscriptSource, items: await collect(openAiFormat.read(source as TranscriptSource)) };
}

it('what was written is a request that can be sent, and is read as it was', async () => {
  const root = createQuickFolder('openai');
  const entries: OutgoingEntry[] = [
    { kind: 'message', role: 'system', text: 'Be kind.', at },
    { kind: 'message', role: 'user', text: 'Hi\n中文', author: { name: 'ann' }, at },
    { kind: 'thinking', text: 'They greet.', at },
    { kind: 'message', role: 'assistant', text: 'I look.', model: 'gpt-5.1', at },
    { kind: 'tool-call', callId: 'c1', tool: 'read', input: { path: 'a' }, at },
    { kind: 'tool-call', callId: 'c2', tool: 'list', input: {}, at },
    { kind: 'tool-result', callId: 'c1', tool: 'read', text: 'text', at },
    { kind: 'tool-result', callId: 'c2', tool: 'list', text: '', at },
    { kind: 'tool-call', callId: 'c3', tool: 'read', input: { path: 'b' }, at },
    { kind: 'tool-result', callId: 'c3', tool: 'read', text: 'no such file', at },
    { kind: 'label', name: 'note', text: 'mine', at },
    { kind: 'message', role: 'assistant', text: 'Done.', model: 'gpt-5.1', at },
  ];
  const written = await openAiFormat.write?.({ ...session, entries }, { root, id: 'talk-1' });
  expect(written).toEqual({ id: 'talk-1', files: [join(root, 'talk-1.json')], entries: 10, lost: { thinking: 1, label: 1 } });
  const body = JSON.parse(readFileSync(join(root, 'talk-1.json'), 'utf8'));
  expect({ ...body, messages: body.messages.length }).toEqual({
    model: 'gpt-5.1',
    metadata: {
      session_id: 'talk-1',
      title: 'A talk',
      cwd: '/home/dev/code/proj-d',
      branch: 'main',
      created_at: '2026-02-02T03:04:05.000Z',
    },
    messages: 8,
  });
  expect(statSync(join(root, 'talk-1.json')).mode & 0o777).toBe(0o600);
  const { source, items } = await readBack(root);
  expect({ id: source.id, ...headerOf(items) }).toEqual({ id: 'talk-1', ...session });
  const kept = entries.filter(({ kind }) => kind !== 'thinking' && kind !== 'label').map(({ at: _at, ...entry }) => entry);
  expect(entriesOf(items).map(({ entry }) => entry)).toEqual(kept);
});

it('reading, writing and reading again says the same', async () => {
  for (const name of ['weather.json', 'request.json']) {
    const { items } = await readBack(join(fixtures, 'openai/made-by-hand', name));
    const entries = entriesOf(items).map(({ entry }) => ({ at, ...entry }) as OutgoingEntry);
    const root = createQuickFolder('openai');
    await openAiFormat.write?.({ ...session, entries }, { root });
    const again = entriesOf((await readBack(root)).items).map(({ entry }) => listEntry(entry));
    const kept = entries
      .filter(({ kind }) => kind !== 'thinking')
      .map(({ at: _at, ...entry }) => listEntry(entry as OutgoingEntry));
    expect(again).toEqual(kept);
  }
});

it('never writes over another file, and leaves none behind where writing fails', async () => {
  const root = createQuickFolder('openai');
  await openAiFormat.write?.({ ...session, entries: [] }, { root, id: 'one' });
  const before = readFileSync(join(root, 'one.json'), 'utf8');
  await expect(openAiFormat.write?.({ ...session, entries: [] }, { root, id: 'one' })).rejects.toMatchObject({
    code: 'file-exists',
  });
  expect(readFileSync(join(root, 'one.json'), 'utf8')).toBe(before);
});
