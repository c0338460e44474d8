// Which parts of a line stand in quotation marks: what is quoted is talked about, not meant. Quotation marks belong together within one
// line; an apostrophe and the sign for inches are none. One pass over the line.
import type { Stretch } from './literal-text.ts';

export interface QuotedLine {
  /** In order and without overlaps, their marks included. */
  quotes: Stretch[];
  /** Where a mark stands that nothing closes: what follows may still close it. */
  open: number | undefined;
}

const pairs: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’', '「': '」', '『': '』', '«': '»' };
/** Marks that are used for something else as well. */
const ambiguous = new Set(['"', "'", '’']);
const word = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/** Marks that stand directly around something. */
export function isBetweenMarks(text: string, { start, end }: Stretch): boolean {
  const close = pairs[text[start - 1] ?? ''];
  return close !== undefined && text[end] === close;
}

export function isMark(character: string | undefined): boolean {
  return character !== undefined && Object.hasOwn(pairs, character);
}

/** `literal` are stretches that hold no marks, in order; `isWhole` where nothing more comes on the line. */
export function readQuotes(text: string, line: Stretch, literal: readonly Stretch[], isWhole: boolean): QuotedLine {
  const quotes: Stretch[] = [];
  let open: number | undefined;
  const marks = findMarks(text, line, literal);
  const closing = new Map<string, number[]>(Object.values(pairs).map((mark) => [mark, []]));
  // The last first, so that the nearest is taken from the end.
  for (const at of marks.toReversed()) if (canClose(text, line, at, isWhole)) closing.get(text[at] as string)?.push(at);
  let reached = line.start;
  for (const at of marks) {
    const mark = text[at] as string;
    const close = pairs[mark];
    if (at < reached || close === undefined || !canOpen(text, line, at)) continue;
    const ends = closing.get(close) ?? [];
    while (ends.length > 0 && (ends.at(-1) as number) <= at) ends.pop();
    const end = ends.at(-1);
    if (end === undefined) {
      if (!isWhole) open ??= at;
      continue;
    }
    quotes.push({ start: at, end: end + 1 });
    reached = end + 1;
  }
  return { quotes, open };
}

function canOpen(text: string, line: Stretch, at: number): boolean {
  if (!ambiguous.has(text[at] as string)) return true;
  const before = at === line.start ? '' : (text[at - 1] as string);
  const after = text[at + 1] ?? '';
  return !word.test(before) && !/\s/.test(after);
}

function canClose(text: string, line: Stretch, at: number, isWhole: boolean): boolean {
  if (!ambiguous.has(text[at] as string)) return true;
  const after = text[at + 1];
  return at + 1 < line.end ? !word.test(after ?? '') : isWhole;
}

function findMarks(text: string, { start, end }: Stretch, literal: readonly Stretch[]): number[] {
  const marks: number[] = [];
  let place = firstBehind(literal, start);
  for (let at = start; at < end; at++) {
    while (place < literal.length && (literal[place] as Stretch).end <= at) place += 1;
    const inside = literal[place];
    if (inside && inside.start <= at) at = inside.end - 1;
    else if (anyMark.includes(text[at] as string)) marks.push(at);
  }
  return marks;
}

/** The first stretch that ends behind the place. */
function firstBehind(stretches: readonly Stretch[], place: number): number {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle] as Stretch).end <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

const anyMark = [...new Set(Object.entries(pairs).flat())].join('');
