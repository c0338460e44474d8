// The doctor's look at the folder: is it there, can only its owner read it, does the disk have room.
import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate } from '../../base/private-files.ts';
import type { Context } from '../context.ts';
import { formatSize } from '../output/size.ts';
import { packagesFolder } from '../recall/configured-embedder.ts';
import type { Finding } from './finding.ts';

/** Below this a store can run out of room within a day. */
const leastFreeBytes = 100 * 1024 * 1024;

export async function checkHome({ home, text: { doctor } }: Context): Promise<Finding> {
  const found = await lstat(home).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    if (found.code === 'ENOENT') return { check: 'home', status: 'note', message: doctor.noHome(home), next: doctor.noHomeNext };
    return {
      check: 'home',
      status: 'problem',
      code: 'home-unreadable',
      message: doctor.homeUnreadable(home, found.message),
      next: doctor.homeUnreadableNext,
    };
  }
  if (found.isDirectory() || found.isSymbolicLink()) return { check: 'home', status: 'ok', message: doctor.homeFound(home) };
  return {
    check: 'home',
    status: 'problem',
    code: 'home-no-folder',
    message: doctor.homeNoFolder(home),
    next: doctor.homeNoFolderNext,
  };
}

export async function checkPermissions({ home, text: { doctor } }: Context, fix: boolean): Promise<Finding> {
  const loose = await listLoose(home, packagesFolder({ home }));
  if (loose.length === 0) return { check: 'permissions', status: 'ok', message: doctor.permissionsFine };
  const names = loose.slice(0, 3).join(', ') + (loose.length > 3 ? ', …' : '');
  const problem = {
    check: 'permissions',
    status: 'problem',
    code: 'loose-permissions',
    message: doctor.permissionsLoose(loose.length, names),
  } as const;
  if (!fix) return { ...problem, next: doctor.permissionsNext };
  for (const path of loose) await makePrivate(path).catch(() => undefined);
  const left = await listLoose(home, packagesFolder({ home }));
  if (left.length > 0)
    return {
      ...problem,
      message: doctor.permissionsLoose(left.length, left.slice(0, 3).join(', ')),
      next: doctor.permissionsNotOurs,
    };
  return { check: 'permissions', status: 'fixed', code: 'loose-permissions', message: doctor.permissionsFixed(loose.length) };
}

export async function checkDisk({ home, text: { doctor } }: Context): Promise<Finding> {
  const { bavail, bsize } = await statfs(home);
  const free = bavail * bsize;
  if (free >= leastFreeBytes) return { check: 'disk', status: 'ok', message: doctor.diskFree(formatSize(free)) };
  return {
    check: 'disk',
    status: 'problem',
    code: 'disk-nearly-full',
    message: doctor.diskNearlyFull(formatSize(free)),
    next: doctor.diskNext,
  };
}

/** Files and folders that others than their owner may use. Links are not followed. */
async function listLoose(path: string, except: string): Promise<string[]> {
  // Installed packages hold nothing that was said, and belong to who installed them.
  if (process.platform === 'win32' || path === except) return [];
  const found = await lstat(path);
  const loose = !found.isSymbolicLink() && (found.mode & 0o077) !== 0 ? [path] : [];
  if (!found.isDirectory()) return loose;
  // A file may go while we look: another process works here too.
  for (const name of await readdir(path)) loose.push(...(await listLoose(join(path, name), except).catch(() => [])));
  return loose;
}
