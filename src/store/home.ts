// A home is the folder that holds a store. `store.json` in it says how the store is kept; without it there is no store yet.
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import * as z from 'zod';
import { createFileAtomically, makePrivateFolder, writeFileAtomically } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import { toStoreError } from './io-fault.ts';

const knownFormat = 1;
const firstDataFolder = 'store';
const dataFolderPattern = /^store(-\w+)?$/;

const homeRecordSchema = z.strictObject({
  format: z.literal(knownFormat),
  driver: z.enum(['sqlite', 'jsonl']),
  createdAt: z.int(),
  /** The folder inside the home with the driver's files. Converting a store fills a new one and changes this name in one step. */
  folder: z.string().regex(dataFolderPattern).optional(),
  /** The data has been there: from then on its absence is a loss, not a beginning. */
  ready: z.boolean().optional(),
  /** Present where the store is encrypted: how its key is derived, and a value only the right key gives. */
  encryption: z.strictObject({ source: z.enum(['passphrase', 'key-file']), parameters: z.json(), check: z.string() }).optional(),
});

export type HomeRecord = z.infer<typeof homeRecordSchema>;

export function homeRecordPath(home: string): string {
  return join(home, 'store.json');
}

/** Where the driver keeps its files. */
export function dataFolder(home: string, record: HomeRecord): string {
  return join(home, record.folder ?? firstDataFolder);
}

/** How the store in this home is kept; undefined where there is none. A record that cannot be read is never replaced. */
export async function loadHome(home: string): Promise<HomeRecord | undefined> {
  const path = homeRecordPath(home);
  let text: string;
  try {
    if ((await lstat(path)).isSymbolicLink()) throw new ContinuoError('unsafe-path', { path, reason: 'it is a symbolic link' });
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw toStoreError(error, path);
    return findUnrecorded(home);
  }
  return parseHomeRecord(path, text);
}

/** No record: either there is no store, or its record was lost, and then a new one must not take its place. */
async function findUnrecorded(home: string): Promise<HomeRecord | undefined> {
  const names = await readdir(home).catch(() => []);
  const folders = names.filter((name) => dataFolderPattern.test(name));
  if (folders.length === 0) return undefined;
  // Another process may have made the home in this very moment.
  if ((await readdir(home)).includes(basename(homeRecordPath(home)))) return loadHome(home);
  throw new ContinuoError('store-incomplete', { path: home, missing: 'store.json' });
}

/** Refuses a store whose data is gone, before a driver makes an empty one in its place. */
export function assertComplete(home: string, record: HomeRecord): void {
  if (!record.ready) return;
  const folder = dataFolder(home, record);
  const missing = [folder, ...(record.driver === 'sqlite' ? [join(folder, 'log.db')] : [])].find((path) => !existsSync(path));
  if (missing !== undefined) throw new ContinuoError('store-incomplete', { path: home, missing: relative(home, missing) });
}

/** Makes the home, or finds that somebody was faster: the record that stands is the one that counts. */
export async function createHome(home: string, record: HomeRecord): Promise<HomeRecord> {
  try {
    await makePrivateFolder(home);
    if (await createFileAtomically(homeRecordPath(home), formatHomeRecord(record))) return record;
  } catch (error) {
    throw toStoreError(error, home);
  }
  return (await loadHome(home)) ?? record;
}

/** Replaces the record of a home whose store was converted. */
export async function saveHome(home: string, record: HomeRecord): Promise<void> {
  try {
    await writeFileAtomically(homeRecordPath(home), formatHomeRecord(record));
  } catch (error) {
    throw toStoreError(error, home);
  }
}

function formatHomeRecord(record: HomeRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function parseHomeRecord(path: string, text: string): HomeRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ContinuoError('store-damaged', { path, reason: 'it is not JSON' }, { cause: error });
  }
  const format = (value as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > knownFormat) {
    throw new ContinuoError('store-newer', { path, found: format, known: knownFormat });
  }
  const result = homeRecordSchema.safeParse(value);
  if (!result.success) throw new ContinuoError('store-damaged', { path, reason: z.prettifyError(result.error) });
  return result.data;
}
