import { expect, it, onTestFinished } from 'vitest';
import { ConversationStore } from '../store/conversation-store.ts';
import { MemoryDriver } from '../store/drivers/memory/memory-driver.ts';
import { listNewest, listUnseenProjects, listWhole, listWithPrivate, takeOfEach } from './newest-conversations.ts';

/** Of three projects, the private one is the oldest, and one is called by a name somebody chose. */
async function openHouse() {
  const store = await ConversationStore.open({ driver: new MemoryDriver() });
  onTestFinished(() => store.close());
  const create = async (count: number, project: string, from: number) => {
    for (let i = 0; i < count; i++) await store.create({ project, title: `${project} ${i}`, createdAt: from + i });
  };
  await create(7, 'path:/private', 0);
  await create(4, 'a name', 500);
  await create(1200, 'path:/work', 1000);
  const titles = (found: readonly { title?: string }[]) => found.map(({ title }) => title).sort();
  return { store, titles };
}

it('the newest are looked at, page by page, until there are enough', async () => {
  const { store } = await openHouse();
  expect(await listNewest(store, 1000)).toMatchObject({ conversations: { length: 1000 }, isAll: false });
  expect(await listNewest(store, 2000)).toMatchObject({ conversations: { length: 1211 }, isAll: true });
});

it('a project that none of them is of is known by its newest', async () => {
  const { store, titles } = await openHouse();
  const { conversations } = await listNewest(store, 1000);
  const unseen = await listUnseenProjects(store, conversations);
  expect(titles(unseen)).toEqual(['path:/private 4', 'path:/private 5', 'path:/private 6']);
  expect(titles(takeOfEach(conversations))).toEqual(['path:/work 1197', 'path:/work 1198', 'path:/work 1199']);
});

it('a private project is looked at as a whole, each conversation once', async () => {
  const { store, titles } = await openHouse();
  const all = Array.from({ length: 7 }, (_, i) => `path:/private ${i}`);
  expect(titles(await listWhole(store, ['path:/private', 'path:/private', 'path:/none'], []))).toEqual(all);
  const found = await listWithPrivate(store, ['path:/private', 'path:/work'], 1000);
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  expect(titles(found.filter(({ project }) => project === 'path:/private'))).toEqual(all);
  expect(found.filter(({ project }) => project === 'path:/work')).toHaveLength(1200);
});
