// From a conversation's id to its file. The catalogue knows the place; where it does not, or is wrong, the files are looked through.
import type { ConversationId } from '../../../model/id.ts';
import type { Head } from './head.ts';
import type { LogPath, LogPaths } from './log-path.ts';
import { reconcile, type Shelf } from './reconcile.ts';

export interface FoundLog {
  path: LogPath;
  head: Head;
}

export class LogFinder {
  readonly #shelf: Shelf & { paths: LogPaths };

  constructor(shelf: Shelf & { paths: LogPaths }) {
    this.#shelf = shelf;
  }

  async find(id: ConversationId): Promise<FoundLog | undefined> {
    const known = this.findKnown(id);
    if (known) return known;
    await reconcile(this.#shelf, 'names');
    return this.findKnown(id);
  }

  /** Without looking through the folders: right whenever the catalogue is. */
  findKnown(id: ConversationId): FoundLog | undefined {
    const { catalogue, paths } = this.#shelf;
    const row = catalogue.findById(id);
    return (row && this.#at(row.path, id)) ?? this.#at(paths.forId(id), id);
  }

  #at(path: LogPath, id: ConversationId): FoundLog | undefined {
    const head = this.#shelf.logs.head(path);
    return head?.conversation.id === id ? { path, head } : undefined;
  }
}
