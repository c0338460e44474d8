// Another program's SQLite file, open for reading. Nothing in its folder is made, changed or locked for long: a file in WAL mode, which
// SQLite itself could only read by making files beside it, is read from a copy in a private folder. The copy serves all readings of the
// file as it is, and is removed a moment after the last of them, at the latest when the process ends.
import { constants, rmSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Options } from 'better-sqlite3-multiple-ciphers';
import { privateFileMode } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import { toStoreError } from '../store/io-fault.ts';

export interface ForeignDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

interface Copy {
  folder: string;
  path: string;
  users: number;
  timer: NodeJS.Timeout | undefined;
}

export const mostDatabaseBytes = 16 * 1024 ** 3;
const databaseHead = Buffer.from('SQLite format 3\0', 'latin1');
const blockingWait = 50;
const attempts = 20;
const attemptWait = 50;
/** How long a copy is kept for the next session of the same file. */
const keepMilliseconds = 1000;
const folderPrefix = 'continuo-foreign-';
/** By path, size and change of the file and its log. */
const copies = new Map<string, Promise<Copy>>();

export function isDatabaseHead(head: Buffer): boolean {
  return head.subarray(0, databaseHead.length).equals(databaseHead);
}

/** Throws `store-busy` where another process keeps it locked, `store-damaged` where it is no database, `unsafe-path` for links. */
export async function openForeignDatabase(path: string): Promise<ForeignDatabase> {
  try {
    if (!(await isInWalMode(path))) return await openDirectly(path);
    const { copy, leave } = await takeCopy(path);
    try {
      const database = await openChecked(copy.path, {});
      return {
        database,
        close: async () => {
          database.close();
          leave();
        },
      };
    } catch (error) {
      leave();
      throw toStoreError(error, copy.path);
    }
  } catch (error) {
    throw namePath(error, path);
  }
}

/** A coded error that speaks of the file itself, never of its copy. */
function namePath(error: unknown, path: string): ContinuoError {
  const { code, details, cause } = toStoreError(error, path);
  return new ContinuoError(code, { ...details, ...('path' in details && { path }) } as never, { cause: cause ?? error });
}

async function isInWalMode(path: string): Promise<boolean> {
  const found = await lstat(path);
  if (!found.isFile()) throw new ContinuoError('unsafe-path', { path, reason: 'it is not a regular file' });
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(20), 0, 20, 0);
    if (bytesRead < 20 || !isDatabaseHead(buffer))
      throw new ContinuoError('store-damaged', { path, reason: 'it is not a database, or it is encrypted' });
    return buffer[18] === 2 || buffer[19] === 2;
  } finally {
    await file.close();
  }
}

async function openDirectly(path: string): Promise<ForeignDatabase> {
  const database = await openChecked(path, { readonly: true, fileMustExist: true });
  return { database, close: async () => void database.close() };
}

/** Waits for a writer without blocking this process for long. */
async function openChecked(path: string, options: Options): Promise<Database> {
  const { default: Sqlite } = await import('better-sqlite3-multiple-ciphers');
  for (let attempt = 1; ; attempt += 1) {
    const database = new Sqlite(path, { ...options, timeout: blockingWait });
    try {
      database.pragma('trusted_schema = OFF');
      database.pragma('query_only = ON');
      database.prepare('SELECT count(*) FROM sqlite_master').get();
      return database;
    } catch (error) {
      database.close();
      const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
      if (!isBusy || attempt === attempts) throw toStoreError(error, path, attempt * (blockingWait + attemptWait));
      await sleep(attemptWait);
    }
  }
}

async function takeCopy(path: string): Promise<{ copy: Copy; leave(): void }> {
  for (let attempt = 1; ; attempt += 1) {
    const key = `${path}\0${await measure(path)}`;
    const made = copies.get(key) ?? makeCopy(path, key);
    copies.set(key, made);
    try {
      const copy = await made;
      clearTimeout(copy.timer);
      copy.users += 1;
      return { copy, leave: () => leaveCopy(key, copy) };
    } catch (error) {
      copies.delete(key);
      // Changed while it was copied: a part of each state would be neither.
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (attempt === attempts) throw new ContinuoError('store-busy', { path, waited: attempt * attemptWait });
      await sleep(attemptWait);
    }
  }
}

class ChangedMeanwhile extends Error {}

async function makeCopy(path: string, key: string): Promise<Copy> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  const copy: Copy = { folder, path: join(folder, 'copy.db'), users: 0, timer: undefined };
  watchExit();
  folders.add(folder);
  try {
    await copyPrivately(path, copy.path);
    const hasLog = await lstat(`${path}-wal`).then(
      (found) => found.isFile() && found.size > 0,
      () => false,
    );
    if (hasLog) await copyPrivately(`${path}-wal`, `${copy.path}-wal`);
    if (`${path}\0${await measure(path)}` !== key) throw new ChangedMeanwhile();
    return copy;
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(to, privateFileMode);
}

function leaveCopy(key: string, copy: Copy): void {
  copy.users -= 1;
  if (copy.users > 0) return;
  copy.timer = setTimeout(() => {
    copies.delete(key);
    void removeFolder(copy.folder);
  }, keepMilliseconds);
  copy.timer.unref();
}

/** What tells one state of the file from another. */
async function measure(path: string): Promise<string> {
  const parts: bigint[] = [];
  for (const each of [path, `${path}-wal`]) {
    const found = await lstat(each, { bigint: true }).catch(() => undefined);
    if (each === path && !found?.isFile()) throw new ContinuoError('unsafe-path', { path, reason: 'it is not a regular file' });
    parts.push(found?.size ?? -1n, found?.mtimeNs ?? -1n, found?.ino ?? -1n);
  }
  if ((parts[0] ?? 0n) + (parts[3] ?? 0n) > BigInt(mostDatabaseBytes))
    throw new ContinuoError('io-failed', { path, reason: 'the database is too large to be copied' });
  return parts.join(' ');
}

const folders = new Set<string>();
let isWatched = false;

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  folders.delete(folder);
}

function watchExit(): void {
  if (isWatched) return;
  isWatched = true;
  process.once('exit', () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
}

/** Copies of processes that were killed. */
async function removeLeftovers(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const pid = name.startsWith(folderPrefix) ? Number.parseInt(name.slice(folderPrefix.length), 10) : Number.NaN;
    if (!Number.isInteger(pid) || pid === process.pid || isRunning(pid)) continue;
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() && found.uid === process.getuid?.()) await removeFolder(folder);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
