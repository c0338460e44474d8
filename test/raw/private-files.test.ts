// Everything a store makes is its owner's alone, and it never walks through a symbolic link to somebody else's file.
import { lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DriverName, driverNames, openStore } from '../../src/open-store.ts';
import { listPaths } from '../support/raw-files.ts';
import { needs } from '../support/require-system.ts';
import { openSubject, type SubjectName, subjectNames } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { Telltale } from './telltale.ts';

const canRun = needs(process.platform !== 'win32', 'a system with file modes');

describe.runIf(canRun)('files and folders of a store', () => {
  // Under the most careless umask there is.
  let umask: number;
  beforeAll(() => {
    umask = process.umask(0);
  });
  afterAll(() => {
    process.umask(umask);
  });

  it.each(subjectNames)('%s: are for the owner only, at every moment', async (subject) => {
    const folder = createTemporaryFolder('modes');
    const store = await openSubject(subject, join(folder, 'deep', 'down', 'store'), { redactor: false });
    const said = new Telltale();
    const { id } = await store.create(said.conversation());
    const { id: plain } = await store.create();
    const { id: fleeting } = await store.create({ policy: { kind: 'ttl', milliseconds: 1, afterwards: 'delete' } });
    for (const each of [id, plain, fleeting]) await store.append(each, said.entries(5000));
    for (const length of [10, 5000, 50_000]) {
      for (const each of [id, plain, fleeting]) {
        await store.putDraft(each, { kind: 'message', role: 'assistant', text: said.text(length) });
      }
    }
    expect(looseModes(folder)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await store.sweep();
    await store.trash(plain);
    await store.purge(plain);
    await store.backup(join(folder, 'backups', 'first'), () => {
      expect(looseModes(folder)).toEqual([]);
    });
    expect(looseModes(folder)).toEqual([]);
    await store.close();
    expect(looseModes(folder)).toEqual([]);
  });

  it.each(driverNames)('%s: a home is for the owner only', async (driver) => {
    const folder = createTemporaryFolder('modes');
    const store = await openStore({ home: join(folder, 'home'), driver, key: { passphrase: 'a few words' } });
    await store.create();
    expect(looseModes(folder)).toEqual([]);
    await store.close();
  });
});

describe.runIf(canRun)('a symbolic link', () => {
  /** Every place where a link could stand in for something of the store's own. */
  const places: Record<'sqlite' | 'jsonl', string[]> = {
    sqlite: ['log.db', 'log.db-wal', 'log.db-shm'],
    jsonl: ['coordination.db', 'conversations', 'keyed', 'drafts'],
  };
  const cases = subjectNames.flatMap((subject) => places[driverOf(subject)].map((place) => [subject, place] as const));

  it.each(cases)('%s: is not followed where %s should be', async (subject, place) => {
    const folder = createTemporaryFolder('links');
    const store = join(folder, 'store');
    await makeStore(subject, store);
    const path = join(store, place);
    const elsewhere = join(folder, 'elsewhere');
    if (lstatSync(path, { throwIfNoEntry: false })) renameSync(path, elsewhere);
    else writeFileSync(elsewhere, 'precious');
    const before = describeAll(elsewhere);
    symlinkSync(elsewhere, path);
    await expect(openSubject(subject, store)).rejects.toMatchObject({ code: 'unsafe-path' });
    expect(describeAll(elsewhere)).toEqual(before);
  });

  it.each(subjectNames)('%s: is not followed where the folder should be', async (subject) => {
    const folder = createTemporaryFolder('links');
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'store'));
    await expect(openSubject(subject, join(folder, 'store'))).rejects.toMatchObject({ code: 'unsafe-path' });
    expect(listPaths(join(folder, 'elsewhere'))).toEqual([join(folder, 'elsewhere')]);
  });

  const conversationFile = '%s: is not followed where the file of a conversation should be';
  it.each(['jsonl', 'jsonl-encrypted'] as const)(conversationFile, async (subject) => {
    const folder = createTemporaryFolder('links');
    const store = join(folder, 'store');
    const id = await makeStore(subject, store);
    const [log] = listPaths(store).filter((path) => path.endsWith('.jsonl')) as [string];
    const elsewhere = join(folder, 'elsewhere.jsonl');
    renameSync(log, elsewhere);
    symlinkSync(elsewhere, log);
    const bytes = readFileSync(elsewhere);
    const opened = await openSubject(subject, store);
    // Its key leads to the link; its id leads nowhere any more.
    await expect(opened.find('the only one')).rejects.toMatchObject({ code: 'unsafe-path' });
    const refused = expect.stringMatching(/^(unsafe-path|conversation-not-found)$/);
    await expect(opened.read(id)).rejects.toMatchObject({ code: refused });
    await expect(opened.append(id, { kind: 'message', role: 'user', text: 'x' })).rejects.toMatchObject({ code: refused });
    expect((await opened.verify()).problems).toContainEqual(expect.objectContaining({ code: 'unexpected-file' }));
    await opened.close();
    expect(readFileSync(elsewhere).equals(bytes)).toBe(true);
  });
});

describe.runIf(canRun)('a symbolic link where a draft should be', () => {
  it.each(['jsonl', 'jsonl-encrypted'] as const)('%s: is not followed, not even to write the next one', async (subject) => {
    const folder = createTemporaryFolder('links');
    const store = await openSubject(subject, join(folder, 'store'));
    const { id } = await store.create();
    const draft = { kind: 'message', role: 'assistant', text: 'half' } as const;
    await store.putDraft(id, draft);
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'precious');
    for (const slot of [0, 1]) {
      const path = join(folder, 'store', 'drafts', `${id}.${slot}`);
      if (lstatSync(path, { throwIfNoEntry: false })) renameSync(path, `${elsewhere}.${slot}`);
      symlinkSync(elsewhere, path);
    }
    await expect(store.findDraft(id)).rejects.toMatchObject({ code: 'unsafe-path' });
    await expect(store.putDraft(id, draft)).rejects.toMatchObject({ code: 'unsafe-path' });
    expect((await store.verify()).problems.map(({ code }) => code)).toEqual(['unexpected-file', 'unexpected-file']);
    await store.deleteDraft(id);
    await store.putDraft(id, draft);
    expect(await store.findDraft(id)).toMatchObject(draft);
    await store.close();
    expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
  });
});

function looseModes(folder: string): string[] {
  return listPaths(folder)
    .map((path) => ({ path, status: lstatSync(path, { throwIfNoEntry: false }) }))
    .filter(({ path, status }) => status && path !== folder && (status.mode & 0o777) !== (status.isDirectory() ? 0o700 : 0o600))
    .map(({ path, status }) => `${relative(folder, path)} ${((status?.mode ?? 0) & 0o777).toString(8)}`);
}

async function makeStore(subject: SubjectName, folder: string) {
  const store = await openSubject(subject, folder, { redactor: false });
  const { id } = await store.create({ key: 'the only one' });
  await store.append(id, { kind: 'message', role: 'user', text: 'something' });
  await store.close();
  return id;
}

function describeAll(path: string): string[] {
  const paths = lstatSync(path).isDirectory() ? listPaths(path) : [path];
  return paths.map((each) => `${each} ${lstatSync(each).isFile() ? readFileSync(each, 'latin1') : ''}`);
}

function driverOf(subject: SubjectName): DriverName {
  return subject.startsWith('sqlite') ? 'sqlite' : 'jsonl';
}
