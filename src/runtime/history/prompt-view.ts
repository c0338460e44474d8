// What one model call is shown, as a walk over shared segments: nothing is copied, and making one costs the same for a hundred
// entries as for a hundred thousand. It stays as it was made while the history goes on.
import type { PromptItem } from '../../model/ports/text-model.ts';
import type { HistorySegment } from './history-segment.ts';

export interface PromptViewParts {
  /** Stands for what is not shown. */
  head?: PromptItem;
  segments: readonly HistorySegment[];
  /** The first segment that is shown, and the place behind the last. */
  first: number;
  end: number;
  /** How much of the newest segment is shown: it may grow later. */
  lastLength: number;
  pending: readonly PromptItem[];
}

export class PromptView implements Iterable<PromptItem> {
  readonly #parts: PromptViewParts;

  constructor(parts: PromptViewParts) {
    this.#parts = parts;
  }

  *[Symbol.iterator](): Generator<PromptItem> {
    const { head, segments, first, end, lastLength, pending } = this.#parts;
    if (head) yield head;
    for (let index = first; index < end; index++) {
      const { items } = segments[index] as HistorySegment;
      const length = index === end - 1 ? lastLength : items.length;
      for (let place = 0; place < length; place++) yield items[place] as PromptItem;
    }
    yield* pending;
  }
}
