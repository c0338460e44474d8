// A stretch of one conversation that fits into an answer: forward from a position, or backward from the end. What is longer than the
// answer goes on in the next one, in the middle of a message if need be; only what tools printed is cut.
import type { Conversation } from '../model/conversation.ts';
import type { Entry } from '../model/entry.ts';
import { cleanQuote } from '../recall/context/clean-quote.ts';
import type { QuotedPassage } from '../recall/context/quoted-passage.ts';
import type { Call } from './server-tool.ts';

export interface PagePlace {
  direction: 'forward' | 'backward';
  /** Forward: after this position. Backward: before it, 0 for the end. */
  seq: number;
  /** Characters of the first entry that were shown before: from its beginning, or going backward from its end. */
  offset: number;
}

export interface PageEntry {
  entry: Entry;
  who: QuotedPassage['who'];
  text: string;
  /** It goes on, or began, on another page; or a tool printed more. */
  isPartial: boolean;
}

export interface ConversationPage {
  entries: PageEntry[];
  next?: PagePlace;
}

const readAtOnce = 100;
/** However short they are: each costs a heading as well. */
const mostEntries = 100;
const longestToolResult = 1500;
/** Less of an entry is not worth beginning it. */
const leastPiece = 400;

export function readStretch(call: Call, conversation: Conversation, place: PagePlace, room: number): Promise<ConversationPage> {
  return place.direction === 'forward'
    ? readForward(call, conversation, place, room)
    : readBackward(call, conversation, place, room);
}

async function readForward(call: Call, conversation: Conversation, place: PagePlace, room: number): Promise<ConversationPage> {
  const entries: PageEntry[] = [];
  let left = room;
  let { offset } = place;
  for (let after: number | undefined = place.seq; after !== undefined; ) {
    const { quotable, next } = await readSome(call, conversation, { after });
    for (const entry of quotable) {
      const { who, text, isCut } = toText(entry);
      const rest = text.slice(offset);
      if (isFull(entries, rest, left)) return { entries, next: { direction: 'forward', seq: entry.seq - 1, offset: 0 } };
      const piece = cutAt(rest, left);
      if (piece !== '') entries.push({ entry, who, text: piece, isPartial: isCut || offset > 0 || piece.length < rest.length });
      left -= piece.length;
      if (piece.length < rest.length)
        return { entries, next: { direction: 'forward', seq: entry.seq - 1, offset: offset + piece.length } };
      offset = 0;
    }
    after = next?.after;
  }
  return { entries };
}

async function readBackward(call: Call, conversation: Conversation, place: PagePlace, room: number): Promise<ConversationPage> {
  const entries: PageEntry[] = [];
  let left = room;
  let { offset } = place;
  for (let before: number | undefined = place.seq || conversation.lastSeq + 1; before !== undefined; ) {
    const { quotable, next } = await readSome(call, conversation, { before });
    for (const entry of quotable.reverse()) {
      const { who, text, isCut } = toText(entry);
      const rest = text.slice(0, Math.max(0, text.length - offset));
      if (isFull(entries, rest, left))
        return { entries: entries.reverse(), next: { direction: 'backward', seq: entry.seq + 1, offset: 0 } };
      const piece = cutFrom(rest, left);
      if (piece !== '') entries.push({ entry, who, text: piece, isPartial: isCut || offset > 0 || piece.length < rest.length });
      left -= piece.length;
      if (piece.length < rest.length) {
        const shown = offset + piece.length;
        return { entries: entries.reverse(), next: { direction: 'backward', seq: entry.seq + 1, offset: shown } };
      }
      offset = 0;
    }
    before = next?.before;
  }
  return { entries: entries.reverse() };
}

/** Whether what is left of an entry belongs on the next page. */
function isFull(entries: readonly PageEntry[], rest: string, left: number): boolean {
  if (entries.length === 0 || rest === '') return false;
  return entries.length === mostEntries || left <= 0 || (rest.length > left && left < leastPiece);
}

/** In the order of the log, whichever way it is gone through. */
async function readSome(call: Call, conversation: Conversation, from: { after: number } | { before: number }) {
  call.signal.throwIfAborted();
  const order = 'after' in from ? 'forward' : 'backward';
  const { items, next } = await call.outlook.store.read(conversation.id, { ...from, order, limit: readAtOnce });
  if (order === 'backward') items.reverse();
  return { quotable: await call.visibility.quotable(items, conversation), next };
}

function toText(entry: Entry): { who: QuotedPassage['who']; text: string; isCut: boolean } {
  const text = cleanQuote('text' in entry ? entry.text : '');
  if (entry.kind === 'tool-result')
    return { who: 'tool', text: cutAt(text, longestToolResult), isCut: text.length > longestToolResult };
  const who =
    entry.kind === 'summary' ? 'summary' : entry.kind === 'message' && entry.role === 'assistant' ? 'assistant' : 'user';
  return { who, text, isCut: false };
}

/** Never in the middle of a character. */
function cutAt(text: string, length: number): string {
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(length - 1)) && text.length > length;
  return text.slice(0, Math.max(0, isSplit ? length - 1 : length));
}

/** The end of it. */
function cutFrom(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  const isSplit = start > 0 && /[\udc00-\udfff]/.test(text.charAt(start));
  return text.slice(isSplit ? start + 1 : start);
}
