// Where a conversation's file lies inside the store's folder, and the refusal to follow links there. A file among the keyed ones
// holds its key by its place: moving it out of there is what gives the key up.
import { closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { privateFolderMode } from '../../../base/private-files.ts';
import type { Conversation } from '../../../model/conversation.ts';
import { ContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { Sealer } from '../../../model/ports/sealer.ts';
import { encodeFileName } from './file-name.ts';

/** Relative to the store's folder, with `/` between its parts on every system. */
export type LogPath = string;

export const unkeyedFolder = 'conversations';
export const keyedFolder = 'keyed';

export class LogPaths {
  readonly #sealer: Sealer | undefined;

  constructor(sealer?: Sealer) {
    this.#sealer = sealer;
  }

  forConversation({ id, key }: Pick<Conversation, 'id' | 'key'>): LogPath {
    return key === undefined ? this.forId(id) : this.forKey(key);
  }

  forId(id: ConversationId): LogPath {
    return `${unkeyedFolder}/${id}.jsonl`;
  }

  forKey(key: string): LogPath {
    // The encoded name is plain ASCII, so that keys which differ in broken characters only do not share a fingerprint.
    const name = encodeFileName(key);
    return `${keyedFolder}/${this.#sealer ? `${this.#sealer.fingerprint(name)}.jsonl` : name}`;
  }
}

export function isKeyedPath(path: LogPath): boolean {
  return path.startsWith(`${keyedFolder}/`);
}

/** Every system Node runs on takes `/` between the parts. */
export function absolutePath(folder: string, path: LogPath): string {
  return `${folder}/${path}`;
}

/** Refuses a path one of whose folders inside the store is a link or no folder; the file itself is opened without following. */
export function checkParents(folder: string, path: LogPath): void {
  for (const parent of parentsOf(path)) checkFolder(absolutePath(folder, parent));
}

/** Refuses a link, or anything else that is no folder, in the place of a folder. */
export function checkFolder(absolute: string): void {
  const status = lstatSync(absolute);
  if (status.isSymbolicLink()) throw new ContinuoError('unsafe-path', { path: absolute, reason: 'it is a symbolic link' });
  if (!status.isDirectory()) throw new ContinuoError('unsafe-path', { path: absolute, reason: 'it is not a folder' });
}

/** Makes the folders of the path that are missing, durably. */
export function makeParents(folder: string, path: LogPath): void {
  let above = folder;
  for (const parent of parentsOf(path)) {
    const absolute = absolutePath(folder, parent);
    try {
      mkdirSync(absolute, { mode: privateFolderMode });
      syncFolder(above);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    above = absolute;
  }
  checkParents(folder, path);
}

/** Makes the names in a folder durable. */
export function syncFolder(absolute: string): void {
  // Windows cannot open folders and keeps their names durable by itself.
  if (process.platform === 'win32') return;
  const fd = openSync(absolute, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The folders of a path inside the store, outermost first. */
export function parentsOf(path: LogPath): LogPath[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
