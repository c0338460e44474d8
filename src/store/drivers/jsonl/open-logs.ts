// The files this process has open and the heads it knows, both bounded. A head is handed out only after comparing it with the file:
// what other processes appended, replaced or removed is seen at the next look.
import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { ContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import { advanceHead, type FileVersion, type Head, loadHead } from './head.ts';
import type { LineCodec } from './line-codec.ts';
import { linesForward } from './line-reader.ts';
import { absolutePath, checkParents, isKeyedPath, type LogPath, type LogPaths } from './log-path.ts';

const maxOpenFiles = 64;
const maxHeads = 5000;

interface OpenFile {
  fd: number;
  inode: bigint;
  writable: boolean;
  /** How many writes are under way; such a file stays open. */
  pins: number;
}

export interface OpenLogsOptions {
  folder: string;
  paths: LogPaths;
  codec: LineCodec;
  /** Which conversation was acknowledged to be in that file, and up to which position; undefined where the file is not known. */
  acknowledged(path: LogPath): { id: ConversationId; lastSeq: number } | undefined;
}

export class OpenLogs {
  readonly #options: OpenLogsOptions;
  readonly #files = new Map<LogPath, OpenFile>();
  readonly #heads = new Map<LogPath, Head>();
  /** Files this process is writing: until that is durable, the head from before stands. */
  readonly #frozen = new Set<LogPath>();

  constructor(options: OpenLogsOptions) {
    this.#options = options;
  }

  /** The head as the file has it now; undefined where there is no such conversation. Throws `store-damaged` where it is past reading. */
  head(path: LogPath): Head | undefined {
    const known = this.#heads.get(path);
    if (this.#frozen.has(path)) return known;
    const version = this.#look(path);
    if (!version) {
      this.forget(path);
      return undefined;
    }
    if (known && sameVersion(known.version, version)) return known;
    const found = this.#openVersion(path, version.inode);
    if (!found) {
      this.forget(path);
      return undefined;
    }
    const { fd, version: opened } = found;
    const advanced = known && advanceHead(fd, known, opened, this.#options.codec);
    const head = advanced ?? this.#load(path, fd, opened);
    if (head) this.#remember(path, head);
    else this.#heads.delete(path);
    return head;
  }

  /** The file of a head that was just handed out, open for reading until the next asynchronous step. */
  reader(path: LogPath, head: Head): number {
    return this.#openFile(path, false, head.version.inode).fd;
  }

  /** The file open for appending, until {@link unpin}. */
  pin(path: LogPath, head: Head): number {
    const file = this.#openFile(path, true, head.version.inode);
    file.pins += 1;
    return file.fd;
  }

  unpin(path: LogPath): void {
    const file = this.#files.get(path);
    if (file) file.pins -= 1;
    this.#closeSurplus();
  }

  /** Until {@link thaw}, the heads of these files stay as they are known, whatever is written to the files. */
  freeze(paths: Iterable<LogPath>): void {
    for (const path of paths) this.#frozen.add(path);
  }

  thaw(paths: Iterable<LogPath>): void {
    for (const path of paths) this.#frozen.delete(path);
  }

  /** Takes over the head after a write of this process. */
  replaceHead(path: LogPath, head: Head): void {
    this.#remember(path, head);
  }

  forget(path: LogPath): void {
    this.#heads.delete(path);
    const file = this.#files.get(path);
    if (!file || file.pins > 0) return;
    this.#files.delete(path);
    closeSync(file.fd);
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file.fd);
    this.#files.clear();
    this.#heads.clear();
  }

  #look(path: LogPath): FileVersion | undefined {
    const absolute = absolutePath(this.#options.folder, path);
    const status = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    if (!status) return undefined;
    if (status.isSymbolicLink()) throw new ContinuoError('unsafe-path', { path: absolute, reason: 'it is a symbolic link' });
    if (!status.isFile()) throw new ContinuoError('unsafe-path', { path: absolute, reason: 'it is not a regular file' });
    return toVersion(status);
  }

  /** Undefined where another process removed the file since it was looked at. */
  #openVersion(path: LogPath, inode: bigint): { fd: number; version: FileVersion } | undefined {
    try {
      const { fd } = this.#openFile(path, false, inode);
      return { fd, version: toVersion(fstatSync(fd, { bigint: true })) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  #openFile(path: LogPath, forWriting: boolean, inode: bigint): OpenFile {
    const present = this.#files.get(path);
    const isCurrent = present && (present.writable || !forWriting) && present.inode === inode;
    if (present && (isCurrent || present.pins > 0)) {
      this.#files.delete(path);
      this.#files.set(path, present);
      return present;
    }
    if (present) {
      this.#files.delete(path);
      closeSync(present.fd);
    }
    const file = this.#openAnew(path, forWriting);
    this.#files.set(path, file);
    this.#closeSurplus();
    return file;
  }

  #openAnew(path: LogPath, forWriting: boolean): OpenFile {
    checkParents(this.#options.folder, path);
    const absolute = absolutePath(this.#options.folder, path);
    const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
    const appending = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
    let fd: number;
    let writable = true;
    try {
      fd = this.#openOrMakeRoom(absolute, appending);
    } catch (error) {
      if (forWriting || !isDenied(error)) throw error;
      fd = this.#openOrMakeRoom(absolute, readOnly);
      writable = false;
    }
    return { fd, inode: fstatSync(fd, { bigint: true }).ino, writable, pins: 0 };
  }

  #openOrMakeRoom(absolute: string, flags: number): number {
    try {
      return openSync(absolute, flags);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EMFILE' || !this.#closeSurplus(0)) throw error;
      return openSync(absolute, flags);
    }
  }

  /** Closes files, those not used for longest first, until so many are left; false where none could be closed. */
  #closeSurplus(limit = maxOpenFiles): boolean {
    const before = this.#files.size;
    for (const [path, file] of this.#files) {
      if (this.#files.size <= limit) break;
      if (file.pins > 0) continue;
      this.#files.delete(path);
      closeSync(file.fd);
    }
    return this.#files.size < before;
  }

  #load(path: LogPath, fd: number, version: FileVersion): Head | undefined {
    const { codec, folder, acknowledged: find } = this.#options;
    const head = loadHead(fd, version, codec);
    const acknowledged = find(path);
    if (!head) {
      // A creation that was cut short before it was acknowledged: as if it had never begun.
      if (acknowledged === undefined && isUnborn(fd, version.size)) return undefined;
      throw new ContinuoError('store-damaged', {
        path: absolutePath(folder, path),
        reason: 'no line with its metadata can be read',
      });
    }
    const { conversation } = head;
    if (isKeyedPath(path) ? !this.#ownsKey(path, head) : basename(path) !== `${conversation.id}.jsonl`) {
      throw new ContinuoError('store-damaged', {
        path: absolutePath(folder, path),
        reason: 'its name belongs to another conversation',
      });
    }
    if (!isKeyedPath(path)) delete conversation.key;
    // Entries that were acknowledged and are gone from the file leave a gap; their positions are not given out again.
    if (acknowledged?.id === conversation.id) conversation.lastSeq = Math.max(conversation.lastSeq, acknowledged.lastSeq);
    return head;
  }

  #ownsKey(path: LogPath, { conversation }: Head): boolean {
    return conversation.key !== undefined && this.#options.paths.forKey(conversation.key) === path;
  }

  #remember(path: LogPath, head: Head): void {
    this.#heads.delete(path);
    this.#heads.set(path, head);
    if (this.#heads.size <= maxHeads) return;
    const [oldest] = this.#heads.keys();
    this.#heads.delete(oldest as LogPath);
  }
}

export function toVersion(status: { ino: bigint; size: bigint; mtimeNs: bigint }): FileVersion {
  return { inode: status.ino, size: Number(status.size), modifiedAt: status.mtimeNs };
}

export function isUnborn(fd: number, size: number): boolean {
  for (const raw of linesForward(fd, 0, size)) return !raw.terminated;
  return true;
}

function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function sameVersion(one: FileVersion, other: FileVersion): boolean {
  return one.size === other.size && one.modifiedAt === other.modifiedAt && one.inode === other.inode;
}
