// Putting lines at the end of a file so that they stay, and taking them back where they could not be made to stay. Complete lines
// that were acknowledged are never touched.
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { privateFileMode } from '../../../base/private-files.ts';
import { type Head, markOf } from './head.ts';
import { absolutePath, type LogPath, makeParents, syncFolder } from './log-path.ts';
import { toVersion } from './open-logs.ts';

const syncInThread = promisify(fdatasync);

/** Writes the lines after the last whole one of `head`. The caller syncs, or takes them back with {@link takeBack}. */
export function writeLines(fd: number, head: Head, lines: string): Buffer {
  // A torn line that was never acknowledged goes; a whole one that only lacks its end gets it.
  if (head.version.size > head.end) ftruncateSync(fd, head.end);
  const bytes = Buffer.from(head.unterminated ? `\n${lines}` : lines, 'utf8');
  writeAll(fd, bytes);
  return bytes;
}

/** Restores the length from before a write that failed. */
export function takeBack(fd: number, head: Head): void {
  ftruncateSync(fd, head.end);
  fdatasyncSync(fd);
}

/** What the file looks like after the write of these bytes: the head moves with it. */
export function settleHead(fd: number, head: Head, bytes: Buffer): void {
  head.version = toVersion(fstatSync(fd, { bigint: true }));
  head.end = head.version.size;
  head.unterminated = false;
  head.mark = markOf(bytes);
}

/** Makes a new file with the lines in it, durably, name included. Fails with EEXIST where there is one. */
export function createLog(folder: string, path: LogPath, lines: string): void {
  makeParents(folder, path);
  const absolute = absolutePath(folder, path);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const fd = openSync(absolute, flags, privateFileMode);
  try {
    writeAll(fd, Buffer.from(lines, 'utf8'));
    fdatasyncSync(fd);
    syncFolder(dirname(absolute));
  } catch (error) {
    unlinkSync(absolute);
    throw error;
  } finally {
    closeSync(fd);
  }
}

export function writeAll(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}

/**
 * Makes files durable. While the disk is quick, a lone file is synced on the spot: waking a thread for it takes longer than the sync.
 * Once syncs are slow on average, they move to threads, so that the event loop does not wait for a slow disk.
 */
export class Syncer {
  /** Milliseconds, smoothed over some sixteen syncs. */
  #usual = 0;

  async sync(fds: readonly number[]): Promise<void> {
    const [only] = fds;
    const started = performance.now();
    if (fds.length === 1 && this.#usual < quick) fdatasyncSync(only as number);
    else {
      const results = await Promise.allSettled(fds.map((fd) => syncInThread(fd)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    }
    this.#usual += (performance.now() - started - this.#usual) / 16;
  }
}

/** Milliseconds. */
const quick = 1;
