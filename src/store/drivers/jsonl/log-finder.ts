// From a conversation's id to its file. The catalogue knows the place; where it does not, or is wrong, the files are looked through.
import type { ConversationId } from '../../../model/id.ts';
import type { Head } from './head.ts';
import type { LogPath, LogPaths } from './log-path.ts';
import { reconcile, type Shelf } from './reconcile.ts';

export interface FoundLog {
  path: LogPath;
  head: Head;
}

const maxRemembered = 10_000;

export class LogFinder {
  readonly #shelf: Shelf & { paths: LogPaths };
  /** Where conversations were found last: asked first, and believed only where the file agrees. */
  readonly #remembered = new Map<ConversationId, LogPath>();

  constructor(shelf: Shelf & { paths: LogPaths }) {
    this.#shelf = shelf;
  }

  async find(id: ConversationId): Promise<FoundLog | undefined> {
    const known = this.findKnown(id);
    if (known && this.#remembered.has(id)) return known;
    // Also where the file is there but not in the catalogue: lists must know it too.
    await reconcile(this.#shelf, 'names');
    return this.findKnown(id);
  }

  /** Without looking through the folders: right whenever the catalogue is. */
  findKnown(id: ConversationId): FoundLog | undefined {
    const { catalogue, paths } = this.#shelf;
    const remembered = this.#at(this.#remembered.get(id), id);
    if (remembered) return remembered;
    this.#remembered.delete(id);
    const listed = this.#at(catalogue.findById(id)?.path, id);
    if (listed) this.#remember(id, listed.path);
    return listed ?? this.#at(paths.forId(id), id);
  }

  /** Makes sure that {@link findKnown} knows the conversation, if there is one. */
  async prepare(id: ConversationId): Promise<void> {
    if (!this.#remembered.has(id)) await this.find(id);
  }

  #at(path: LogPath | undefined, id: ConversationId): FoundLog | undefined {
    const head = path === undefined ? undefined : this.#shelf.logs.head(path);
    return path !== undefined && head?.conversation.id === id ? { path, head } : undefined;
  }

  #remember(id: ConversationId, path: LogPath): void {
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
    this.#remembered.set(id, path);
  }
}
