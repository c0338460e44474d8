import { expect, it, onTestFinished } from 'vitest';
import { Visibility } from '../recall/visibility.ts';
import { ConversationStore } from '../store/conversation-store.ts';
import { MemoryDriver } from '../store/drivers/memory/memory-driver.ts';
import { OwnSession } from './own-session.ts';
import { findFields } from './seen-projects.ts';
import type { Call } from './server-tool.ts';

/** More conversations than are looked at for a name, with three old projects behind them. */
async function openCall(): Promise<Call> {
  const store = await ConversationStore.open({ driver: new MemoryDriver(), redactor: false });
  onTestFinished(() => store.close());
  const say = async (project: string, at: number) => {
    const { id } = await store.create({ project, createdAt: at });
    await store.append(id, { kind: 'message', role: 'user', text: 'A word.', at });
  };
  for (const project of ['path:/long/ago', 'a name', 'path:/private']) await say(project, 1);
  for (let i = 0; i <= 5000; i++) await say('path:/work', 1000 + i);
  const hidden = ['path:/private'];
  const visibility = new Visibility({ store, now: 10_000, privateProjects: hidden });
  const listOf: Call['outlook']['listOf'] = ([project], query) => store.list({ ...query, ...(project && { project }) });
  const here = { key: 'path:/here', fields: ['path:/here'], name: 'here' };
  const outlook = { store, here, hidden, listOf } as unknown as Call['outlook'];
  return { outlook, visibility, own: await OwnSession.find(store, []), signal: new AbortController().signal };
}

it('a project is found by its key or its name however old it is, and a hidden one is none', { timeout: 60_000 }, async () => {
  const call = await openCall();
  expect(await findFields(call, 'here')).toEqual(['path:/here']);
  expect(await findFields(call, 'work')).toEqual(['path:/work']);
  expect(await findFields(call, 'path:/long/ago')).toEqual(['path:/long/ago', '/long/ago']);
  expect(await findFields(call, 'a name')).toEqual(['a name']);
  for (const named of ['path:/private', '/private', 'private', 'path:/never'])
    await expect(findFields(call, named)).rejects.toThrow('No project');
});
