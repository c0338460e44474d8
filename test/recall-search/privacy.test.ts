// Every road by which hidden text could come out of recall, tried with an index, with vectors, and without either.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecallQuery } from '../../src/model/ports/recall.ts';
import { createHashingEmbedder } from '../../src/testing/hashing-embedder.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { createBench, minute } from './workbench.ts';

const roads = ['words', 'words and meaning', 'no index'] as const;

/** A home whose index cannot be opened: a folder stands in its place. */
function createBlockedHome(): string {
  const home = createQuickFolder('recall-blocked');
  mkdirSync(join(home, 'index.db'));
  return home;
}

async function createRoad(road: (typeof roads)[number], privateProjects = ['git:secret']) {
  return createBench({
    privateProjects,
    ...(road === 'words and meaning' && { embedder: createHashingEmbedder() }),
    ...(road === 'no index' && { home: createBlockedHome() }),
  });
}

const queries: (Partial<RecallQuery> & { text: string })[] = [
  { text: 'salary' },
  { text: '工资' },
  { text: '' },
  { text: 'salary', explain: true, limit: 50 },
  { text: 'salary', hereProject: 'git:open' },
  { text: 'salary', project: 'git:secret' },
  { text: 'salary', projects: ['git:secret', 'git:open'] },
  { text: 'salary', agent: 'claude' },
  { text: 'salary', role: 'assistant' },
  { text: 'what is the salary of Ann?' },
];

describe.each(roads)('by %s', (road) => {
  const hiddenTalk = ['What is the salary of Ann?', 'The salary 工资 of Ann is 4321 ducats.'];

  it('a private project is seen from itself alone', async () => {
    const { say, engine } = await createRoad(road);
    const id = await say(hiddenTalk, { project: 'git:secret', agent: 'claude', title: 'Salary of Ann' });
    await say(['Lunch at noon?', 'Yes.'], { project: 'git:open' });
    await engine.catchUp();
    for (const query of queries) {
      const answer = await engine.find(query);
      expect(JSON.stringify(answer)).not.toMatch(/ducats|salary of Ann/i);
      expect(answer.emptyBecause).not.toBe(query.text === '' ? 'below-threshold' : 'filtered');
    }
    const inside = await engine.find({ text: 'salary', hereProject: 'git:secret' });
    expect(inside.groups?.map(({ conversationId }) => conversationId)).toEqual([id]);
    expect((await engine.find({ text: '', hereProject: 'git:secret' })).hits.map(({ text }) => text)).toContain(hiddenTalk[1]);
  });

  it.each([
    ['/work/secret', 'path:/work/secret'],
    ['path:/work/secret', '/work/secret'],
    ['/work/secret', '/work/secret'],
  ])(
    'a private project that is named %s and stored as %s is seen from itself alone, whichever it is called',
    async (named, stored) => {
      const { say, engine } = await createRoad(road, [named]);
      await say(hiddenTalk, { project: stored, agent: 'claude', title: 'Salary of Ann' });
      await say(['Lunch at noon?', 'Yes.'], { project: 'path:/work/open' });
      await engine.catchUp();
      for (const query of queries) {
        for (const project of [undefined, '/work/secret', 'path:/work/secret']) {
          const answer = await engine.find({ ...query, ...(project !== undefined && { project }) });
          expect(JSON.stringify(answer)).not.toMatch(/ducats|salary of Ann/i);
          expect(answer.searched.conversations).toBeLessThan(2);
        }
      }
      for (const here of ['/work/secret', 'path:/work/secret']) {
        const inside = await engine.find({ text: 'salary', hereProject: here, project: here, explain: true });
        expect(inside.hits.map(({ text }) => text)).toContain(hiddenTalk[1]);
        if (road !== 'no index') expect(inside.hits[0]?.why?.project).toBeGreaterThan(0);
      }
    },
  );

  it('the answer does not tell whether something hidden would have been found, nor how much there is', async () => {
    const ask = async (withSecret: boolean) => {
      const { say, engine } = await createRoad(road);
      if (withSecret) await say(hiddenTalk, { project: 'git:secret' });
      else await say(['How is the weather?', 'Sunny.'], { project: 'git:secret' });
      await say(['Lunch at noon?', 'Yes.'], { project: 'git:open' });
      await engine.catchUp();
      const answers = [];
      for (const query of queries.filter(({ text }) => text !== '')) answers.push(await engine.find(query));
      return answers;
    };
    expect(await ask(true)).toEqual(await ask(false));
  });

  it('excluded, trashed, purged and withheld conversations are not found', async () => {
    const { say, store, engine } = await createRoad(road);
    const excluded = await say(hiddenTalk, { agent: 'claude' });
    const trashed = await say(hiddenTalk, { agent: 'claude' });
    const purged = await say(hiddenTalk, { agent: 'claude' });
    await say(hiddenTalk, { agent: 'claude', policy: { kind: 'headers-only' } });
    await engine.catchUp();
    expect((await engine.find({ text: 'salary' })).groups).toHaveLength(3);
    // No word to the index: what it holds is not the last word.
    await store.mergeMeta(excluded, { recall: 'excluded' });
    await store.trash(trashed);
    await store.trash(purged);
    await store.purge(purged);
    for (const query of queries) expect((await engine.find(query)).hits).toEqual([]);
    await store.restore(trashed);
    await store.mergeMeta(excluded, { recall: null });
    await engine.catchUp();
    expect((await engine.find({ text: 'salary' })).groups?.map(({ conversationId }) => conversationId).sort()).toEqual(
      [excluded, trashed].sort(),
    );
  });

  it('text that has expired is not found, also before it is swept away', async () => {
    const { say, engine, time } = await createRoad(road);
    await say(hiddenTalk, { policy: { kind: 'ttl', milliseconds: 60 * minute, afterwards: 'headers-only' } });
    await engine.catchUp();
    expect((await engine.find({ text: 'salary' })).hits).not.toEqual([]);
    time.now += 2 * 60 * minute;
    for (const query of queries) expect((await engine.find(query)).hits).toEqual([]);
  });

  it('text that is withheld or has expired is not counted either', async () => {
    const { say, engine, time } = await createRoad(road);
    await say(['The walrus sleeps.']);
    await say(hiddenTalk, { title: 'Salaries', policy: { kind: 'headers-only' } });
    await say(hiddenTalk.slice(0, 2), { policy: { kind: 'ttl', milliseconds: 60 * minute, afterwards: 'headers-only' } });
    await engine.catchUp();
    const count = async () => (await engine.find({ text: 'walrus' })).searched;
    expect(await count()).toEqual({ conversations: 2, entries: 3, complete: true });
    time.now += 59 * minute + 1;
    expect(await count()).toEqual({ conversations: 2, entries: 2, complete: true });
    time.now += 2 * 60 * minute;
    expect(await count()).toEqual({ conversations: 1, entries: 1, complete: true });
    await engine.catchUp();
    expect(await count()).toEqual({ conversations: 1, entries: 1, complete: true });
  });

  it('what a conversation hides no fork brings back, and a trashed one is seen through its fork', async () => {
    const { say, store, engine } = await createRoad(road);
    const origin = await say(hiddenTalk);
    const fork = await store.fork(origin, { title: 'fork' });
    await say(['Lunch at noon?'], fork.id);
    await store.trash(origin);
    await engine.catchUp();
    expect((await engine.find({ text: 'salary' })).groups?.map(({ conversationId }) => conversationId)).toEqual([fork.id]);
    await store.restore(origin);
    await store.mergeMeta(origin, { recall: 'excluded' });
    expect((await engine.find({ text: 'salary' })).hits).toEqual([]);
    await engine.catchUp();
    expect((await engine.find({ text: 'salary' })).hits).toEqual([]);
  });
});

describe('private projects', () => {
  it('may change while recall is open', async () => {
    const hidden: string[] = [];
    const { say, texts } = await createBench({ privateProjects: async () => hidden });
    await say(['The walrus is ill.'], { project: 'git:a' });
    expect(await texts('walrus')).toEqual(['The walrus is ill.']);
    hidden.push('git:a');
    expect(await texts('walrus')).toEqual([]);
    expect(await texts('walrus', { hereProject: 'git:a' })).toEqual(['The walrus is ill.']);
  });
});

describe('the index', () => {
  it('keeps no byte of what was excluded or purged, vectors included', async () => {
    const { say, store, engine, home } = await createBench({ embedder: createHashingEmbedder() });
    const excluded = await say(['quetzalcoatlus one']);
    const purged = await say(['quetzalcoatlus two']);
    await say(['something else']);
    await engine.catchUp();
    expect(readFileSync(join(home, 'index.db')).includes('quetzalcoatlus') || walOf(home).includes('quetzalcoatlus')).toBe(true);
    await store.mergeMeta(excluded, { recall: 'excluded' });
    await store.trash(purged);
    await store.purge(purged);
    expect(await engine.catchUp()).toMatchObject({ complete: true, scrubbed: true });
    expect(readFileSync(join(home, 'index.db')).includes('quetzalcoatlus')).toBe(false);
    expect(walOf(home).includes('quetzalcoatlus')).toBe(false);
    expect(await engine.status()).toMatchObject({ vectors: { documents: 1, behind: 0 } });
  });
});

function walOf(home: string): Buffer {
  try {
    return readFileSync(join(home, 'index.db-wal'));
  } catch {
    return Buffer.alloc(0);
  }
}
