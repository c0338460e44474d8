// Questions to the person, one after another. The text of a question stands in the talk; what was being typed comes back when it is
// answered. Nothing but a typed answer and Enter counts as one.
import { type Editor, editorOf, emptyEditor } from './editor.ts';

interface Asked {
  prompt: string;
  initial: string;
  /** The answer that was typed; undefined where it is none. */
  accepts(typed: string): boolean;
  /** What can be typed, as people are told. */
  keys: string;
  settle(typed: string | undefined): void;
}

export interface AskOptions {
  prompt: string;
  initial?: string;
  accepts?: (typed: string) => boolean;
  keys?: string;
  /** Asked no longer where it is aborted. */
  signal?: AbortSignal;
  /** Called when it is this question's turn. */
  onAsked?: () => void;
}

export class Questions {
  readonly #onChange: (asked: { prompt: string } | undefined, editor: Editor) => void;
  readonly #currentEditor: () => Editor;
  #waiting: Asked[] = [];
  #unfinished: Editor = emptyEditor;
  #isClosed = false;

  /** `onChange` is told what is asked now, and what the line holds then. */
  constructor(currentEditor: () => Editor, onChange: (asked: { prompt: string } | undefined, editor: Editor) => void) {
    this.#currentEditor = currentEditor;
    this.#onChange = onChange;
  }

  get isAsking(): boolean {
    return this.#waiting.length > 0;
  }

  /** What was typed; undefined where the person turned away, or there is nobody any more. */
  ask({ prompt, initial = '', accepts = () => true, keys = '', signal, onAsked }: AskOptions): Promise<string | undefined> {
    if (this.#isClosed || signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const asked: Asked & { onAsked?: () => void } = {
        prompt,
        initial,
        accepts,
        keys,
        settle: (typed) => {
          signal?.removeEventListener('abort', withdraw);
          this.#remove(asked);
          resolve(typed);
        },
        ...(onAsked && { onAsked }),
      };
      const withdraw = () => asked.settle(undefined);
      signal?.addEventListener('abort', withdraw, { once: true });
      this.#waiting.push(asked);
      if (this.#waiting.length > 1) return;
      this.#unfinished = this.#currentEditor();
      this.#begin(asked);
    });
  }

  /** Enter was pressed. Where that was no answer: what would be one. */
  answer(typed: string): { keys: string } | undefined {
    const [asked] = this.#waiting;
    if (!asked) return undefined;
    if (!asked.accepts(typed)) return { keys: asked.keys };
    asked.settle(typed);
    return undefined;
  }

  turnAway(): void {
    this.#waiting[0]?.settle(undefined);
  }

  close(): void {
    this.#isClosed = true;
    for (const asked of [...this.#waiting]) asked.settle(undefined);
  }

  #begin(asked: Asked & { onAsked?: () => void }): void {
    asked.onAsked?.();
    this.#onChange({ prompt: asked.prompt }, editorOf(asked.initial));
  }

  #remove(asked: Asked): void {
    const wasAsked = this.#waiting[0] === asked;
    this.#waiting = this.#waiting.filter((other) => other !== asked);
    if (!wasAsked) return;
    const [next] = this.#waiting;
    if (next) this.#begin(next);
    else this.#onChange(undefined, this.#unfinished);
  }
}
