// What a conversation is called is found, too: where nothing said in it holds the words, and never where the conversation is hidden.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecallHit } from '../../src/model/ports/recall.ts';
import { createBench } from './workbench.ts';

const found = ({ hits }: { hits: RecallHit[] }) => hits.map(({ kind, text, conversationId }) => [kind, text, conversationId]);

describe('a title', () => {
  it('is found where nothing that was said holds the words, with the place to begin reading', async () => {
    const { say, find, store } = await createBench();
    const id = await say(['Which port does it use?', 'Port 8080.'], { title: 'Sofa navigation 导航到沙发' });
    const [first] = await store.tail(id, 10);
    for (const words of ['sofa navigation', '导航到沙发']) {
      const { hits, groups } = await find(words, { explain: true });
      expect(hits).toMatchObject([{ kind: 'title', text: 'Sofa navigation 导航到沙发', entryId: first?.id, conversationId: id }]);
      const why = hits[0]?.why;
      expect(why?.role).toBeCloseTo(-0.2 * (why?.lexical ?? 0), 5);
      expect(groups).toMatchObject([{ conversationId: id, title: 'Sofa navigation 导航到沙发' }]);
    }
  });

  it('gives way to what was said', async () => {
    const { say, find } = await createBench();
    const id = await say(['The sofa is in the corner.'], { title: 'Sofa' });
    expect(found(await find('sofa'))).toEqual([['message', 'The sofa is in the corner.', id]]);
  });

  it('is found by its new name after a rename, and by the old one no more', async () => {
    const { say, find, store, engine } = await createBench();
    const id = await say(['Which port does it use?'], { title: 'Walrus' });
    expect(found(await find('walrus'))).toEqual([['title', 'Walrus', id]]);
    await store.rename(id, 'Penguin');
    expect(found(await find('penguin'))).toEqual([['title', 'Penguin', id]]);
    expect(found(await find('walrus'))).toEqual([]);
    await store.rename(id, '');
    await engine.catchUp();
    expect(found(await find('penguin'))).toEqual([]);
  });

  it('obeys filters, and is no word of the user', async () => {
    const { say, find } = await createBench();
    const id = await say(['Which port does it use?'], { title: 'Walrus', project: 'git:a', tags: ['zoo'] });
    expect(found(await find('walrus', { project: 'git:a', tag: 'zoo', role: 'title' }))).toEqual([['title', 'Walrus', id]]);
    for (const query of [{ project: 'git:b' }, { tag: 'sea' }, { role: 'user' }, { except: id }] as const)
      expect(found(await find('walrus', query))).toEqual([]);
  });

  it.each([
    ['of a private project', { project: 'git:private' }],
    ['of a conversation that is excluded', { meta: { recall: 'excluded' } }],
    ['of one that keeps headers only', { policy: { kind: 'headers-only' } }],
    ['of one whose text expires', { policy: { kind: 'ttl', milliseconds: 1e12, afterwards: 'delete' } }],
  ] as const)('is not found: %s', async (_what, given) => {
    const { say, find } = await createBench({ privateProjects: ['git:private'] });
    await say(['Which port does it use?'], { title: 'Walrus', ...given });
    expect(found(await find('walrus'))).toEqual([]);
  });

  it('leaves no byte after an exclusion or a purge, also not of the names before', async () => {
    const { say, find, store, engine, home } = await createBench();
    const kept = await say(['Which port does it use?'], { title: 'Ordinary' });
    const purged = await say(['Which host does it use?'], { title: 'zqxwalrusone' });
    const excluded = await say(['Which name does it use?'], { title: 'zqxwalrustwo' });
    await find('zqxwalrusone');
    await store.rename(purged, 'zqxwalrusthree');
    await engine.catchUp();
    expect(marks(home)).toEqual(expect.arrayContaining(['two', 'three']));
    await store.trash(purged);
    await store.purge(purged);
    await store.mergeMeta(excluded, { recall: 'excluded' });
    expect(await engine.catchUp()).toMatchObject({ complete: true, scrubbed: true });
    expect(marks(home)).toEqual([]);
    expect(found(await find('ordinary'))).toEqual([['title', 'Ordinary', kept]]);
  });
});

/** Which of the marked words are in a file of the index. */
function marks(home: string): string[] {
  const files = readdirSync(home).filter((name) => name.startsWith('index.db'));
  const bytes = files.map((name) => readFileSync(join(home, name), 'latin1')).join('\n');
  return ['one', 'two', 'three'].filter((word) => bytes.includes(`zqxwalrus${word}`));
}
