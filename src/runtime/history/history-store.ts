// The part of a conversation that a model is shown: segments of entries, oldest first, within two limits. Trimming forgets here
// what the log keeps, so it can always be undone by loading again. A tool call is never parted from its result.
import type { EntryId } from '../../model/id.ts';
import type { PromptItem } from '../../model/ports/text-model.ts';
import { type HistorySegment, tokensOf } from './history-segment.ts';
import { PromptView } from './prompt-view.ts';

export interface HistoryLimits {
  maxItems: number;
  maxTokens: number;
}

export const defaultHistoryLimits: HistoryLimits = { maxItems: 2000, maxTokens: 120_000 };

/** A segment is mostly a turn; long turns are cut into several, so that trimming takes no more than it has to. */
const mostItemsInSegment = 16;
const segmentsInLimit = 8;
const mostResultCharacters = 100_000;

export interface HistoryTrim {
  dropped: number;
  kept: number;
  reason: 'items' | 'tokens' | 'overflow';
}

/** An entry as it was said, with its place in the log where the policy keeps it. */
export interface PlacedItem {
  item: PromptItem;
  id?: EntryId;
  seq?: number;
}

export class HistoryStore {
  readonly limits: HistoryLimits;
  readonly #segmentItems: number;
  readonly #segmentTokens: number;
  // Views share this array: it only grows at the end, and is exchanged for a shorter one when its front was forgotten.
  #segments: HistorySegment[] = [];
  #first = 0;
  #items = 0;
  #tokens = 0;
  #dropped = 0;
  #summary: string | undefined;
  #unsummarised: HistorySegment[] = [];
  readonly #openCalls = new Set<string>();
  readonly #keepsDropped: boolean;

  /** With `keepsDropped`, what was trimmed is held until {@link takeDropped} hands it to a summariser. */
  constructor(limits: HistoryLimits, options: { keepsDropped?: boolean } = {}) {
    this.limits = limits;
    this.#segmentItems = Math.max(1, Math.min(mostItemsInSegment, Math.floor(limits.maxItems / segmentsInLimit)));
    this.#segmentTokens = limits.maxTokens / segmentsInLimit;
    this.#keepsDropped = options.keepsDropped ?? false;
  }

  get items(): number {
    return this.#items;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** How many entries of the conversation are not shown. */
  get dropped(): number {
    return this.#dropped;
  }

  get segments(): number {
    return this.#segments.length - this.#first;
  }

  /** Adds new entries and trims to the limits; tells what was trimmed. */
  append(added: readonly PlacedItem[]): HistoryTrim | undefined {
    for (const placed of added) this.#add(placed);
    return this.#trim(this.limits, this.#items > this.limits.maxItems ? 'items' : 'tokens');
  }

  /** Trims further than the limits ask, after a model said that it cannot read so much. */
  trimTo(maxTokens: number): HistoryTrim | undefined {
    return this.#trim({ maxItems: this.limits.maxItems, maxTokens }, 'overflow');
  }

  /** Everything that is kept, then what is given; costs the same however much that is. */
  buildView(pending: readonly PromptItem[] = []): PromptView {
    const last = this.#segments.at(-1);
    return new PromptView({
      ...(this.#dropped > 0 && { head: this.#describeDropped() }),
      segments: this.#segments,
      first: this.#first,
      end: this.#segments.length,
      lastLength: last?.items.length ?? 0,
      pending,
    });
  }

  /** Entries that were left in the log when the rest was loaded, and the text that stands for them. */
  startAfter(dropped: number, summary?: string): void {
    this.#dropped = dropped;
    this.#summary = summary;
  }

  /** What was trimmed since it was last asked for, oldest first, with the text that stood for everything before. */
  takeDropped(): { items: PromptItem[]; from: number; to: number; summary: string | undefined } | undefined {
    const segments = this.#unsummarised;
    this.#unsummarised = [];
    const from = segments.find((segment) => segment.firstSeq > 0)?.firstSeq;
    const to = segments.findLast((segment) => segment.lastSeq > 0)?.lastSeq;
    if (from === undefined || to === undefined) return undefined;
    return { items: segments.flatMap((segment) => segment.items), from, to, summary: this.#summary };
  }

  /** A text that stands for everything trimmed so far. */
  summarise(summary: string): void {
    this.#summary = summary;
  }

  #add({ item: said, seq = 0 }: PlacedItem): void {
    const item = shorten(said);
    const segment = this.#segmentFor(item);
    const tokens = tokensOf(item);
    segment.items.push(item);
    segment.tokens += tokens;
    segment.firstSeq ||= seq;
    segment.lastSeq = seq || segment.lastSeq;
    this.#items += 1;
    this.#tokens += tokens;
    if (item.kind === 'tool-call') this.#openCalls.add(item.callId);
    else if (item.kind === 'tool-result') this.#openCalls.delete(item.callId);
  }

  /** The newest segment, or a new one: at every human word, and where a long turn has filled one, but never within a tool's call. */
  #segmentFor(item: PromptItem): HistorySegment {
    const newest = this.#segments.length > this.#first ? this.#segments.at(-1) : undefined;
    const isHuman = item.kind === 'message' && item.role === 'user';
    // A call whose turn died has no result any more: the next human word shows that nothing is open.
    if (isHuman) this.#openCalls.clear();
    const mayEnd = this.#openCalls.size === 0 && item.kind !== 'tool-result';
    const isFull = newest !== undefined && (newest.items.length >= this.#segmentItems || newest.tokens >= this.#segmentTokens);
    if (newest && !(mayEnd && (isHuman || isFull))) return newest;
    const segment: HistorySegment = { items: [], tokens: 0, firstSeq: 0, lastSeq: 0 };
    this.#segments.push(segment);
    return segment;
  }

  #trim(limits: HistoryLimits, reason: HistoryTrim['reason']): HistoryTrim | undefined {
    let dropped = 0;
    // The newest segment stays whatever it costs: a prompt without the question is no prompt.
    while ((this.#items > limits.maxItems || this.#tokens > limits.maxTokens) && this.segments > 1) {
      const segment = this.#segments[this.#first] as HistorySegment;
      this.#first += 1;
      this.#items -= segment.items.length;
      this.#tokens -= segment.tokens;
      dropped += segment.items.length;
      if (this.#keepsDropped) this.#unsummarised.push(segment);
    }
    if (dropped === 0) return undefined;
    this.#dropped += dropped;
    if (this.#first > this.#segments.length / 2) {
      this.#segments = this.#segments.slice(this.#first);
      this.#first = 0;
    }
    return { dropped, kept: this.#items, reason };
  }

  #describeDropped(): PromptItem {
    const text = this.#summary ?? `The first ${this.#dropped} entries of this conversation are not shown here.`;
    return { kind: 'summary', text, covers: { from: 1, to: this.#dropped } };
  }
}

/** A result that is too long for any model is shown by its beginning and its end. The log has it whole. */
function shorten(item: PromptItem): PromptItem {
  if (item.kind !== 'tool-result' || item.text.length <= mostResultCharacters) return item;
  const half = mostResultCharacters / 2;
  const left = item.text.length - mostResultCharacters;
  const [start, end] = [item.text.slice(0, half).toWellFormed(), item.text.slice(-half).toWellFormed()];
  return { ...item, text: `${start}\n… ${left} characters left out …\n${end}` };
}
