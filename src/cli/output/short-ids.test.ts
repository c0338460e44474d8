import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Conversation } from '../../model/conversation.ts';
import { type ConversationId, createConversationId } from '../../model/id.ts';
import { ConversationStore } from '../../store/conversation-store.ts';
import { MemoryDriver } from '../../store/drivers/memory/memory-driver.ts';
import { shortenIds } from './short-ids.ts';

let driver: MemoryDriver;
let store: ConversationStore;
beforeEach(async () => {
  driver = new MemoryDriver();
  store = await ConversationStore.open({ driver });
});
afterEach(() => store.close());

async function insert(id: ConversationId): Promise<ConversationId> {
  const at = Date.UTC(2026, 7, 1);
  const conversation: Conversation = {
    id,
    tags: [],
    pinned: false,
    policy: { kind: 'full' },
    meta: {},
    createdAt: at,
    activeAt: at,
    lastSeq: 0,
  };
  await driver.insertConversation(conversation);
  return id;
}

async function expectUnique(ids: ConversationId[]): Promise<string[]> {
  const short = await shortenIds(store, ids);
  for (const id of ids) expect((await store.resolve(short.get(id) as string)).id).toBe(id);
  return [...short.values()];
}

describe('short ids', () => {
  it('have at least eight characters, and more where a neighbour shares them', async () => {
    const ids = [
      'cnv_01k3x9abcdefghjkmnpqrstvwx',
      'cnv_01k3x9abcdzzzzzzzzzzzzzzzz',
      'cnv_01k40000000000000000000000',
    ] as ConversationId[];
    for (const id of ids) await insert(id);
    expect(await expectUnique(ids)).toEqual(['cnv_01k3x9abcde', 'cnv_01k3x9abcdz', 'cnv_01k40000']);
  });

  it('look beyond the page: a neighbour that is not shown counts too', async () => {
    await insert('cnv_01k3x9abcdefghjkmnpqrstvwx' as ConversationId);
    const shown = await insert('cnv_01k3x9abcdefghjkmnpqrstvwy' as ConversationId);
    expect(await expectUnique([shown])).toEqual([shown]);
  });

  it('stay unique among thousands, made in bursts and over days', async () => {
    const ids: ConversationId[] = [];
    for (let burst = 0; burst < 12; burst++) {
      for (let i = 0; i < 150; i++) ids.push(await insert(createConversationId(Date.UTC(2026, 7, 1) + burst * 3_600_000 + i)));
    }
    await expectUnique(ids.filter((_, i) => i % 36 === 0));
  });

  it('ask nothing about nothing', async () => {
    expect(await shortenIds(store, [])).toEqual(new Map());
  });
});
