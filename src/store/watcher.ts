// Live views of the log. A watcher keeps a position, not a queue: however slow its reader is, it holds one page at a time.
import type { Entry } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';
import type { AppendNotice, StoreDriver } from '../model/ports/store-driver.ts';

export interface WatchOptions {
  /** Start after this position; by default with the next entry that is said. */
  after?: number;
  signal?: AbortSignal;
}

/** Entries of one conversation as they become durable, whoever appends them. Ends when the signal aborts. */
export async function* watchEntries(
  driver: StoreDriver,
  id: ConversationId,
  start: number,
  readAfter: (seq: number) => Promise<Entry[]>,
  signal: AbortSignal,
): AsyncGenerator<Entry> {
  const bell = new Bell(signal);
  const unfollow = driver.follow((notice) => {
    if (notice.conversationId === id) bell.ring();
  });
  try {
    let position = start;
    while (!signal.aborted) {
      const entries = await readAfter(position);
      for (const entry of entries) {
        if (signal.aborted) return;
        yield entry;
        position = entry.seq;
      }
      if (entries.length === 0) await bell.rung();
    }
  } finally {
    unfollow();
    bell.putAway();
  }
}

/** Which conversations grew, merged per conversation while the reader is busy. */
export async function* watchAppends(driver: StoreDriver, signal: AbortSignal): AsyncGenerator<AppendNotice> {
  const bell = new Bell(signal);
  const newest = new Map<ConversationId, AppendNotice>();
  const unfollow = driver.follow((notice) => {
    newest.set(notice.conversationId, notice);
    bell.ring();
  });
  try {
    while (!signal.aborted) {
      for (const [id, notice] of newest) {
        newest.delete(id);
        if (signal.aborted) return;
        yield notice;
      }
      if (newest.size === 0) await bell.rung();
    }
  } finally {
    unfollow();
    bell.putAway();
  }
}

/** Remembers one ring, so that a notice between two waits is not missed. */
class Bell {
  #pending = false;
  #wake: (() => void) | undefined;
  /** Drivers look for news without keeping the process alive; somebody who waits for news does. */
  readonly #stay = setInterval(() => undefined, 2 ** 30);

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.ring(), { once: true });
    if (signal.aborted) this.#pending = true;
  }

  putAway(): void {
    clearInterval(this.#stay);
  }

  ring(): void {
    this.#pending = true;
    this.#wake?.();
  }

  async rung(): Promise<void> {
    if (!this.#pending) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#wake = undefined;
    this.#pending = false;
  }
}
