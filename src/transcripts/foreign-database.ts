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
import { readHead } from './session-folder.ts';

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
/** The newest copy of each path. */
const latest = new Map<string, string>();
const logHeadBytes = 32;

export interface OpenForeignOptions {
  /** A copy that is still there will do, although the file may have changed since: for what was found in it a moment ago. */
  reuse?: boolean;
}

export function isDatabaseHead(head: Buffer): boolean {
  return head.subarray(0, databaseHead.length).equals(databaseHead);
}

/** Throws `store-busy` where another process keeps it locked, `store-damaged` where it is no database, `unsafe-path` for links. */
export async function openForeignDatabase(path: string, { reuse = false }: OpenForeignOptions = {}): Promise<ForeignDatabase> {
  try {
    if (!(await isInWalMode(path))) return await openDirectly(path);
    const { copy, leave } = await takeCopy(path, reuse);
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

async function takeCopy(path: string, reuse: boolean): Promise<{ copy: Copy; leave(): void }> {
  for (let attempt = 1; ; attempt += 1) {
    const kept = reuse ? latest.get(path) : undefined;
    const state = kept === undefined ? await look(path) : undefined;
    const key = kept ?? `${path}\0${state?.all}`;
    const made = copies.get(key) ?? (state && makeCopy(path, state));
    if (!made) {
      latest.delete(path);
      continue;
    }
    copies.set(key, made);
    latest.set(path, key);
    try {
      const copy = await made;
      clearTimeout(copy.timer);
      copy.users += 1;
      return { copy, leave: () => leaveCopy(path, key, copy) };
    } catch (error) {
      forget(path, key);
      // A part of each of two states would be neither.
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (attempt === attempts) throw new ContinuoError('store-busy', { path, waited: attempt * attemptWait });
      await sleep(attemptWait);
    }
  }
}

class ChangedMeanwhile extends Error {}

async function makeCopy(path: string, before: FileState): Promise<Copy> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  const copy: Copy = { folder, path: join(folder, 'copy.db'), users: 0, timer: undefined };
  watchExit();
  folders.add(folder);
  try {
    await copyPrivately(path, copy.path);
    if (before.log !== undefined) await copyPrivately(`${path}-wal`, `${copy.path}-wal`);
    const after = await look(path);
    // What a log grows by is no harm: SQLite takes it up to the last whole change. The file itself is only written from the log.
    if (after.main !== before.main || after.log !== before.log) throw new ChangedMeanwhile();
    return copy;
  } catch (error) {
    await removeFolder(folder);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new ChangedMeanwhile();
    throw error;
  }
}

function forget(path: string, key: string): void {
  copies.delete(key);
  if (latest.get(path) === key) latest.delete(path);
}

async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(to, privateFileMode);
}

function leaveCopy(path: string, key: string, copy: Copy): void {
  copy.users -= 1;
  if (copy.users > 0) return;
  copy.timer = setTimeout(() => {
    forget(path, key);
    void removeFolder(copy.folder);
  }, keepMilliseconds);
  copy.timer.unref();
}

interface FileState {
  main: string;
  /** How the log begins: otherwise whenever it begins anew. Undefined where there is none. */
  log: string | undefined;
  /** Tells one state of both from another. */
  all: string;
}

async function look(path: string): Promise<FileState> {
  const file = await lstat(path, { bigint: true });
  if (!file.isFile()) throw new ContinuoError('unsafe-path', { path, reason: 'it is not a regular file' });
  const found = await lstat(`${path}-wal`, { bigint: true }).catch(() => undefined);
  const log = found?.isFile() && found.size > 0n ? found : undefined;
  if (file.size + (log?.size ?? 0n) > BigInt(mostDatabaseBytes))
    throw new ContinuoError('io-failed', { path, reason: 'the database is too large to be copied' });
  const main = `${file.size} ${file.mtimeNs} ${file.ino}`;
  const head = log && (await readHead(`${path}-wal`, logHeadBytes).catch(() => undefined));
  return { main, log: head?.toString('hex'), all: `${main} ${log?.size} ${log?.mtimeNs} ${log?.ino}` };
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
