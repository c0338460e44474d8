// What an import did, in figures: what was taken, what was left out and why, which sources could not be read.
import type { ErrorCode } from '../model/error-codes.ts';
import type { SkippedNote, SkipReason } from './transcript-format.ts';

export interface ImportReport {
  /**
   * Sessions looked at, by what came of them. `empty`: nothing was said in it. `trashed`: the conversation is in the trash.
   * `purged`: the conversation was purged here, and what was purged is left alone.
   */
  sources: Record<SourceOutcome, number>;
  entries: number;
  /** Of these, messages of people and answers. */
  messages: number;
  /** Entries of a source that were stored before. */
  known: number;
  skipped: SkippedCount[];
  /** The first broken, too long or refused places, with file and line: {@link mostBroken}, and {@link mostOfFile} of one file. */
  broken: SkippedNote[];
  failed: FailedSource[];
}

export type SourceOutcome = 'created' | 'grown' | 'unchanged' | 'empty' | 'trashed' | 'purged' | 'failed';

export interface SkippedCount {
  reason: SkipReason;
  what: string;
  count: number;
}

export interface FailedSource {
  path: string;
  id: string;
  code: ErrorCode;
  reason: string;
}

const mostBroken = 100;
/** One file that is broken throughout must not hide the others. */
const mostOfFile = 10;
const mostKinds = 500;
/** What is named with its place. */
export const noteworthy: ReadonlySet<SkipReason> = new Set(['broken', 'too-long', 'refused', 'link']);

/** Of an import that met nothing. */
export function createReport(): ImportReport {
  return {
    sources: { created: 0, grown: 0, unchanged: 0, empty: 0, trashed: 0, purged: 0, failed: 0 },
    entries: 0,
    messages: 0,
    known: 0,
    skipped: [],
    broken: [],
    failed: [],
  };
}

export class ReportKeeper {
  readonly #report = createReport();
  readonly #skipped = new Map<string, SkippedCount>();
  #unread = 0;
  #others = 0;
  readonly #brokenOf = new Map<string, number>();

  get report(): ImportReport {
    const skipped = [...this.#skipped.values()].sort((a, b) => b.count - a.count);
    return { ...this.#report, skipped };
  }

  /** How many were left out by now because they could not be read, and for whatever other reason. */
  get notes(): { unread: number; others: number } {
    return { unread: this.#unread, others: this.#others };
  }

  ended(outcome: SourceOutcome): void {
    this.#report.sources[outcome] += 1;
  }

  failed(failure: FailedSource): void {
    this.#report.failed.push(failure);
    this.ended('failed');
  }

  stored(entries: readonly { kind: string }[]): void {
    this.#report.entries += entries.length;
    for (const { kind } of entries) if (kind === 'message') this.#report.messages += 1;
  }

  known(): void {
    this.#report.known += 1;
  }

  skipped(note: SkippedNote): void {
    const { reason } = note;
    if (reason === 'broken' || reason === 'too-long') this.#unread += 1;
    else this.#others += 1;
    const key = `${reason} ${note.what}`;
    // Kinds come from the files: a hostile one must not fill the memory with them.
    const name = this.#skipped.has(key) || this.#skipped.size < mostKinds ? key : `${reason} …`;
    const count = this.#skipped.get(name);
    if (count) count.count += 1;
    else this.#skipped.set(name, { reason, what: name === key ? note.what.slice(0, 200) : '…', count: 1 });
    if (!noteworthy.has(reason) || this.#report.broken.length >= mostBroken) return;
    const path = note.path ?? '';
    const ofFile = (this.#brokenOf.get(path) ?? 0) + 1;
    this.#brokenOf.set(path, ofFile);
    if (ofFile <= mostOfFile) this.#report.broken.push(note);
  }
}
