import { closeSync, constants, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { afterAll, describe, expect, it } from 'vitest';
import { ContinuoError } from '../model/error.ts';
import { toStoreError } from './io-fault.ts';

const folder = mkdtempSync(join(tmpdir(), 'continuo-io-fault-'));
afterAll(() => rmSync(folder, { recursive: true }));

function coded(code: string, path = join(folder, 'data')): { code: string; details: unknown } {
  const error = toStoreError(Object.assign(new Error('it broke'), { code }), path, 7);
  return { code: error.code, details: error.details };
}

describe('toStoreError', () => {
  const path = join(folder, 'data');

  it.each([
    ['ENOSPC', 'disk-full', { path }],
    ['EDQUOT', 'disk-full', { path }],
    ['SQLITE_FULL', 'disk-full', { path }],
    ['EACCES', 'permission-denied', { path }],
    ['EPERM', 'permission-denied', { path }],
    ['EROFS', 'permission-denied', { path }],
    ['SQLITE_PERM', 'permission-denied', { path }],
    ['SQLITE_READONLY', 'permission-denied', { path }],
    ['SQLITE_READONLY_DIRECTORY', 'permission-denied', { path }],
    ['SQLITE_CANTOPEN', 'permission-denied', { path }],
    ['EMFILE', 'too-many-files', { path }],
    ['ENFILE', 'too-many-files', { path }],
    ['ELOOP', 'unsafe-path', { path, reason: 'it is a symbolic link' }],
    ['SQLITE_BUSY', 'store-busy', { path, waited: 7 }],
    ['SQLITE_BUSY_SNAPSHOT', 'store-busy', { path, waited: 7 }],
    ['SQLITE_CORRUPT', 'store-damaged', { path, reason: 'it broke' }],
    ['SQLITE_NOTADB', 'store-damaged', { path, reason: 'it broke' }],
    ['SQLITE_IOERR_WRITE', 'io-failed', { path, reason: 'it broke' }],
    ['EIO', 'io-failed', { path, reason: 'it broke' }],
    ['', 'internal', { reason: 'it broke' }],
  ])('%s becomes %s', (thrown, code, details) => {
    expect(coded(thrown)).toEqual({ code, details });
  });

  it('leaves a coded error as it is', () => {
    const error = new ContinuoError('store-closed');
    expect(toStoreError(error, path)).toBe(error);
  });

  it('keeps what was thrown as the cause', () => {
    const thrown = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    expect(toStoreError(thrown, path).cause).toBe(thrown);
  });

  it('finds out that a folder is missing where SQLite only says that it cannot open', () => {
    expect(coded('SQLITE_CANTOPEN', join(folder, 'missing', 'data')).code).toBe('io-failed');
  });

  it('names a symbolic link that was refused', () => {
    const link = join(folder, 'link');
    symlinkSync(join(folder, 'elsewhere'), link);
    let thrown: unknown;
    try {
      closeSync(openSync(link, constants.O_RDONLY | constants.O_NOFOLLOW));
    } catch (error) {
      thrown = error;
    }
    expect(toStoreError(thrown, link).code).toBe('unsafe-path');
  });

  it('calls a file that is no database damaged', () => {
    const file = join(folder, 'no.db');
    writeFileSync(file, 'x'.repeat(5000));
    const database = new Database(file);
    let thrown: unknown;
    try {
      database.prepare('select * from sqlite_master').all();
    } catch (error) {
      thrown = error;
    }
    database.close();
    expect(toStoreError(thrown, file).code).toBe('store-damaged');
  });
});
