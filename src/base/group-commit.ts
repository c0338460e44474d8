// Many callers, one commit. Items submitted while the previous batch is being written travel together in the next,
// so that the price of one fsync is shared. Order of submission is order of commit, and one batch is in flight at a time.

export interface GroupCommitOptions {
  /** The most items one batch may hold; keeps one commit from blocking the event loop for long. */
  maxBatch?: number;
}

interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(reason: unknown): void;
}

export class GroupCommit<Item, Outcome> {
  readonly #commit: (items: Item[]) => Promise<Outcome[]>;
  readonly #maxBatch: number;
  #waiting: Waiting<Item, Outcome>[] = [];
  #running = false;
  #idle: (() => void)[] = [];

  constructor(commit: (items: Item[]) => Promise<Outcome[]>, options: GroupCommitOptions = {}) {
    this.#commit = commit;
    this.#maxBatch = options.maxBatch ?? 1000;
  }

  /** Resolves with the item's outcome when the batch that carries it is committed. */
  submit(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      // Not a microtask: everybody who is ready to submit in this turn of the event loop shall share the commit,
      // and a caller that appends in a tight loop must not starve timers and sockets.
      setImmediate(() => void this.#drain());
    });
  }

  /** Resolves when nothing is waiting or in flight. */
  settled(): Promise<void> {
    return this.#running ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.length <= this.#maxBatch ? this.#waiting : this.#waiting.slice(0, this.#maxBatch);
      this.#waiting = batch === this.#waiting ? [] : this.#waiting.slice(this.#maxBatch);
      try {
        const outcomes = await this.#commit(batch.map((waiting) => waiting.item));
        batch.forEach((waiting, i) => waiting.resolve(outcomes[i] as Outcome));
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
      await nextTurn();
    }
    this.#running = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
