// Listing: a page of the newest conversations must cost the same however many there are.
import { join } from 'node:path';
import { createConversationId } from '../src/model/id.ts';
import { openStore } from '../src/open-store.ts';
import { SqliteDriver } from '../src/store/drivers/sqlite/sqlite-driver.ts';
import { makeText, withFolder } from './material.ts';
import { compare } from './measure.ts';
import { type Figure, time } from './report.ts';

export async function benchList(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const homes = { small: 1000, large: 100_000 };
    const stores = await Promise.all(
      Object.entries(homes).map(async ([name, count]) => {
        const home = join(folder, name);
        await (await openStore({ home })).close();
        await createMany(join(home, 'store'), count);
        return openStore({ home });
      }),
    );
    const [small, large] = stores as [(typeof stores)[0], (typeof stores)[0]];
    const page = (store: typeof small) => async (count: number) => {
      for (let i = 0; i < count; i++) await store.list({ limit: 50 });
    };
    const lists = await compare({ small: page(small), large: page(large) }, { rounds: 30, warmup: 20, count: 20 });
    await small.close();
    await large.close();
    return [
      {
        name: 'list of 50 from 100,000 conversations, times from 1,000',
        value: lists.large / lists.small,
        bound: { kind: 'at most', value: 2 },
        detail: `${time(lists.large)} against ${time(lists.small)}`,
      },
    ];
  });
}

async function createMany(folder: string, count: number): Promise<void> {
  const driver = new SqliteDriver({ folder });
  await driver.open();
  for (let i = 0; i < count; i++) {
    const at = 1_700_000_000_000 + i * 1000;
    await driver.insertConversation({
      id: createConversationId(at),
      title: makeText(i, 40),
      project: `project-${i % 50}`,
      agent: i % 2 ? 'codex' : 'claude-code',
      tags: [],
      pinned: false,
      policy: { kind: 'full' },
      meta: {},
      createdAt: at,
      activeAt: at,
      lastSeq: 0,
    });
  }
  await driver.close();
}
