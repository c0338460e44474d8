// Where a text may be cut: after sentences, lines and words, and never inside what a reader sees as one character.
import { segmentGraphemes, segmentSentences } from '../../base/segmenter.ts';

export interface Span {
  start: number;
  end: number;
}

/** After these a period ends no sentence. */
const abbreviation = /(?:^|[\s(])(?:[A-Za-z]\.|(?:e\.g|i\.e|etc|vs|cf|approx|dr|mr|mrs|ms|prof|fig|st|inc|ltd|jr|sr|al)\.)\s*$/iu;

/** The sentences of a text, without gaps: each ends with the white space behind it. A line break always ends one. */
export function splitSentences(text: string): Span[] {
  const spans: Span[] = [];
  for (const line of splitLines(text)) {
    let start = line.start;
    for (const { segment, index } of segmentSentences(text.slice(line.start, line.end))) {
      const end = line.start + index + segment.length;
      if (end < line.end && (abbreviation.test(text.slice(start, end)) || text.slice(end, line.end).trim() === '')) continue;
      // The standard rules do not part clauses; a Chinese semicolon ends one that can stand alone.
      for (const match of text.slice(start, end).matchAll(/；\s*/gu)) {
        const border = start + match.index + match[0].length;
        if (border < end) spans.push({ start: spans.at(-1)?.end ?? 0, end: border });
      }
      spans.push({ start: spans.at(-1)?.end ?? 0, end });
      start = end;
    }
  }
  return spans;
}

function splitLines(text: string): Span[] {
  const lines: Span[] = [];
  let start = 0;
  for (const match of text.matchAll(/(?:\r?\n\s*)+/gu)) {
    const end = match.index + match[0].length;
    lines.push({ start, end });
    start = end;
  }
  if (start < text.length) lines.push({ start, end: text.length });
  return lines;
}

/** The nearest border of a whole character at or before the place. Looks at the neighbourhood only, so it is cheap in long texts. */
export function graphemeBefore(text: string, place: number): number {
  if (place <= 0) return 0;
  if (place >= text.length) return text.length;
  const from = safeStart(text, place);
  let border = from;
  for (const { index } of segmentGraphemes(text.slice(from, place + 64))) {
    if (from + index > place) break;
    border = from + index;
  }
  return border;
}

/** The nearest border of a whole character at or after the place. */
export function graphemeAfter(text: string, place: number): number {
  const before = graphemeBefore(text, place);
  if (before === place) return place;
  const [first] = segmentGraphemes(text.slice(before, before + 128));
  return Math.min(text.length, before + (first?.segment.length ?? 1));
}

/** A place some characters earlier that is surely no middle: families of emoji and stacked marks are shorter than the way back. */
function safeStart(text: string, place: number): number {
  let from = Math.max(0, place - 64);
  while (from > 0 && from < place && !/[\s\p{P}\p{L}\p{N}]/u.test(text[from] ?? ' ')) from += 1;
  return isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** A border between words within some characters before the place, else between characters. */
export function wordBefore(text: string, place: number, least: number): number {
  if (place >= text.length) return text.length;
  const from = Math.max(least, place - 30);
  const space = /[\s,;:，、；：)\]}>/]\S*$/u.exec(text.slice(from, place));
  return space ? from + space.index + 1 : Math.max(least, graphemeBefore(text, place));
}

/** A border between words within some characters after the place, else between characters. */
export function wordAfter(text: string, place: number, most: number): number {
  if (place <= 0) return 0;
  const window = text.slice(place, Math.min(most, place + 30));
  const space = window.search(/[\s，、；：]/u);
  return space >= 0 ? place + space + 1 : Math.min(most, graphemeAfter(text, place));
}
