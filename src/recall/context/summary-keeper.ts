// Keeps summaries and topics of conversations at work up to date: after so many new messages, and when a talk ends. Nobody waits for
// it: a turn only says that it ended. What a model would write is cut off at the end and written in the conversation's own sentences,
// so that closing is quick and nothing is lost.
import { isContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { SummaryWriter } from './write-summary.ts';

export interface SummaryKeeperOptions {
  store: ConversationStore;
  /** After so many new messages; 0 for never. */
  threshold: number;
  autoExtract?: boolean;
  maxTopics?: number;
  /** Without it summaries are made of the conversation's own sentences. */
  writer?: SummaryWriter | undefined;
  /** Told why the writer did not write one; the conversation's own sentences took its place. */
  onWriterFailed?: (error: unknown) => void;
  /** Told what went wrong otherwise: there is no new summary then. */
  onProblem?: (error: unknown) => void;
  /** Milliseconds after a turn during which the next one may begin undisturbed. Default 300. */
  pause?: number;
}

/** A talk of fewer messages is its own summary. */
const leastAtEnd = 6;

export class SummaryKeeper {
  readonly #options: SummaryKeeperOptions;
  readonly #due = new Set<ConversationId>();
  readonly #seen = new Set<ConversationId>();
  readonly #cut = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(options: SummaryKeeperOptions) {
    this.#options = options;
  }

  /** Something was said. Returns at once. */
  turnEnded(id: ConversationId): void {
    if (this.#options.threshold <= 0 || this.#closed !== undefined) return;
    this.#seen.add(id);
    this.#due.add(id);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), this.#options.pause ?? 300);
    // A process that has nothing else to do closes, and that sees to it.
    this.#timer.unref();
  }

  /** Does now what is due after so many messages, and waits for it until the signal. */
  async settle(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#timer);
    const stop = () => this.#cut.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await this.#run();
    signal.removeEventListener('abort', stop);
  }

  /** The end of everything. Of a talk also what is below the threshold is summed up. Safe to call twice. */
  close({ isTalk }: { isTalk: boolean }): Promise<void> {
    this.#closed ??= this.#close(isTalk);
    return this.#closed;
  }

  async #close(isTalk: boolean): Promise<void> {
    clearTimeout(this.#timer);
    this.#cut.abort();
    if (isTalk) for (const id of this.#seen) this.#due.add(id);
    await this.#run(isTalk ? Math.min(leastAtEnd, this.#options.threshold) : undefined);
  }

  #run(least?: number): Promise<void> {
    this.#work = this.#work.then(async () => {
      const ids = [...this.#due];
      this.#due.clear();
      for (const id of ids) await this.#write(id, least ?? this.#options.threshold);
    });
    return this.#work;
  }

  async #write(id: ConversationId, least: number): Promise<void> {
    const { store, onProblem, threshold: _threshold, pause: _pause, ...options } = this.#options;
    try {
      const conversation = await store.find(id);
      if (!conversation || conversation.lastSeq < least) return;
      // Mostly there is nothing to write, and nobody waits for what writing needs.
      const { writeSummary } = await import('./write-summary.ts');
      await writeSummary(store, id, { ...options, least, signal: this.#cut.signal });
    } catch (error) {
      // Purged or trashed meanwhile: there is nothing left to sum up.
      if (isContinuoError(error, 'conversation-not-found') || isContinuoError(error, 'conversation-trashed')) return;
      onProblem?.(error);
    }
  }
}
