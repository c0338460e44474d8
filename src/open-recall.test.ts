import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQuickFolder } from '../test/support/temporary-folder.ts';
import { openRecall } from './open-recall.ts';
import { openStore } from './open-store.ts';

describe('openRecall', () => {
  it('finds what the store holds', async () => {
    const home = createQuickFolder('open-recall');
    const store = await openStore({ home });
    onTestFinished(() => store.close());
    const { id } = await store.create({ title: '导航' });
    await store.append(id, { kind: 'message', role: 'user', text: '帮我设置导航到沙发' });
    const recall = await openRecall({ home, store });
    onTestFinished(() => recall.close());
    await recall.catchUp();
    expect((await recall.find({ text: '沙发导航' })).hits).toMatchObject([{ conversationId: id, text: '帮我设置导航到沙发' }]);
  });

  it('finds by meaning in another language with the model that comes with it, and by words alone without', async () => {
    const home = createQuickFolder('open-recall');
    const store = await openStore({ home });
    onTestFinished(() => store.close());
    const { id } = await store.create();
    await store.append(id, [
      { kind: 'message', role: 'user', text: '数据库连接总是超时，怎么办？' },
      { kind: 'message', role: 'assistant', text: 'The picnic is on Saturday, bring the blue blanket.' },
    ]);
    const texts = async (options: { embedder?: null }) => {
      await using recall = await openRecall({ home, store, ...options });
      await recall.catchUp();
      return (await recall.find({ text: 'the database connection keeps timing out', answers: false })).hits.map(
        ({ text }) => text,
      );
    };
    expect(await texts({})).toEqual(['数据库连接总是超时，怎么办？']);
    expect(await texts({ embedder: null })).toEqual([]);
  });

  it('wants the key of an encrypted store, and the right one', async () => {
    const home = createQuickFolder('open-recall');
    const key = { passphrase: 'correct horse' };
    const store = await openStore({ home, key });
    onTestFinished(() => store.close());
    await expect(openRecall({ home, store })).rejects.toMatchObject({ code: 'key-required' });
    await expect(openRecall({ home, store, key: { passphrase: 'wrong' } })).rejects.toMatchObject({ code: 'wrong-key' });
    const recall = await openRecall({ home, store, key });
    await recall.close();
  });

  it('refuses a folder without a store', async () => {
    const store = await openStore({ home: createQuickFolder('open-recall') });
    onTestFinished(() => store.close());
    const home = join(createQuickFolder('open-recall'), 'none');
    await expect(openRecall({ home, store })).rejects.toMatchObject({ code: 'store-not-found' });
  });
});
