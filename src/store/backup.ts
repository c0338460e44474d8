// Backups: a folder with the driver's own files, what belongs beside them, and a manifest with a checksum for each file.
// A backup never overwrites anything, and a restore takes effect in one rename after every byte has been checked.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, chmod, constants, copyFile, lstat, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import {
  isVacant,
  listFiles,
  makePrivateFolder,
  privateFileMode,
  syncFolder,
  writeFileAtomically,
} from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import type { Progress, StoreDriver } from '../model/ports/store-driver.ts';
import { toStoreError } from './io-fault.ts';

const manifestName = 'backup.json';
const manifestSchema = z.strictObject({
  format: z.literal(1),
  driver: z.string(),
  createdAt: z.int(),
  files: z.array(
    z.strictObject({
      path: z.string().refine((path) => !path.split(/[\\/]/).includes('..') && !/^([\\/]|\w:)/.test(path), 'leaves the backup'),
      bytes: z.int(),
      sha256: z.string(),
    }),
  ),
});

export type BackupManifest = z.infer<typeof manifestSchema>;

/** What a backup carries beside the driver's own files, so that it can become a home again. */
export interface HomeLayout {
  /** The name of the folder with the driver's files. */
  dataFolder: string;
  /** Files of the home itself, as paths. */
  companionFiles: readonly string[];
  /** Such files that need not be there. */
  optionalFiles?: readonly string[];
  /** Folders of the home with files that others keep there, replaced whole and never changed in place. */
  companionFolders?: readonly CompanionFolder[];
}

export interface CompanionFolder {
  path: string;
  /** Whether a file of this name belongs into a backup. */
  accepts(name: string): boolean;
}

export interface BackupTarget extends HomeLayout {
  folder: string;
  now: number;
}

export async function writeBackup(driver: StoreDriver, target: BackupTarget, progress?: Progress): Promise<BackupManifest> {
  if (!driver.supports.backup) throw new ContinuoError('not-supported', { driver: driver.name, what: 'back up' });
  const folder = resolve(target.folder);
  try {
    if (!(await isVacant(folder))) throw new ContinuoError('backup-exists', { path: folder });
    await makePrivateFolder(join(folder, target.dataFolder));
    // Before the log: what a checkpoint lacks is in the log's tail, but not the other way round.
    for (const companion of target.companionFolders ?? []) await copyCompanion(companion, join(folder, basename(companion.path)));
    await driver.backup(join(folder, target.dataFolder), progress);
    for (const companion of target.companionFolders ?? []) await dropGone(companion, join(folder, basename(companion.path)));
    for (const file of target.companionFiles) await copyPrivate(file, join(folder, basename(file)));
    for (const file of target.optionalFiles ?? [])
      await copyRegular(file, join(folder, basename(file))).catch(ifMissing(undefined));
    const files = [];
    for (const path of await listFiles(folder)) files.push({ path, ...(await measure(join(folder, path))) });
    const manifest: BackupManifest = { format: 1, driver: driver.name, createdAt: target.now, files };
    await writeFileAtomically(join(folder, manifestName), formatManifest(manifest));
    return manifest;
  } catch (error) {
    throw toStoreError(error, folder);
  }
}

/** Checks every file of a backup against its manifest. */
export async function checkBackup(folder: string, progress?: Progress): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  let done = 0;
  for (const file of manifest.files) {
    const found = await measure(join(folder, file.path)).catch(() => undefined);
    if (found?.sha256 !== file.sha256) {
      throw new ContinuoError('backup-invalid', { path: folder, reason: `${file.path} is ${found ? 'changed' : 'missing'}` });
    }
    progress?.(++done, manifest.files.length);
  }
  return manifest;
}

/** Turns a backup into a home again. The home must be vacant; it appears whole or not at all. */
export async function restoreBackup(folder: string, home: string, progress?: Progress): Promise<BackupManifest> {
  const source = resolve(folder);
  const target = resolve(home);
  const manifest = await checkBackup(source, progress);
  try {
    if (!(await isVacant(target))) throw new ContinuoError('home-not-empty', { path: target });
    const staging = `${target}.restoring-${process.pid}`;
    await makePrivateFolder(staging);
    try {
      for (const { path } of manifest.files) {
        await makePrivateFolder(dirname(join(staging, path)));
        await copyPrivate(join(source, path), join(staging, path));
      }
      await rm(target, { recursive: true, force: true });
      await rename(staging, target);
    } catch (error) {
      await rm(staging, { recursive: true, force: true });
      throw error;
    }
    await syncFolder(dirname(target));
    return manifest;
  } catch (error) {
    throw toStoreError(error, target);
  }
}

async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, manifestName);
  try {
    const text = await readFile(path, 'utf8');
    const { sum: _sum, ...fields } = JSON.parse(text) as Record<string, unknown>;
    const manifest = manifestSchema.parse(fields);
    if (formatManifest(manifest) !== text) throw new Error('it is not what was written');
    return manifest;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = missing ? `there is no ${manifestName} in it` : `its ${manifestName} cannot be read`;
    throw new ContinuoError('backup-invalid', { path: folder, reason }, { cause: error });
  }
}

/** With a checksum over itself: nothing else would notice a change in it. */
function formatManifest(manifest: BackupManifest): string {
  const sum = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
  return `${JSON.stringify({ ...manifest, sum }, null, 2)}\n`;
}

async function copyCompanion({ path, accepts }: CompanionFolder, target: string): Promise<void> {
  for (const file of await listFiles(path).catch(ifMissing([]))) {
    if (!accepts(basename(file))) continue;
    await makePrivateFolder(dirname(join(target, file)));
    await copyPrivate(join(path, file), join(target, file)).catch(ifMissing(undefined));
  }
}

/** What was purged while the log was copied is in neither of the two. */
async function dropGone({ path }: CompanionFolder, target: string): Promise<void> {
  for (const file of await listFiles(target).catch(ifMissing([]))) {
    const isThere = await stat(join(path, file)).then(() => true, ifMissing(false));
    if (!isThere) await rm(join(target, file));
  }
}

function ifMissing<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}

/** Names the file itself where it cannot be read: whoever reads of the backup's folder looks for the fault there. */
async function copyRegular(from: string, to: string): Promise<void> {
  const found = await lstat(from);
  if (found.isDirectory()) throw new ContinuoError('io-failed', { path: from, reason: 'a folder is in its place; move it away' });
  if (!found.isFile()) throw new ContinuoError('unsafe-path', { path: from, reason: 'it is not a regular file' });
  await access(from, constants.R_OK).catch((error: unknown) => {
    throw toStoreError(error, from);
  });
  await copyPrivate(from, to);
}

async function copyPrivate(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, privateFileMode);
}

async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}
