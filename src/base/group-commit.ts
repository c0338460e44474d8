// Many callers, one commit. Items submitted while the previous batch is being written travel together in the next, so that the
// price of one fsync is shared. Order of submission is order of commit, and one batch is in flight at a time.

export interface GroupCommitOptions {
  /** The most items one batch may hold; keeps one commit from blocking the event loop for long. */
  maxBatch?: number;
}

interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(reason: unknown): void;
}

/** How long commits may follow each other without letting timers and sockets have their turn. */
const turnLength = 5;

export class GroupCommit<Item, Outcome> {
  readonly #commit: (items: Item[]) => Promise<Outcome[]>;
  readonly #maxBatch: number;
  #waiting: Waiting<Item, Outcome>[] = [];
  #busy = false;
  #lastSize = 0;
  #turnStart = 0;
  #idle: (() => void)[] = [];

  constructor(commit: (items: Item[]) => Promise<Outcome[]>, options: GroupCommitOptions = {}) {
    this.#commit = commit;
    this.#maxBatch = options.maxBatch ?? 1000;
  }

  /** Resolves with the item's outcome when the batch that carries it is committed. */
  submit(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      this.#schedule();
    });
  }

  /** Resolves when nothing is waiting or in flight. */
  settled(): Promise<void> {
    return this.#busy ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }

  /**
   * Everybody who is ready to submit shall share the commit. A turn of the event loop gathers them all but costs as much as a tenth
   * of a commit, so it is taken only when others are likely to come (the last batch was larger) or when one is due.
   */
  #schedule(): void {
    if (performance.now() - this.#turnStart > turnLength) this.#nextTurn();
    else if (this.#waiting.length >= this.#lastSize) void this.#flush();
    else queueMicrotask(() => (this.#waiting.length < this.#lastSize ? this.#nextTurn() : void this.#flush()));
  }

  #nextTurn(): void {
    setImmediate(() => {
      this.#turnStart = performance.now();
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting.length <= this.#maxBatch ? this.#waiting : this.#waiting.slice(0, this.#maxBatch);
    this.#waiting = batch === this.#waiting ? [] : this.#waiting.slice(this.#maxBatch);
    this.#lastSize = batch.length;
    try {
      const outcomes = await this.#commit(batch.map((waiting) => waiting.item));
      for (let i = 0; i < batch.length; i++) batch[i]?.resolve(outcomes[i] as Outcome);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
    if (this.#waiting.length > 0) {
      this.#schedule();
      return;
    }
    this.#busy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
