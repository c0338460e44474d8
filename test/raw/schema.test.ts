// A database from the future is left exactly as it is; a blank one gets every migration and a journal of them.
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { describe, expect, it } from 'vitest';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { unlockDatabase } from '../../src/store/drivers/sqlite/database-file.ts';
import { migrate, migrations } from '../../src/store/drivers/sqlite/migrate.ts';
import { listPaths } from '../support/raw-files.ts';
import { openSubject, subjectKey } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const subjects = ['sqlite', 'sqlite-encrypted'] as const;

describe('a database of a newer schema', () => {
  it.each(subjects)('%s: is refused with store-newer, and no byte of it changes', async (subject) => {
    const folder = createTemporaryFolder('newer');
    const store = await openSubject(subject, folder);
    const { id } = await store.create({ title: 'kept' });
    await store.append(id, { kind: 'message', role: 'user', text: 'words' });
    await store.close();
    change(subject, folder, (database) => database.pragma('user_version = 99'));
    const before = fingerprints(folder);
    const path = join(folder, 'log.db');
    const refusal = { code: 'store-newer', details: { path, found: 99, known: migrations.length } };
    await expect(openSubject(subject, folder)).rejects.toMatchObject(refusal);
    expect(fingerprints(folder)).toEqual(before);
    change(subject, folder, (database) => database.pragma(`user_version = ${migrations.length}`));
    const reopened = await openSubject(subject, folder);
    expect((await reopened.read(id)).items.length).toBe(1);
    await reopened.close();
  });
});

describe('a blank database', () => {
  it.each(subjects)('%s: gets every migration, each noted in the journal, also from an empty file', async (subject) => {
    const folder = createTemporaryFolder('blank');
    for (const [name, isEmptyFile] of [
      ['none', false],
      ['empty', true],
    ] as const) {
      const home = join(folder, name);
      mkdirSync(home);
      if (isEmptyFile) closeSync(openSync(join(home, 'log.db'), 'w', 0o600));
      const stores = await Promise.all([openSubject(subject, home), openSubject(subject, home)]);
      for (const store of stores) await store.create();
      for (const store of stores) await store.close();
      const journal = change(subject, home, (database) => ({
        version: database.pragma('user_version', { simple: true }),
        steps: database.prepare('SELECT number, name FROM migrations').all(),
      }));
      expect(journal).toEqual({
        version: migrations.length,
        steps: migrations.map((step, i) => ({ number: i + 1, name: step.name })),
      });
    }
  });
});

describe('a database of the first schema', () => {
  it.each(subjects)('%s: gets the later migrations when it is opened, keeps what is in it, and takes drafts', async (subject) => {
    const folder = createTemporaryFolder('first');
    const store = await openSubject(subject, folder);
    const { id } = await store.create({ title: 'kept' });
    await store.append(id, { kind: 'message', role: 'user', text: 'words' });
    await store.close();
    const columns = change(subject, folder, (database) => {
      database.exec('DROP TABLE drafts; DELETE FROM migrations WHERE number > 1; PRAGMA user_version = 1');
      return describeTables(database);
    });
    const blank = new Database(':memory:');
    migrate(blank, ':memory:', migrations.slice(0, 1));
    expect(columns).toEqual(describeTables(blank));
    blank.close();
    const stores = await Promise.all([openSubject(subject, folder), openSubject(subject, folder)]);
    const [one, two] = stores as [ConversationStore, ConversationStore];
    expect((await one.read(id)).items.map((entry) => 'text' in entry && entry.text)).toEqual(['words']);
    await one.putDraft(id, { kind: 'message', role: 'assistant', text: 'half' });
    expect(await two.findDraft(id)).toMatchObject({ text: 'half', after: 1 });
    expect((await two.verify()).problems).toEqual([]);
    for (const each of stores) await each.close();
    const version = change(subject, folder, (database) => database.pragma('user_version', { simple: true }));
    expect(version).toBe(migrations.length);
  });
});

function describeTables(database: Database.Database): unknown {
  return database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
}

function change<Result>(
  subject: (typeof subjects)[number],
  folder: string,
  act: (database: Database.Database) => Result,
): Result {
  const database = new Database(join(folder, 'log.db'));
  try {
    if (subject === 'sqlite-encrypted') unlockDatabase(database, subjectKey);
    return act(database);
  } finally {
    database.close();
  }
}

function fingerprints(folder: string): Record<string, string> {
  const files = listPaths(folder).slice(1);
  return Object.fromEntries(
    files.map((path) => [relative(folder, path), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}
