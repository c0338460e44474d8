// What a model call cost, as Copilot records it right before the answer it belongs to. Where no such answer comes it is an entry of its own.
import type { JsonObject } from '../../base/json.ts';
import { countIn, type Fields, listIn, textIn, wordIn } from '../fields.ts';
import type { TranscriptItem } from '../transcript-format.ts';

interface Waiting {
  id: string;
  call: string | undefined;
  counts: [number, number, number];
}

export class CopilotUsage {
  #waiting: Waiting | undefined;

  constructor(state: Fields) {
    const id = textIn(state, 'used');
    const [input, output, cached] = listIn(state, 'usedCounts');
    if (id === undefined || typeof input !== 'number' || typeof output !== 'number' || typeof cached !== 'number') return;
    this.#waiting = { id, call: textIn(state, 'usedCall'), counts: [input, output, cached] };
  }

  state(): JsonObject {
    if (!this.#waiting) return {};
    const { id, call, counts } = this.#waiting;
    return { used: id, usedCounts: counts, ...(call !== undefined && { usedCall: call }) };
  }

  /** Remembers it; gives what waited before and found no answer. */
  note(usage: Fields, id: string): TranscriptItem[] {
    const left = this.#leave();
    const count = (name: string) => countIn(usage, name) ?? 0;
    const counts: [number, number, number] = [count('inputTokens'), count('outputTokens'), count('cacheReadTokens')];
    if (counts[0] + counts[1] > 0) this.#waiting = { id, call: wordIn(usage, 'apiCallId'), counts };
    return left;
  }

  /** What the answer of this model call cost. */
  take(call: string | undefined): {
    items: TranscriptItem[];
    usage?: Record<'inputTokens' | 'outputTokens' | 'cachedTokens', number>;
  } {
    const waiting = this.#waiting;
    if (!waiting || waiting.call !== call) return { items: this.#leave() };
    this.#waiting = undefined;
    return { items: [], usage: toUsage(waiting) };
  }

  #leave(): TranscriptItem[] {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) return [];
    return [{ type: 'entry', id: waiting.id, entry: { kind: 'event', name: 'model-usage', counts: toUsage(waiting), text: '' } }];
  }
}

function toUsage({ counts: [inputTokens, outputTokens, cachedTokens] }: Waiting) {
  return { inputTokens, outputTokens, cachedTokens };
}
