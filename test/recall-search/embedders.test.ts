// Which embedder is opened, when, and which one answers.
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/model/ports/embedder.ts';
import { createHashingEmbedder } from '../../src/testing/hashing-embedder.ts';
import { createBench } from './workbench.ts';

function source(embedder: Embedder = createHashingEmbedder()) {
  const opened = { times: 0 };
  const open = async () => {
    opened.times += 1;
    return embedder;
  };
  return { opened, open };
}

describe('an embedder that has to be opened', () => {
  it('is left alone while nothing needs a vector', async () => {
    const { opened, open } = source();
    const { say, find } = await createBench({ embedder: open });
    await say(['The walrus is a mascot.']);
    expect((await find('walrus')).hits).toHaveLength(1);
    expect((await find('')).hits).toHaveLength(1);
    expect(opened.times).toBe(0);
  });

  it('is opened once, when vectors are made and asked for', async () => {
    const { opened, open } = source();
    const { say, find, engine } = await createBench({ embedder: open });
    await say(['The walrus is a mascot.']);
    expect(await engine.catchUp({ vectors: false })).toMatchObject({ documents: 1 });
    expect(opened.times).toBe(0);
    await Promise.all([engine.catchUp(), engine.catchUp()]);
    expect((await find('walrus', { explain: true })).hits[0]?.why?.semantic).toBeGreaterThan(0);
    expect((await engine.status()).vectors).toEqual({ model: 'hashing-256@1', documents: 1, behind: 0 });
    expect(opened.times).toBe(1);
  });

  it('that cannot be opened leaves words, is told of, and is tried again', async () => {
    let isDown = false;
    const embedder = async () => {
      if (isDown) throw new Error('down');
      return createHashingEmbedder();
    };
    const { say, open, problems, engine } = await createBench({ embedder });
    await say(['The walrus is a mascot.']);
    await engine.catchUp();
    await engine.close();
    isDown = true;
    const again = await open({ embedder });
    expect((await again.find({ text: 'walrus', explain: true })).hits.map(({ why }) => why?.semantic)).toEqual([undefined]);
    expect(problems).toEqual([{ what: 'embedding-failed', error: new Error('down') }]);
    isDown = false;
    expect((await again.find({ text: 'walrus', explain: true })).hits[0]?.why?.semantic).toBeGreaterThan(0);
    await again.close();
  });

  it('that is quick sees to missing vectors within a search', async () => {
    const { say, find, engine } = await createBench({ embedder: createHashingEmbedder(), embedsInSearch: true, patience: 5000 });
    await say(['The walrus is a mascot.']);
    expect((await find('walrus', { explain: true })).hits[0]?.why?.semantic).toBeGreaterThan(0);
    await say(['A penguin is, too.']);
    await find('penguin');
    expect((await engine.status()).vectors).toEqual({ model: 'hashing-256@1', documents: 2, behind: 0 });
  });
});

describe('another embedder', () => {
  it('leaves the answers to the one before until everything is embedded anew', async () => {
    const former = createHashingEmbedder({ name: 'former' });
    const { say, open, engine } = await createBench({ embedder: former });
    await say(['The walrus is a mascot.', 'A penguin is, too.']);
    await engine.catchUp();
    await engine.close();
    const asked: string[] = [];
    const listen = (embedder: Embedder): Embedder => ({
      ...embedder,
      embed: (texts, options) => {
        if (options?.kind === 'query' && texts.length === 1) asked.push(embedder.id);
        return embedder.embed(texts, options);
      },
    });
    const next = createHashingEmbedder({ name: 'next' });
    const changing = await open({ embedder: async () => listen(next), formerEmbedder: async () => listen(former) });
    expect((await changing.find({ text: 'walrus', explain: true })).hits[0]?.why?.semantic).toBeGreaterThan(0);
    await changing.catchUp();
    expect((await changing.find({ text: 'penguin', explain: true })).hits[0]?.why?.semantic).toBeGreaterThan(0);
    expect(asked).toEqual([former.id, next.id]);
    await changing.close();
  });
});
