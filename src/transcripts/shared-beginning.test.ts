// What an import knows of the beginnings that others store at the same time.
import { afterEach, describe, expect, it } from 'vitest';
import { ConversationStore } from '../store/conversation-store.ts';
import { MemoryDriver } from '../store/drivers/memory/memory-driver.ts';
import { formatImportState } from './import-state.ts';
import { Beginnings } from './shared-beginning.ts';

const agent = 'claude-code';
let store: ConversationStore;
afterEach(() => store.close());

async function setUp(patience = 30_000) {
  store = await ConversationStore.open({ driver: new MemoryDriver() });
  return new Beginnings(store, agent, { patience });
}

/** As an import makes it that has read a session of so many entries and has stored none of them yet. */
function make(first: string, seq: number, isRead = true) {
  const state = { agent, id: first, path: '/sessions/one', seq, first, ...(isRead && { size: 10, modifiedAt: 1 }) };
  return store.create({ agent, key: `import:${agent}:${first}`, meta: formatImportState(state) });
}

const said = { kind: 'message', role: 'user', text: 'Hello.' } as const;

describe('the beginnings of an import', () => {
  it('hold what another import stores after they were looked at', async () => {
    const beginnings = await setUp();
    expect(await beginnings.find('a')).toBeUndefined();
    const { id } = await make('a', 0);
    await expect.poll(async () => (await beginnings.find('a'))?.id).toBe(id);
  });

  it('wait for a session that another import is just storing', async () => {
    const beginnings = await setUp();
    const { id } = await make('a', 3);
    const found = beginnings.find('a');
    for (let count = 0; count < 3; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      await store.append(id, said);
    }
    expect(await found).toMatchObject({ id, lastSeq: 3 });
  });

  it('wait for one whose import died only until that is seen, and once', async () => {
    const beginnings = await setUp(50);
    const { id } = await make('a', 0, false);
    await store.append(id, said);
    expect(await beginnings.find('a')).toMatchObject({ id, lastSeq: 1 });
    await store.append(id, said);
    // Known from now on: not looked at again.
    expect(await beginnings.find('a')).toMatchObject({ id, lastSeq: 1 });
  });

  it('prefer the conversation that holds the entries to its forks', async () => {
    const beginnings = await setUp();
    const origin = await make('a', 1);
    await store.append(origin.id, said);
    const fork = await store.fork(origin.id, { meta: (await store.get(origin.id)).meta });
    beginnings.add('a', fork);
    beginnings.add('a', origin);
    expect(await beginnings.find('a')).toMatchObject({ id: origin.id });
  });
});
