// Cuts a long text into passages of a few hundred tokens for embedding and for quoting: at paragraphs where possible, else at
// sentences, else at words. Nothing but white space is lost between two passages.
import { estimateTokens } from '../../base/token-estimate.ts';
import { graphemeAfter, type Span, splitSentences, wordBefore } from './text-borders.ts';

export interface TextPassage extends Span {
  text: string;
}

export interface SplitOptions {
  /** A passage that has so many is full as soon as a paragraph ends. */
  wantedTokens?: number;
  /** No passage has more. */
  maxTokens?: number;
}

export function splitPassages(text: string, options: SplitOptions = {}): TextPassage[] {
  const { wantedTokens = 200, maxTokens = 400 } = options;
  const passages: TextPassage[] = [];
  let current: Span | undefined;
  const flush = (): void => {
    const passage = current && toPassage(text, current);
    if (passage && passage.text !== '') passages.push(passage);
    current = undefined;
  };
  for (const { start, end, endsParagraph } of piecesOf(text, maxTokens)) {
    if (current && estimateTokens(text.slice(current.start, end).trim()) > maxTokens) flush();
    current = { start: current?.start ?? start, end };
    if (endsParagraph && estimateTokens(text.slice(current.start, end)) >= wantedTokens) flush();
  }
  flush();
  return joinShortEnd(text, passages, wantedTokens, maxTokens);
}

interface Piece extends Span {
  endsParagraph: boolean;
}

/** Sentences, cut at words where even one is too long. */
function* piecesOf(text: string, maxTokens: number): Generator<Piece> {
  for (const { start, end } of splitSentences(text)) {
    const endsParagraph = /\n[^\S\n]*\r?\n\s*$/u.test(text.slice(start, end)) || end === text.length;
    let from = start;
    while (estimateTokens(text.slice(from, end)) > maxTokens) {
      const to = longestPrefix(text, from, end, maxTokens);
      yield { start: from, end: to, endsParagraph: false };
      from = to;
    }
    yield { start: from, end, endsParagraph };
  }
}

/** Halves the range: the estimate grows with the text. */
function longestPrefix(text: string, from: number, end: number, maxTokens: number): number {
  let low = from + 1;
  let high = Math.min(end, from + maxTokens * 4);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(from, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  const border = wordBefore(text, low, from);
  return border > from ? border : graphemeAfter(text, from + 1);
}

/** A few words left over at the end belong to what came before, if they fit. */
function joinShortEnd(text: string, passages: TextPassage[], wantedTokens: number, maxTokens: number): TextPassage[] {
  const last = passages.at(-1);
  const before = passages.at(-2);
  if (!last || !before || estimateTokens(last.text) > wantedTokens / 4) return passages;
  const joined = toPassage(text, { start: before.start, end: last.end });
  return estimateTokens(joined.text) <= maxTokens ? [...passages.slice(0, -2), joined] : passages;
}

function toPassage(text: string, { start, end }: Span): TextPassage {
  const piece = text.slice(start, end);
  const trimmed = piece.trim();
  const from = start + (piece.length - piece.trimStart().length);
  return { text: trimmed, start: from, end: from + trimmed.length };
}
