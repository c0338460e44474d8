// The section of a prompt that quotes earlier conversations: where each passage comes from, inside of a fence its text cannot close.
// Invariants: never more tokens than allowed; no line of quoted text stands at the beginning of a line without its mark.
import { createHash } from 'node:crypto';
import { estimateTokens } from '../../base/token-estimate.ts';
import type { ConversationId } from '../../model/id.ts';
import { cutPassage } from '../passages/cut-passage.ts';
import type { Language } from '../summary/language.ts';
import { cleanName, cleanQuote } from './clean-quote.ts';
import { type QuoteWords, quoteWords } from './quote-words.ts';
import type { QuotedPassage } from './quoted-passage.ts';
import { RepeatedText } from './repeated-text.ts';

export interface QuoteOptions {
  /** What the whole section may cost. */
  tokenBudget: number;
  /** Of the words around the quotes. */
  language?: Language;
  /** What the model reads anyway: quoted once is enough. */
  present?: Iterable<string>;
  /** Minutes the person's clock is ahead of UTC. */
  offsetMinutes?: number;
  /** Two conversations that may be meant: the model is told to ask. */
  offersTwo?: boolean;
  /** Characters of one passage at most. */
  longestPassage?: number;
  /** For who reads a conversation from one end to the other: what was said twice stands there twice. */
  keepsRepeated?: boolean;
}

export interface QuotedHistory {
  /** Empty where there was nothing to quote, or not even a note fits. */
  text: string;
  quoted: QuotedPassage[];
  repeated: number;
  /** How many did not fit. */
  leftOut: number;
}

const maxPassage = 1200;
const leastPassage = 80;
/** More is never quoted of one passage, so that a huge one costs nothing. */
const maxRead = 20_000;
/** After so many in a row that did not fit, nothing will. */
const maxMisses = 6;

/** The passages come best first; in the section they stand by conversation, in the order they were said. */
export function quoteHistory(passages: readonly QuotedPassage[], options: QuoteOptions): QuotedHistory {
  const words = quoteWords[options.language ?? 'en'];
  const render = (chosen: readonly QuotedPassage[], leftOut: number, fence = fenceFor) =>
    renderSection(chosen, leftOut, words, options, fence);
  const fits = (chosen: readonly QuotedPassage[]) =>
    estimateTokens(render(chosen, passages.length, () => someFence)) <= options.tokenBudget;
  const known = new RepeatedText(options.present);
  const quoted: QuotedPassage[] = [];
  let repeated = 0;
  let leftOut = 0;
  let misses = 0;
  for (const [i, passage] of passages.entries()) {
    if (misses >= maxMisses) {
      leftOut += passages.length - i;
      break;
    }
    const clean = cleanQuote(passage.text.slice(0, maxRead));
    if (clean === '' || (!options.keepsRepeated && known.has(clean))) {
      repeated += 1;
      continue;
    }
    const fitting = fitPassage({ ...passage, text: cut(clean, options.longestPassage ?? maxPassage) }, (each) =>
      fits([...quoted, each]),
    );
    if (!fitting) {
      leftOut += 1;
      misses += 1;
      continue;
    }
    misses = 0;
    quoted.push(fitting);
    known.add(fitting.text);
  }
  if (quoted.length > 0) return { text: render(quoted, leftOut), quoted, repeated, leftOut };
  const note = leftOut > 0 ? `${words.heading}\n${words.nothingFits(leftOut, options.tokenBudget)}` : '';
  return { text: estimateTokens(note) <= options.tokenBudget ? note : '', quoted, repeated, leftOut };
}

/** Whole, or as much of it as fits and is still worth reading. */
function fitPassage(passage: QuotedPassage, fits: (passage: QuotedPassage) => boolean): QuotedPassage | undefined {
  for (let length = passage.text.length; ; length = Math.floor(length / 2)) {
    const shorter = { ...passage, text: cut(passage.text, length) };
    if (fits(shorter)) return shorter;
    if (length / 2 < leastPassage) return undefined;
  }
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : cutPassage(text, [], { maxLength }).text;
}

function renderSection(
  chosen: readonly QuotedPassage[],
  leftOut: number,
  words: QuoteWords,
  options: QuoteOptions,
  fenceOf: (text: string) => string,
): string {
  const groups = new Map<ConversationId, QuotedPassage[]>();
  for (const passage of chosen) groups.set(passage.conversationId, [...(groups.get(passage.conversationId) ?? []), passage]);
  const body = [...groups.values()].flatMap((group, i) => renderGroup(group, i + 1, words, options.offsetMinutes ?? 0));
  return [
    words.heading,
    words.explanation,
    ...(options.offersTwo && groups.size > 1 ? [words.askWhich] : []),
    ...fenced(body, words, fenceOf),
    ...(leftOut > 0 ? [words.leftOut(leftOut)] : []),
  ].join('\n');
}

/** Lines that hold words of earlier conversations, as their titles, behind the same fence. Each must have been cleaned. */
export function quoteLines(lines: readonly string[], language: Language = 'en'): string {
  const words = quoteWords[language];
  return [words.explanation, ...fenced(lines, words, fenceFor)].join('\n');
}

function fenced(body: readonly string[], words: QuoteWords, fenceOf: (text: string) => string): string[] {
  const fence = fenceOf(body.join('\n'));
  return [`[[${fence} ${words.begin}]]`, ...body, `[[${fence} ${words.end}]]`];
}

/** Summary and open work first, then what was said, oldest first. */
const order: Record<QuotedPassage['who'], number> = { summary: 0, 'open-work': 1, user: 2, assistant: 2, tool: 2 };

function renderGroup(group: readonly QuotedPassage[], place: number, words: QuoteWords, offsetMinutes: number): string[] {
  const [first] = group;
  if (!first) return [];
  const newest = Math.max(...group.map(({ at }) => at));
  const name = [
    `${place}. ${words.conversation} ${first.conversationId}`,
    ...(first.title !== undefined ? [`"${cleanName(first.title)}"`] : []),
    ...(first.projectName !== undefined ? [`${words.project} ${cleanName(first.projectName)}`] : []),
    formatMoment(newest, offsetMinutes),
  ].join(' · ');
  const lines = [...group]
    .sort((a, b) => order[a.who] - order[b.who] || a.at - b.at || compare(a.entryId ?? last, b.entryId ?? last))
    .flatMap(({ who, at, text, isInterrupted }) => [
      `${words.who[who]}${isInterrupted ? words.interrupted : ''} (${formatMoment(at, offsetMinutes)}):`,
      mark(text),
    ]);
  return [name, ...lines];
}

/** What is not in the log yet comes after what is. */
const last = '~';

/** Ids follow the order of the log. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function mark(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** As long as any. */
const someFence = 'quoted-history 000000000000';

/** A name that stands nowhere in the text: made from the text, it cannot have been known when that was written. */
function fenceFor(text: string): string {
  for (let round = 0; ; round++) {
    const digest = createHash('sha256').update(`${round}\n${text}`).digest('hex').slice(0, 12);
    if (!text.includes(digest)) return `quoted-history ${digest}`;
  }
}

/** To the minute, on the person's clock. */
export function formatMoment(at: number, offsetMinutes: number): string {
  const local = new Date(at + offsetMinutes * 60_000);
  return Number.isNaN(local.getTime()) ? '?' : local.toISOString().slice(0, 16).replace('T', ' ');
}
