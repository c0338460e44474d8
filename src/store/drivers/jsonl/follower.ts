// Telling listeners about appends: those of this process at once, those of others when their commit shows in the coordination file.
// That file is watched where the system can and asked at intervals in any case; nothing runs while nobody listens.
import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { ConversationId } from '../../../model/id.ts';
import type { AppendNotice } from '../../../model/ports/store-driver.ts';
import type { Catalogue } from './catalogue.ts';
import { type Coordination, coordinationFile } from './coordination.ts';

type Listener = (notice: AppendNotice) => void;

const interval = 200;
/** Several commits close together are looked at once. */
const settling = 5;
const maxRemembered = 10_000;

export class Follower {
  readonly #coordination: Coordination;
  readonly #catalogue: Catalogue;
  readonly #refresh: () => Promise<void>;
  readonly #listeners = new Set<Listener>();
  /** What listeners were told last, so that they are not told of this process's appends twice. */
  readonly #told = new Map<ConversationId, number>();
  #lastAppend = 0;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #watcher: FSWatcher | undefined;

  /** `refresh` makes sure that the catalogue is still the one everybody uses. */
  constructor(coordination: Coordination, catalogue: Catalogue, refresh: () => Promise<void>) {
    this.#coordination = coordination;
    this.#catalogue = catalogue;
    this.#refresh = refresh;
  }

  follow(listener: Listener): () => void {
    // One entry per call: the same function may follow twice.
    const own: Listener = (notice) => listener(notice);
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  tell(notices: readonly AppendNotice[]): void {
    if (this.#listeners.size === 0) return;
    for (const notice of notices) {
      if ((this.#told.get(notice.conversationId) ?? 0) >= notice.lastSeq) continue;
      if (this.#told.size >= maxRemembered) this.#told.clear();
      this.#told.set(notice.conversationId, notice.lastSeq);
      for (const listener of [...this.#listeners]) listener({ ...notice });
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#watcher?.close();
    this.#timer = undefined;
    this.#soon = undefined;
    this.#watcher = undefined;
    this.#listeners.clear();
    this.#told.clear();
  }

  #start(): void {
    this.#lastAppend = this.#catalogue.lastAppend();
    this.#timer = setInterval(() => void this.#look(), interval).unref();
    try {
      this.#watcher = watch(dirname(this.#coordination.path), { persistent: false }, (_, file) => {
        if (file?.startsWith(coordinationFile)) this.#lookSoon();
      });
      // The watch may end, with its folder or for want of handles: the interval goes on.
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = undefined;
    }
  }

  #lookSoon(): void {
    this.#soon ??= setTimeout(() => void this.#look(), settling).unref();
  }

  async #look(): Promise<void> {
    this.#soon = undefined;
    try {
      await this.#refresh();
      const appends = this.#catalogue.appendedSince(this.#lastAppend);
      this.#lastAppend = appends.at(-1)?.appended ?? this.#lastAppend;
      this.tell(appends.map(({ id, lastSeq }) => ({ conversationId: id, lastSeq })));
    } catch {
      // Busy, or out of handles: the next look comes soon.
    }
  }
}
