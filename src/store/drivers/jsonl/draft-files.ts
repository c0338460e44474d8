// Drafts, two small files for each conversation that has one: `drafts/<id>.0` and `drafts/<id>.1`. The newer version is always written
// into the file that does not hold the present one, so that a crash in the middle leaves the one before; then the older is emptied.
// Everything but reading happens within a turn.
import { closeSync, constants, ftruncateSync, lstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { privateFileMode } from '../../../base/private-files.ts';
import { type ConversationId, isConversationId } from '../../../model/id.ts';
import type { DraftRecord } from '../../../model/ports/store-driver.ts';
import type { LineCodec, VersionedDraft } from './line-codec.ts';
import { absolutePath, checkFolder, type LogPath, makeParents, syncFolder } from './log-path.ts';
import { type Syncer, writeAll } from './log-writer.ts';

export const draftFolder = 'drafts';
const slots = [0, 1] as const;
type Slot = (typeof slots)[number];

/** The present version of a draft and the file that holds it. */
export interface PresentDraft extends VersionedDraft {
  slot: Slot;
}

/** A version that was written and may still be taken back. */
interface WrittenDraft {
  id: ConversationId;
  slot: Slot;
  version: number;
}

/** A file in the folder of drafts; no id where it is no draft's. */
export interface DraftFile {
  path: LogPath;
  id: ConversationId | undefined;
}

export interface DraftFilesOptions {
  folder: string;
  codec: LineCodec;
  syncer: Syncer;
}

export class DraftFiles {
  readonly #options: DraftFilesOptions;
  /** What this process wrote last; believed where neither file has changed since. */
  readonly #written = new Map<ConversationId, { slot: Slot; version: number; stamp: string }>();

  constructor(options: DraftFilesOptions) {
    this.#options = options;
  }

  /** Made with the first draft. A link in its place is not followed. */
  hasFolder(): boolean {
    if (!lstatSync(this.#folder, { throwIfNoEntry: false })) return false;
    checkFolder(this.#folder);
    return true;
  }

  /** Undefined where there is none; `unreadable` where there is something that is no whole draft: damaged, or just being written. */
  find(id: ConversationId): PresentDraft | 'unreadable' | undefined {
    if (!this.hasFolder()) return undefined;
    let present: PresentDraft | undefined;
    let isEmpty = true;
    for (const slot of slots) {
      const bytes = this.#read(id, slot);
      if (!bytes || bytes.length === 0) continue;
      isEmpty = false;
      const found = this.#options.codec.decodeDraft(bytes, id);
      if (found && found.version > (present?.version ?? 0)) present = { ...found, slot };
    }
    return present ?? (isEmpty ? undefined : 'unreadable');
  }

  /** The file that holds the present version, as it is. */
  presentBytes(id: ConversationId): Buffer | undefined {
    const present = this.find(id);
    return present === undefined || present === 'unreadable' ? undefined : this.#read(id, present.slot);
  }

  /** Makes the drafts durable; where one cannot be, none is. The versions before them stay until {@link settle}. */
  async write(drafts: ReadonlyMap<ConversationId, DraftRecord>): Promise<WrittenDraft[]> {
    const written: WrittenDraft[] = [];
    const files: number[] = [];
    let isNew = false;
    if (drafts.size > 0) makeParents(this.#options.folder, `${draftFolder}/`);
    try {
      for (const [id, draft] of drafts) {
        const before = this.#present(id);
        const next: WrittenDraft = { id, slot: before?.slot === 0 ? 1 : 0, version: (before?.version ?? 0) + 1 };
        isNew ||= lstatSync(this.#path(id, next.slot), { throwIfNoEntry: false }) === undefined;
        const fd = openSync(this.#path(id, next.slot), writing | constants.O_CREAT, privateFileMode);
        files.push(fd);
        written.push(next);
        const bytes = Buffer.from(this.#options.codec.encodeDraft(id, { draft, version: next.version }));
        ftruncateSync(fd, 0);
        writeAll(fd, bytes);
      }
      if (files.length > 0) await this.#options.syncer.sync(files);
      if (isNew) syncFolder(this.#folder);
      return written;
    } catch (error) {
      this.takeBack(written);
      throw error;
    } finally {
      for (const fd of files) closeSync(fd);
    }
  }

  /** What was written last was refused after all. */
  takeBack(written: readonly WrittenDraft[]): void {
    for (const { id, slot } of written) this.#empty(id, slot);
  }

  /** The versions before those that were written are not needed any more. */
  settle(written: readonly WrittenDraft[]): void {
    for (const { id, slot, version } of written) {
      this.#empty(id, slot === 0 ? 1 : 0);
      this.#written.delete(id);
      if (this.#written.size >= 1000) this.#written.clear();
      this.#written.set(id, { slot, version, stamp: this.#stamp(id) });
    }
  }

  remove(id: ConversationId): void {
    this.#written.delete(id);
    if (!slots.some((slot) => lstatSync(this.#path(id, slot), { throwIfNoEntry: false }))) return;
    for (const slot of slots) rmSync(this.#path(id, slot), { force: true });
    syncFolder(this.#folder);
  }

  /** Removes these drafts unless they were replaced since they were seen. */
  removeSeen(seen: ReadonlyMap<ConversationId, number>): void {
    for (const [id, version] of seen) {
      const present = this.find(id);
      if (present === 'unreadable' || present?.version === version) this.remove(id);
    }
  }

  *files(): Generator<DraftFile> {
    if (!this.hasFolder()) return;
    for (const entry of readdirSync(this.#folder, { withFileTypes: true })) {
      const [, id = ''] = /^(.*)\.[01]$/.exec(entry.name) ?? [];
      yield { path: `${draftFolder}/${entry.name}`, id: entry.isFile() && isConversationId(id) ? id : undefined };
    }
  }

  /** Whether the file holds something that is no whole draft. */
  isTorn(path: LogPath, id: ConversationId): boolean {
    const bytes = readIfThere(absolutePath(this.#options.folder, path));
    return bytes !== undefined && bytes.length > 0 && this.#options.codec.decodeDraft(bytes, id) === undefined;
  }

  ids(): Set<ConversationId> {
    return new Set([...this.files()].flatMap(({ id }) => (id === undefined ? [] : [id])));
  }

  get #folder(): string {
    return absolutePath(this.#options.folder, draftFolder);
  }

  #present(id: ConversationId): { slot: Slot; version: number } | undefined {
    const known = this.#written.get(id);
    if (known && known.stamp === this.#stamp(id)) return known;
    const found = this.find(id);
    return found === 'unreadable' ? undefined : found;
  }

  #stamp(id: ConversationId): string {
    return slots
      .map((slot) => lstatSync(this.#path(id, slot), { bigint: true, throwIfNoEntry: false }))
      .map((status) => (status ? `${status.ino} ${status.size} ${status.mtimeNs}` : ''))
      .join();
  }

  #read(id: ConversationId, slot: Slot): Buffer | undefined {
    return readIfThere(this.#path(id, slot));
  }

  #empty(id: ConversationId, slot: Slot): void {
    try {
      const fd = openSync(this.#path(id, slot), writing);
      ftruncateSync(fd, 0);
      closeSync(fd);
    } catch {
      // Not there, or the medium refuses even this: a version with a lower number is passed over in any case.
    }
  }

  #path(id: ConversationId, slot: Slot): string {
    return absolutePath(this.#options.folder, `${draftFolder}/${id}.${slot}`);
  }
}

const noFollow = constants.O_NOFOLLOW ?? 0;
const writing = constants.O_WRONLY | noFollow;

function readIfThere(absolute: string): Buffer | undefined {
  try {
    const fd = openSync(absolute, constants.O_RDONLY | noFollow);
    try {
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
