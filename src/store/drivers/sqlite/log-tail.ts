// The newest stretch of the log, which `positions` and the conversations' counters do not know yet. Each connection mirrors it in
// memory, so that an append only adds rows to the log. Every so many rows the tail is settled: indexed and counted in one go.
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';

/** How many rows may wait. Settling them takes a few milliseconds; finding them again after a crash takes about as long. */
const settleAfter = 2048;

interface TailRow {
  number: number;
  conversation: number;
  seq: number;
  at: number;
}

/** The unsettled entries of one conversation: entry `numbers[i]` has position `firstSeq + i`. */
export interface TailThread {
  firstSeq: number;
  numbers: number[];
  activeAt: number;
}

export class LogTail {
  readonly threads = new Map<number, TailThread>();
  readonly #dataVersion: Statement<[], number>;
  readonly #settled: Statement<[], number>;
  readonly #epoch: Statement<[], number>;
  readonly #nextEpoch: Statement<[], number>;
  readonly #rowsAfter: Statement<[number], TailRow>;
  readonly #index: Statement<[number]>;
  readonly #count: Statement<[number, number, number]>;
  readonly #mark: Statement<[number]>;
  #seenVersion = -1;
  #settledUpTo = 0;
  #lastNumber = 0;
  /** Which changes but appends are taken in. Together with the next number it tells whether this view is still the newest. */
  epoch = -1;
  /** The last number that is surely in the log: where to go on after a rollback. */
  #safeNumber = 0;

  constructor(database: Database) {
    this.#dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#settled = database.prepare<[], number>("SELECT value FROM state WHERE name = 'settled'").pluck();
    this.#epoch = database.prepare<[], number>("SELECT value FROM state WHERE name = 'epoch'").pluck();
    this.#nextEpoch = database
      .prepare<[], number>("UPDATE state SET value = value + 1 WHERE name = 'epoch' RETURNING value")
      .pluck();
    this.#rowsAfter = database.prepare('SELECT number, conversation, seq, at FROM entries WHERE number > ? ORDER BY number');
    // A damaged row that fits nowhere is passed over, so that it does not keep all others from being settled; `verify` misses it.
    this.#index = database.prepare(
      'INSERT OR IGNORE INTO positions (conversation, seq, entry) SELECT conversation, seq, number FROM entries WHERE number > ? ORDER BY conversation, seq',
    );
    this.#count = database.prepare('UPDATE conversations SET last_seq = ?, active_at = max(active_at, ?) WHERE number = ?');
    this.#mark = database.prepare("UPDATE state SET value = ? WHERE name = 'settled'");
  }

  /** Call at the start of a transaction. Takes in what other connections did; undefined if that was nothing. */
  refresh(): TailRow[] | undefined {
    this.#safeNumber = this.#lastNumber;
    const version = this.#dataVersion.get() as number;
    if (version === this.#seenVersion) return undefined;
    this.#seenVersion = version;
    this.epoch = this.#epoch.get() as number;
    const settledUpTo = this.#settled.get() as number;
    const known = this.#lastNumber;
    let start = known;
    if (settledUpTo !== this.#settledUpTo) {
      // Somebody settled: what we mirror is indexed now. On the first look there is no news, only the tail to take in.
      this.threads.clear();
      this.#settledUpTo = settledUpTo;
      start = known === 0 ? settledUpTo : Math.min(known, settledUpTo);
    }
    const rows = this.#rowsAfter.all(start);
    for (const row of rows) if (row.number > settledUpTo) this.#add(row);
    this.#lastNumber = Math.max(known, settledUpTo, rows.at(-1)?.number ?? 0);
    this.#safeNumber = this.#lastNumber;
    return known === 0 ? [] : rows.filter((row) => row.number > known);
  }

  /** Forgets what a rolled-back transaction added; the next {@link refresh} reads the tail again. */
  reset(): void {
    this.threads.clear();
    this.#lastNumber = this.#safeNumber;
    this.#seenVersion = -1;
    this.#settledUpTo = -1;
  }

  /** Call inside a write transaction that did more than append: nobody may go on with what was true before. */
  beginEpoch(): void {
    this.epoch = this.#nextEpoch.get() as number;
  }

  get nextNumber(): number {
    return this.#lastNumber + 1;
  }

  /** Takes in a row this connection wrote. */
  add(row: TailRow): void {
    this.#add(row);
    this.#lastNumber = row.number;
  }

  get isLong(): boolean {
    return this.#lastNumber - this.#settledUpTo >= settleAfter;
  }

  /** Call inside a write transaction, after {@link refresh}; on failure of the transaction call {@link reset}. */
  settle(): void {
    if (this.threads.size === 0) return;
    this.#index.run(this.#settledUpTo);
    for (const [conversation, thread] of this.threads) {
      this.#count.run(thread.firstSeq + thread.numbers.length - 1, thread.activeAt, conversation);
    }
    this.#mark.run(this.#lastNumber);
    this.#settledUpTo = this.#lastNumber;
    this.threads.clear();
  }

  #add({ number, conversation, seq, at }: TailRow): void {
    const thread = this.threads.get(conversation);
    if (thread) {
      thread.numbers.push(number);
      if (at > thread.activeAt) thread.activeAt = at;
    } else {
      this.threads.set(conversation, { firstSeq: seq, numbers: [number], activeAt: at });
    }
  }
}
