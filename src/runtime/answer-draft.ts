// Makes an answer durable while it is still being said: the text so far is put into the store again and again, at most one write
// at a time and not more often than is useful. What a crash leaves is the last of these.

/** How long a piece may wait before it is written, in milliseconds. Longer answers are written less often, so that the bytes stay few. */
const shortestWait = 100;
const charactersPerMillisecond = 200;

/** What may be the beginning of a secret is held back until its end is known, so that it can be masked as a whole. */
const unfinishedWord = /[\w+/=.~-]+$/;
const longestWord = 256;

export interface AnswerDraftOptions {
  /** Makes the text durable. */
  save(text: string): Promise<void>;
  onSaved(characters: number): void;
}

export class AnswerDraft {
  readonly #options: AnswerDraftOptions;
  #text = '';
  #saved = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #fault: { error: unknown } | undefined;
  #ended = false;

  constructor(options: AnswerDraftOptions) {
    this.#options = options;
  }

  /** Adds a piece. Throws what went wrong with an earlier one: an answer that cannot be kept is not worth streaming. */
  push(piece: string): void {
    if (this.#fault) throw this.#fault.error;
    this.#text += piece;
    this.#schedule();
  }

  /** Stops writing; resolves when no write is under way. What comes next is the append of the whole answer. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#writing;
  }

  #schedule(): void {
    if (this.#ended || this.#timer || this.#writing) return;
    const wait = this.#saved === 0 ? 0 : Math.max(shortestWait, this.#text.length / charactersPerMillisecond);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#write();
    }, wait);
  }

  async #write(): Promise<void> {
    const length = this.#text.length;
    const text = this.#text.slice(0, length - unfinishedLength(this.#text));
    try {
      if (text.length > this.#saved) {
        await this.#options.save(text);
        this.#saved = text.length;
        if (!this.#ended) this.#options.onSaved(text.length);
      }
    } catch (error) {
      this.#fault = { error };
    }
    this.#writing = undefined;
    if (this.#text.length > length && !this.#fault) this.#schedule();
  }
}

/** Only the end is looked at: the rest of a long answer was looked at before. */
function unfinishedLength(text: string): number {
  return unfinishedWord.exec(text.slice(-longestWord))?.[0].length ?? 0;
}
