// The one case in which a file is written anew: text whose time is over must leave no byte behind. The new file takes the old one's
// place in one step, under the lock; everything that stays keeps its position.
import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { privateFileMode } from '../../../base/private-files.ts';
import type { EntryRecord, ExpireResult } from '../../../model/ports/store-driver.ts';
import { rewriteSuffix } from './folder-walk.ts';
import { decodeLine, type Head } from './head.ts';
import type { LineCodec, Metadata } from './line-codec.ts';
import { linesForward, type RawLine } from './line-reader.ts';
import { absolutePath, type LogPath, syncFolder } from './log-path.ts';
import { writeAll } from './log-writer.ts';

export interface RewriteOptions {
  folder: string;
  path: LogPath;
  /** The file as it is now, open. */
  fd: number;
  head: Head;
  codec: LineCodec;
  now: number;
}

export function isDue({ expiresAt }: { expiresAt: number | null }, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** How many entries of a file are due. */
export function countDue(fd: number, head: Head, codec: LineCodec, now: number): number {
  let count = 0;
  for (const raw of linesForward(fd, 0, head.end)) {
    const line = decodeLine(raw, codec);
    if (line?.kind === 'entry' && isDue(line.record, now)) count += 1;
  }
  return count;
}

/** Replaces the file by one without the text that is due. The caller forgets what it knew of the file. */
export async function rewriteLog(options: RewriteOptions): Promise<ExpireResult> {
  const { folder, path, fd, head, codec } = options;
  const absolute = absolutePath(folder, path);
  const temporary = absolute + rewriteSuffix;
  rmSync(temporary, { force: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const output = openSync(temporary, flags, privateFileMode);
  try {
    // At the beginning with what is certain already, at the end with what only reading through tells.
    const rewrites = head.rewrites + 1;
    writeAll(output, Buffer.from(codec.encodeMetadata({ ...head, rewrites })));
    const { result, metadata } = await copyLines(fd, output, options);
    writeAll(output, Buffer.from(codec.encodeMetadata({ ...metadata, rewrites })));
    fsyncSync(output);
    renameSync(temporary, absolute);
    syncFolder(dirname(absolute));
    return result;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(output);
  }
}

async function copyLines(fd: number, output: number, { head, codec, now }: RewriteOptions) {
  const policy = head.conversation.policy;
  const removes = policy.kind === 'ttl' && policy.afterwards === 'delete';
  const result: ExpireResult = { withheld: 0, removed: 0 };
  let nextExpiresAt: number | null = null;
  let unreadable: RawLine[] = [];
  let isLastDue = false;
  let chunk: Buffer[] = [];
  let size = 0;
  const put = (bytes: Buffer) => {
    chunk.push(bytes);
    size += bytes.length;
  };
  for (const raw of linesForward(fd, 0, head.end)) {
    const line = decodeLine(raw, codec);
    if (line?.kind === 'metadata') continue;
    if (!line) {
      unreadable.push(raw);
      continue;
    }
    const { record } = line;
    const due = isDue(record, now);
    // What cannot be read was said before this: where even this is due, so is that, and none of its bytes may stay.
    if (!due) for (const each of unreadable) put(withEnd(each.bytes));
    unreadable = [];
    isLastDue = due;
    if (due) result[removes ? 'removed' : 'withheld'] += 1;
    else if (record.expiresAt !== null) nextExpiresAt = Math.min(nextExpiresAt ?? record.expiresAt, record.expiresAt);
    if (!due) put(withEnd(raw.terminated ? raw.bytes : Buffer.from(codec.encodeEntry(record).slice(0, -1))));
    else if (!removes) put(Buffer.from(codec.encodeEntry(withhold(record))));
    if (size > 1024 * 1024) {
      writeAll(output, Buffer.concat(chunk));
      chunk = [];
      size = 0;
      await nextTurn();
    }
  }
  // Nor may what follows the last readable entry outlive it: nothing would ever tell that its time has come.
  if (!isLastDue) for (const each of unreadable) put(withEnd(each.bytes));
  writeAll(output, Buffer.concat(chunk));
  const { conversation, base, removed } = head;
  const metadata: Omit<Metadata, 'rewrites'> = { conversation, base, removed: removed + result.removed, nextExpiresAt };
  return { result, metadata };
}

function withhold(record: EntryRecord): EntryRecord {
  return { ...record, text: null, data: null, expiresAt: null };
}

function withEnd(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.from('\n')]);
}
