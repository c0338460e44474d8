// The readable part of a text around what matched: whole sentences where they fit, words where not, … where something was left out.
// Never longer than asked for, and never cut inside a character.
import { graphemeAfter, graphemeBefore, type Span, splitSentences, wordAfter, wordBefore } from './text-borders.ts';

export interface Passage {
  text: string;
  /** Where the matches stand in the passage. */
  highlights: Span[];
}

export interface CutOptions {
  /** In UTF-16 units, ellipses included. */
  maxLength: number;
}

const ellipsis = '…';

export function cutPassage(text: string, matches: readonly Span[], { maxLength }: CutOptions): Passage {
  const whole = trimSpan(text, { start: 0, end: text.length });
  if (whole.end - whole.start <= maxLength) return toPassage(text, whole, matches);
  const room = Math.max(1, maxLength - 2 * ellipsis.length);
  const cluster = densest(matches, room) ?? { start: whole.start, end: whole.start };
  return toPassage(text, trimSpan(text, chooseWindow(text, cluster, room)), matches);
}

/** The stretch of matches that fits and holds most; of equals the first. */
function densest(matches: readonly Span[], room: number): Span | undefined {
  const sorted = [...matches].filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start);
  let best: { span: Span; weight: number } | undefined;
  let first = 0;
  let covered = 0;
  for (const match of sorted) {
    covered += match.end - match.start;
    let head = sorted[first] as Span;
    while (head !== match && match.end - head.start > room) {
      covered -= head.end - head.start;
      first += 1;
      head = sorted[first] as Span;
    }
    if (!best || covered > best.weight) best = { span: { start: head.start, end: match.end }, weight: covered };
  }
  return best?.span;
}

/** The sentences of the cluster and as many around it as fit: what follows usually explains, then what comes before. */
function chooseWindow(text: string, cluster: Span, room: number): Span {
  const regionStart = graphemeBefore(text, cluster.start - 2 * room);
  const region = text.slice(regionStart, graphemeAfter(text, cluster.end + 2 * room));
  const sentences = splitSentences(region).map(({ start, end }) => ({ start: start + regionStart, end: end + regionStart }));
  let first = sentences.findIndex(({ end }) => end > cluster.start);
  if (first < 0) first = sentences.length - 1;
  let last = first;
  while (last + 1 < sentences.length && (sentences[last]?.end ?? 0) < cluster.end) last += 1;
  const fits = (a: number, b: number): boolean => {
    const [from, to] = [sentences[a], sentences[b]];
    if (!from || !to) return false;
    const { start, end } = trimSpan(text, { start: from.start, end: to.end });
    return end - start <= room;
  };
  if (!fits(first, last))
    return cutInside(text, cluster, { start: sentences[first]?.start ?? 0, end: sentences[last]?.end ?? 0 }, room);
  while (fits(first, last + 1)) last += 1;
  while (fits(first - 1, last)) first -= 1;
  return { start: sentences[first]?.start ?? 0, end: sentences[last]?.end ?? text.length };
}

/** A sentence that is too long: a window of words with the cluster a third in. */
function cutInside(text: string, cluster: Span, sentence: Span, room: number): Span {
  const length = Math.min(room, cluster.end - cluster.start);
  const lead = Math.floor((room - length) / 3);
  let start = Math.max(sentence.start, cluster.start - lead);
  if (sentence.end - start < room) start = Math.max(sentence.start, sentence.end - room);
  if (start > sentence.start) start = wordAfter(text, start, Math.max(start, cluster.start));
  start = graphemeBefore(text, start);
  const most = Math.min(sentence.end, start + room);
  const end = most >= sentence.end ? most : wordBefore(text, most, Math.min(most, Math.max(start + 1, cluster.end)));
  return { start, end: Math.max(graphemeBefore(text, end), start) };
}

function toPassage(text: string, { start, end }: Span, matches: readonly Span[]): Passage {
  const before = text.slice(0, start).trim() === '' ? '' : ellipsis;
  const after = text.slice(end).trim() === '' ? '' : ellipsis;
  const shift = before.length - start;
  const highlights = matches
    .map((match) => ({ start: Math.max(match.start, start) + shift, end: Math.min(match.end, end) + shift }))
    .filter((highlight) => highlight.end > highlight.start)
    .sort((a, b) => a.start - b.start);
  return { text: `${before}${text.slice(start, end)}${after}`, highlights };
}

function trimSpan(text: string, { start, end }: Span): Span {
  const piece = text.slice(start, end);
  const lead = piece.length - piece.trimStart().length;
  return lead === piece.length ? { start, end: start } : { start: start + lead, end: start + piece.trimEnd().length };
}
