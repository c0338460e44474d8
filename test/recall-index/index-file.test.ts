// The file of the index: private, encrypted with the log, expendable, and without a byte of what was taken out.
import { readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { describe, expect, it } from 'vitest';
import { deleteIndex, IndexDatabase, type IndexNotice } from '../../src/recall/index/index-database.ts';
import { RecallIndexer } from '../../src/recall/index/indexer.ts';
import { createMarkedWord } from '../support/raw-files.ts';
import { subjectKey, subjectNames } from '../support/store-subjects.ts';
import { createWorkbench } from './workbench.ts';

describe('the file', () => {
  it('is for its owner only, with its companions', async () => {
    const { indexer, folder, say } = await createWorkbench();
    await say(['wren']);
    await indexer.catchUp();
    const modes = readdirSync(folder)
      .filter((name) => name.startsWith('index.db'))
      .map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
    expect(modes).toEqual([
      ['index.db', '600'],
      ['index.db-shm', '600'],
      ['index.db-wal', '600'],
    ]);
  });

  it('is never reached through a symbolic link', async () => {
    const { folder } = await createWorkbench();
    const path = join(folder, 'linked.db');
    symlinkSync(join(folder, 'index.db'), path);
    await expect(IndexDatabase.open({ path })).rejects.toMatchObject({ code: 'unsafe-path' });
  });

  it.each(['sqlite-encrypted', 'jsonl-encrypted'] as const)('%s: shows no word of an encrypted store', async (subject) => {
    const { indexer, index, folder, say, find } = await createWorkbench({ subject });
    const words = Array.from({ length: 50 }, createMarkedWord);
    await say(words, { title: createMarkedWord() });
    await indexer.catchUp();
    expect(find(words[7] as string).length).toBe(1);
    expect(countWords(folder, words)).toBe(0);
    index.database.pragma('wal_checkpoint(TRUNCATE)');
    expect(readFileSync(join(folder, 'index.db'), 'latin1')).not.toContain('CREATE TABLE');
    expect(countWords(folder, words)).toBe(0);
  });
});

describe('an index that cannot be used', () => {
  const spoil: Record<string, { why: IndexNotice['why']; work: (path: string) => void }> = {
    'of an older version': { why: 'other-version', work: (path) => new Sqlite(path).pragma('user_version = 1') },
    'that is no database': { why: 'damaged', work: (path) => writeFileSync(path, 'no database at all '.repeat(1000)) },
    'that was cut off': { why: 'damaged', work: (path) => truncateSync(path, 5000) },
    'that another key opens': {
      why: 'damaged',
      work: (path) => {
        writeFileSync(path, '');
        const other = new Sqlite(path);
        other.pragma("cipher = 'aegis'");
        other.pragma(`key = "raw:${Buffer.alloc(32, 9).toString('hex')}"`);
        other.exec('CREATE TABLE a (b)');
        other.close();
      },
    },
  };

  it.each(Object.entries(spoil))('%s is made anew from the log, which is not touched', async (_name, { why, work }) => {
    const { indexer, index, store, path, notices, open, say } = await createWorkbench();
    const id = await say(['lapwing one', 'lapwing two']);
    await indexer.catchUp();
    index.close();
    work(path);
    const again = await open();
    expect(notices).toEqual([{ path, why }]);
    const second = new RecallIndexer({ store, index: again });
    expect((await second.catchUp()).documents).toBe(2);
    expect((await store.read(id)).items.length).toBe(2);
    again.close();
  });

  it('is told by the key where the store is encrypted', async () => {
    const { index, path } = await createWorkbench({ subject: 'sqlite-encrypted' });
    index.close();
    const notices: IndexNotice[] = [];
    const other = await IndexDatabase.open({ path, key: new Uint8Array(32).fill(1), onNotice: (notice) => notices.push(notice) });
    other.close();
    expect(notices).toEqual([{ path, why: 'wrong-key' }]);
    expect(subjectKey.length).toBe(32);
  });

  it('and breaks while it is in use is made anew in the middle of the work', async () => {
    const { indexer, index, path, notices, say, find } = await createWorkbench();
    for (let i = 0; i < 40; i++) await say([`dunnock ${i} ${'words and words '.repeat(50)}`]);
    await indexer.catchUp();
    index.database.pragma('wal_checkpoint(TRUNCATE)');
    const pages = statSync(path).size / 4096;
    const bytes = readFileSync(path);
    for (let page = 2; page < pages; page++) bytes.fill(0x5a, page * 4096, page * 4096 + 200);
    writeFileSync(path, bytes);
    index.renew();
    await say(['dunnock more']);
    await indexer.catchUp();
    expect(notices).toEqual([{ path, why: 'damaged' }]);
    expect(find('dunnock').length).toBe(41);
  });

  it('and is not encrypted while the store is, is made anew with the key', async () => {
    const { indexer, index, path, say } = await createWorkbench();
    await say(['whimbrel']);
    await indexer.catchUp();
    index.close();
    const notices: IndexNotice[] = [];
    const keyed = await IndexDatabase.open({ path, key: subjectKey, onNotice: (notice) => notices.push(notice) });
    keyed.close();
    expect(notices).toEqual([{ path, why: 'wrong-key' }]);
    expect(readFileSync(path, 'latin1')).not.toContain('CREATE TABLE');
  });

  it('because it was deleted while open is filled again', async () => {
    const { indexer, path, say, find } = await createWorkbench();
    await say(['redstart']);
    await indexer.catchUp();
    deleteIndex(path);
    expect((await indexer.catchUp()).documents).toBe(1);
    expect(find('redstart').length).toBe(1);
  });

  it('is rebuilt when asked, with progress', async () => {
    const { indexer, notices, path, say, find } = await createWorkbench();
    await say(['siskin one', 'siskin two']);
    await indexer.catchUp();
    const progress: [number, number][] = [];
    const done = await indexer.rebuild({ onProgress: (entries, total) => progress.push([entries, total]) });
    expect([done.documents, progress.at(-1), find('siskin').length]).toEqual([2, [2, 2], 2]);
    expect(notices).toEqual([{ path, why: 'asked' }]);
  });
});

describe('the bytes of what was taken out', () => {
  it.each(subjectNames.filter((name) => !name.endsWith('encrypted')))('%s: are in no file of the index', async (subject) => {
    const { store, indexer, index, folder, say, find } = await createWorkbench({ subject });
    const gone = Array.from({ length: 60 }, createMarkedWord);
    const kept = Array.from({ length: 60 }, createMarkedWord);
    const title = createMarkedWord();
    const doomed = (await store.create({ title, project: `path:/${createMarkedWord()}`, tags: [createMarkedWord()] })).id;
    const other = (await store.create({ title: kept[0] as string })).id;
    for (const [i, word] of gone.entries()) {
      await say([`${word} 数据 ${'ballast '.repeat(i * 10)}`], doomed);
      await say([`${kept[i]} 数据`], other);
      if (i % 10 === 0) await indexer.catchUp();
    }
    await indexer.catchUp();
    expect(countWords(folder, gone, isIndexFile)).toBeGreaterThan(gone.length / 2);
    await store.trash(doomed);
    await store.purge(doomed);
    expect(await indexer.refresh(doomed)).toMatchObject({ complete: true, scrubbed: true });
    expect(countWords(folder, [...gone, title], isIndexFile)).toBe(0);
    for (const word of kept.slice(1)) expect(find(word)).toEqual([[other, expect.any(Number)]]);
    // Position 0 is the title.
    expect(find(kept[0] as string).map(([, seq]) => seq)).toEqual(expect.arrayContaining([0, 1]));
    // Once more, now that all is in one segment.
    await store.mergeMeta(other, { recall: 'excluded' });
    await indexer.catchUp();
    expect(countWords(folder, kept, isIndexFile)).toBe(0);
    index.close();
    expect(countWords(folder, [...gone, title, ...kept], isIndexFile)).toBe(0);
  });

  it('are there no longer in a large index either, nor after a time to live', async () => {
    const { store, index, indexer, folder, time } = await createWorkbench();
    const policy = { kind: 'ttl', milliseconds: 3_600_000, afterwards: 'delete' } as const;
    const fleeting = (await store.create({ policy })).id;
    const lasting = (await store.create()).id;
    const words = Array.from({ length: 16 }, createMarkedWord);
    for (const word of words) {
      await store.append(fleeting, { kind: 'message', role: 'user', text: word });
      const ballast = Array.from({ length: 1000 }, (_, i) => ({
        kind: 'message' as const,
        role: 'user' as const,
        text: `${i} ${Array.from({ length: 16 }, createMarkedWord).join(' ')}`,
      }));
      await store.append(lasting, ballast);
    }
    await indexer.catchUp();
    expect((index.database.pragma('page_count', { simple: true }) as number) * 4096).toBeGreaterThan(4 * 1024 * 1024);
    expect(countWords(folder, words, isIndexFile)).toBeGreaterThan(0);
    time.now += 3_600_000;
    await store.sweep();
    expect(await indexer.catchUp()).toMatchObject({ scrubbed: true });
    expect(countWords(folder, words, isIndexFile)).toBe(0);
  });

  it('wait for whoever still reads them, and go then', async () => {
    const { store, indexer, folder, open, say } = await createWorkbench();
    const words = Array.from({ length: 30 }, createMarkedWord);
    const id = await say(words);
    await indexer.catchUp();
    const reader = await open();
    reader.database.exec('BEGIN');
    reader.database.prepare('SELECT count(*) FROM documents').get();
    await store.trash(id);
    await store.purge(id);
    expect(await indexer.catchUp()).toMatchObject({ complete: true, scrubbed: false });
    expect(countWords(folder, words, isIndexFile)).toBeGreaterThan(0);
    reader.database.exec('COMMIT');
    expect(await indexer.catchUp()).toMatchObject({ complete: true, scrubbed: true });
    expect(countWords(folder, words, isIndexFile)).toBe(0);
    reader.close();
  });
});

function isIndexFile(name: string): boolean {
  return name.startsWith('index.db');
}

/** FTS5 leaves out the beginning a term shares with its neighbour, so a word gives itself away by its end. */
function countWords(folder: string, words: readonly string[], wanted: (name: string) => boolean = isIndexFile): number {
  const bytes = readdirSync(folder)
    .filter(wanted)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
  return words.filter((word) => bytes.includes(word.slice(5))).length;
}
