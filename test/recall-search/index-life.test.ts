// The index comes and goes; recall stays.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createHashingEmbedder } from '../../src/testing/hashing-embedder.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { createBench } from './workbench.ts';

describe('a search', () => {
  it('finds what was said a moment ago, without anything running in the background', async () => {
    const { say, texts } = await createBench();
    const id = await say(['The walrus is a mascot.']);
    expect(await texts('walrus')).toEqual(['The walrus is a mascot.']);
    await say(['The walrus sleeps.'], id);
    expect(await texts('who sleeps')).toEqual(['The walrus sleeps.']);
  });

  it('answers with what there is where the index is far behind, and says so', async () => {
    const { say, open, store } = await createBench();
    for (let i = 0; i < 40; i++) await say(Array.from({ length: 50 }, (_, n) => `walrus ${i} ${n}`));
    const hasty = await open({ patience: 0 });
    const first = await hasty.find({ text: 'penguin' });
    expect(first).toMatchObject({ hits: [], emptyBecause: 'index-behind', searched: { complete: false } });
    await hasty.catchUp();
    expect(await hasty.find({ text: 'penguin' })).toMatchObject({
      emptyBecause: 'below-threshold',
      searched: { complete: true },
    });
    const { id } = await store.create();
    await store.append(id, { kind: 'message', role: 'user', text: 'The penguin is new.' });
    const start = performance.now();
    expect(await hasty.find({ text: 'penguin' })).toMatchObject({ emptyBecause: 'index-behind' });
    expect(performance.now() - start).toBeLessThan(2000);
    await hasty.close();
  });

  it('finds again what it found, after index.db was deleted while it was open', async () => {
    const { say, texts, home, engine } = await createBench();
    await say(['The walrus is a mascot.']);
    await engine.catchUp();
    for (const name of ['index.db', 'index.db-wal', 'index.db-shm']) rmSync(join(home, name), { force: true });
    expect(await texts('walrus')).toEqual(['The walrus is a mascot.']);
    expect(existsSync(join(home, 'index.db'))).toBe(true);
  });

  it('makes a damaged index anew, and says so', async () => {
    const { say, home, engine, open, problems } = await createBench();
    await say(['The walrus is a mascot.']);
    await engine.catchUp();
    await engine.close();
    truncateSync(join(home, 'index.db'), 0);
    writeFileSync(join(home, 'index.db'), 'no database at all, and long enough to be looked at as one by anybody who opens it');
    const again = await open();
    expect((await again.find({ text: 'walrus' })).hits).toHaveLength(1);
    expect(problems).toEqual([{ what: 'index-replaced', why: 'damaged' }]);
    await again.close();
  });

  it('goes through the log where the index cannot be opened, and says so', async () => {
    const home = createQuickFolder('recall-blocked');
    mkdirSync(join(home, 'index.db'));
    const { say, find, engine, problems } = await createBench({ home });
    const id = await say(['The walrus is a mascot.']);
    expect(problems).toMatchObject([{ what: 'index-unavailable', error: { code: expect.any(String) } }]);
    const answer = await find('walrus');
    expect(answer.hits.map(({ text }) => text)).toEqual(['The walrus is a mascot.']);
    expect(answer.groups?.map(({ conversationId }) => conversationId)).toEqual([id]);
    expect((await find('penguin')).emptyBecause).toBe('below-threshold');
    expect(await engine.status()).toEqual({});
    expect(await engine.catchUp()).toBeUndefined();
    expect(await engine.rebuild()).toBeUndefined();
    engine.start();
  });
});

describe('the engine', () => {
  it('indexes and embeds in the background once it is started', async () => {
    const { say, engine, find } = await createBench({ embedder: createHashingEmbedder() });
    engine.start();
    engine.start();
    await say(['The walrus is a mascot.', 'A penguin is, too.']);
    const isDone = async () => {
      const { index, vectors } = await engine.status();
      return index?.behind.entries === 0 && vectors?.documents === 2;
    };
    await expect.poll(isDone).toBe(true);
    expect(await engine.status()).toMatchObject({
      index: { documents: 2, conversations: 1, behind: { entries: 0, conversations: 0 } },
      vectors: { model: 'hashing-256@1', documents: 2, behind: 0 },
    });
    expect((await find('walrus', { explain: true })).hits[0]?.why?.semantic).toBeGreaterThan(0);
  });

  it.each([true, false])(
    'fills in the background the index that took the place of one deleted under it (asked: %s)',
    async (isAsked) => {
      const { say, engine, home } = await createBench({ patience: 0 });
      for (let i = 0; i < 20; i++) await say(Array.from({ length: 50 }, (_, n) => `walrus ${i} ${n}`));
      engine.start();
      const path = join(home, 'index.db');
      const isFull = async () => existsSync(path) && (await engine.status()).index?.documents === 1000;
      await expect.poll(isFull, { timeout: 30_000 }).toBe(true);
      for (const name of ['index.db', 'index.db-wal', 'index.db-shm']) rmSync(join(home, name), { force: true });
      if (isAsked) await engine.find({ text: 'walrus' });
      await expect.poll(isFull, { timeout: 30_000 }).toBe(true);
      expect((await engine.find({ text: 'walrus' })).hits).toHaveLength(10);
    },
  );

  it('brings back no index of a store that was deleted with it', async () => {
    const { say, engine, home } = await createBench();
    await say(['The walrus is a mascot.']);
    engine.start();
    await engine.catchUp();
    rmSync(home, { recursive: true });
    mkdirSync(home);
    await sleep(700);
    expect(existsSync(join(home, 'index.db'))).toBe(false);
  });

  it('tells how far it is, and can be told to stop', async () => {
    const { say, engine } = await createBench({ embedder: createHashingEmbedder() });
    await say(Array.from({ length: 30 }, (_, i) => `walrus ${i}`));
    const told: [number, number][] = [];
    const embedded: number[] = [];
    expect(
      await engine.catchUp({
        onProgress: (done, total) => told.push([done, total]),
        onEmbedding: (progress) => embedded.push(progress.embedded),
      }),
    ).toEqual({ entries: 30, documents: 30, complete: true, scrubbed: true });
    expect(told[0]).toEqual([0, 30]);
    expect(told.at(-1)).toEqual([30, 30]);
    expect(embedded.at(-1)).toBe(30);
    await expect(engine.catchUp({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('makes the index anew on demand, vectors included, while it runs', async () => {
    const { say, engine, texts } = await createBench({ embedder: createHashingEmbedder() });
    engine.start();
    await say(['The walrus is a mascot.', 'A penguin is, too.']);
    await engine.catchUp();
    expect(await engine.rebuild()).toMatchObject({ complete: true, documents: 2 });
    expect(await engine.status()).toMatchObject({ index: { documents: 2 }, vectors: { documents: 2, behind: 0 } });
    expect(await texts('walrus')).toEqual(['The walrus is a mascot.']);
  });

  it('answers no more once it is closed, and leaves the store open', async () => {
    const { say, engine, store } = await createBench();
    const id = await say(['The walrus.']);
    await engine.close();
    await engine.close();
    await expect(engine.find({ text: 'walrus' })).rejects.toMatchObject({ code: 'store-closed' });
    expect(() => engine.start()).toThrow(expect.objectContaining({ code: 'store-closed' }));
    expect(await store.tail(id, 1)).toHaveLength(1);
  });

  it('takes another embedder, while the old vectors are replaced', async () => {
    const { say, engine, open } = await createBench({ embedder: createHashingEmbedder() });
    await say(['The walrus is a mascot.']);
    await engine.catchUp();
    await engine.close();
    const other = await open({ embedder: createHashingEmbedder({ dimension: 128 }) });
    expect((await other.find({ text: 'walrus' })).hits).toHaveLength(1);
    await other.catchUp();
    expect(await other.status()).toMatchObject({ vectors: { model: 'hashing-128@1', documents: 1, behind: 0 } });
    expect((await other.find({ text: 'walrus', explain: true })).hits[0]?.why?.semantic).toBeGreaterThan(0);
    await other.close();
  });
});

describe.each(['sqlite', 'jsonl'] as const)('an encrypted %s store', (driver) => {
  it('has an encrypted index, private to its owner', async () => {
    const { say, texts, home, engine } = await createBench({ driver, key: { passphrase: 'correct horse' } });
    await say(['The quetzalcoatlus is a mascot.', '羽蛇神是吉祥物。'], { title: 'quetzalcoatlus' });
    await engine.catchUp();
    expect(await texts('quetzalcoatlus')).toEqual(['The quetzalcoatlus is a mascot.']);
    expect(await texts('羽蛇神')).toEqual(['羽蛇神是吉祥物。']);
    const bytes = Buffer.concat(
      ['index.db', 'index.db-wal'].filter((name) => existsSync(join(home, name))).map((name) => readFileSync(join(home, name))),
    );
    expect(bytes.includes('quetzalcoatlus')).toBe(false);
    expect(bytes.includes('SQLite format 3')).toBe(false);
    expect(bytes.length).toBeGreaterThan(4096);
    expect(statSync(join(home, 'index.db')).mode & 0o777).toBe(0o600);
  });
});

describe('embedding', () => {
  it('of two who want it at the same time is done once, and both are told', async () => {
    const asked: string[] = [];
    const hashing = createHashingEmbedder();
    const embedder = {
      ...hashing,
      embed: async (texts: readonly string[], options?: { kind?: 'query' | 'passage' }) => {
        asked.push(...texts);
        await sleep(5);
        return hashing.embed(texts, options);
      },
    };
    const { say, engine } = await createBench({ embedder });
    await say(Array.from({ length: 20 }, (_, i) => `walrus ${i}`));
    engine.start();
    const told: number[][] = [[], []];
    await Promise.all(told.map((each) => engine.catchUp({ onEmbedding: ({ watermark }) => each.push(watermark) })));
    expect(await engine.status()).toMatchObject({ vectors: { documents: 20, behind: 0 } });
    const passages = asked.filter((text) => text.startsWith('walrus'));
    expect(passages.length).toBe(new Set(passages).size);
  });

  it('that fails is told, and tried again when it is asked for', async () => {
    let isDown = true;
    const hashing = createHashingEmbedder();
    const embedder = {
      ...hashing,
      embed: async (texts: readonly string[]) => {
        if (isDown) throw new Error('no luck');
        return hashing.embed(texts);
      },
    };
    const { say, engine } = await createBench({ embedder });
    await say(['The walrus.']);
    await expect(engine.catchUp()).rejects.toThrow('no luck');
    isDown = false;
    await engine.catchUp();
    expect(await engine.status()).toMatchObject({ vectors: { documents: 1, behind: 0 } });
  });
});
