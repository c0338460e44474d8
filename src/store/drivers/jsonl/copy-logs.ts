// A consistent copy of every conversation's file, taken while others go on writing. A file only grows at its end and is replaced as
// a whole, so what is open now up to its last whole line is a state it once had, however long the copying takes.
import { closeSync, constants, fstatSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isVacant, privateFileMode } from '../../../base/private-files.ts';
import { ContinuoError, isContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { Progress } from '../../../model/ports/store-driver.ts';
import { draftFolder } from './draft-files.ts';
import { walkFolders } from './folder-walk.ts';
import { readAt } from './line-reader.ts';
import { absolutePath, keyedFolder, type LogPath, makeParents, syncFolder, unkeyedFolder } from './log-path.ts';
import { writeAll } from './log-writer.ts';
import type { Shelf } from './reconcile.ts';

const chunkSize = 1024 * 1024;

export async function copyLogs(shelf: Shelf, target: string, progress?: Progress): Promise<void> {
  if (!(await isVacant(target))) throw new ContinuoError('backup-exists', { path: target });
  const drafts = await copyDrafts(shelf, target);
  const paths = [...walkFolders(shelf.folder)].filter(({ kind }) => kind === 'log').map(({ path }) => path);
  for (const top of [unkeyedFolder, keyedFolder]) makeParents(target, `${top}/`);
  const folders = new Set<string>();
  let done = 0;
  for (const path of paths) {
    await copyLog(shelf, target, path);
    folders.add(dirname(absolutePath(target, path)));
    progress?.(++done, paths.length);
  }
  // Nor may a draft outlive the conversation it belonged to.
  for (const [id, copy] of drafts) if (!shelf.catalogue.findById(id)) rmSync(copy, { force: true });
  if (drafts.size > 0) folders.add(absolutePath(target, draftFolder));
  for (const folder of folders) syncFolder(folder);
  syncFolder(target);
}

/** Before the logs: what ends meanwhile is then in the copy twice, as a draft and as an entry, and never missing. */
function copyDrafts({ drafts, coordination }: Shelf, target: string): Promise<Map<ConversationId, string>> {
  return coordination.locked(() => {
    const copies = new Map<ConversationId, string>();
    for (const id of drafts.ids()) {
      const bytes = drafts.presentBytes(id);
      if (!bytes) continue;
      makeParents(target, `${draftFolder}/`);
      const copy = absolutePath(target, `${draftFolder}/${id}.0`);
      writeNew(copy, bytes);
      copies.set(id, copy);
    }
    return copies;
  });
}

function writeNew(absolute: string, bytes: Buffer): void {
  const output = openSync(absolute, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, privateFileMode);
  try {
    writeAll(output, bytes);
    fsyncSync(output);
  } finally {
    closeSync(output);
  }
}

async function copyLog(shelf: Shelf, target: string, path: LogPath): Promise<void> {
  const source = await openWhole(shelf, path);
  if (!source) return;
  try {
    makeParents(target, path);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    const output = openSync(absolutePath(target, path), flags, privateFileMode);
    try {
      for (let position = 0; position < source.end; position += chunkSize) {
        writeAll(output, readAt(source.fd, position, Math.min(chunkSize, source.end - position)));
        await nextTurn();
      }
      if (source.unterminated) writeAll(output, Buffer.from('\n'));
      fsyncSync(output);
    } finally {
      closeSync(output);
    }
  } finally {
    closeSync(source.fd);
  }
}

interface Source {
  fd: number;
  /** Where the last whole line ends. */
  end: number;
  unterminated: boolean;
}

/** Undefined where the file is gone or was never finished. */
function openWhole({ coordination, logs, folder }: Shelf, path: LogPath): Promise<Source | undefined> {
  return coordination.locked(() => {
    const absolute = absolutePath(folder, path);
    const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
    try {
      const head = logs.head(path);
      return head && { fd: openSync(absolute, readOnly), end: head.end, unterminated: head.unterminated };
    } catch (error) {
      if (!isContinuoError(error, 'store-damaged')) throw error;
      // Copied as it is: there may be something to save in it.
      const fd = openSync(absolute, readOnly);
      return { fd, end: fstatSync(fd).size, unterminated: false };
    }
  });
}
