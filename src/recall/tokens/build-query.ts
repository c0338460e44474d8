// From a question to FTS5 expressions. Everything that reaches FTS5 is a token in double quotes, and tokens hold no quotes, so that
// no character of a question is ever read as an operator. Terms are alternatives with weights; a search decides how many it needs.

import { segmentWords } from '../../base/segmenter.ts';
import { normalizeText } from './normal-text.ts';
import { holdsParticle, isGrammar, isStopWord, unspacedStopWords, withoutEdges } from './stop-words.ts';
import { findPieces, type Piece, tokenizeText } from './tokenize-text.ts';
import { isWeakWord } from './weak-words.ts';

export type QueryTermKind = 'word' | 'part' | 'pair' | 'character' | 'phrase';

export interface QueryTerm {
  /** What it stands for, as it was asked. */
  text: string;
  kind: QueryTermKind;
  /** The tokens that must follow each other; the last one may be a beginning where `isPrefix`. */
  tokens: readonly string[];
  isPrefix: boolean;
  /** An FTS5 expression for it alone. */
  match: string;
  /** How much it counts beside its rarity. */
  weight: number;
  /** Where nothing holds it, little is missing: a word of its own, or a pair that may reach across two words. */
  isLoose: boolean;
  /** A pair of characters of two words: where nothing holds it, nothing is missing. */
  isAcross: boolean;
  /** Of a part, and of the parts in a row: the expression of the identifier it is a part of. */
  partOf?: string;
  /** Put in quotes by who asked: nothing without it is an answer. */
  isRequired: boolean;
}

export interface LexicalQuery {
  /** Any of the terms, with those that are required; empty where nothing can be asked for. */
  match: string;
  /** Every term but parts and phrases: the strict reading. */
  matchAll: string;
  terms: readonly QueryTerm[];
}

/** Longer questions are cut: their beginning says what they are about. */
const maxQuestion = 2000;
const maxTerms = 32;
const longestPhrase = 12;

const weights: Record<QueryTermKind, number> = { word: 1, part: 0.4, pair: 0.8, character: 0.5, phrase: 1.2 };
const grammarWeight = 0.3;
/** Words anything is said with, as "long" and 问题, name no subject. */
const weakWeight = 0.5;

export function buildQuery(text: string): LexicalQuery {
  const asked = normalizeText(text.slice(0, maxQuestion));
  const terms = new Terms();
  let rest = asked;
  for (const { 0: whole, 1: straight, 2: cornered } of asked.matchAll(quotes)) {
    const quoted = straight ?? cornered ?? '';
    const tokens = phraseTokens([...findPieces(quoted)]);
    if (tokens.length === 0) continue;
    terms.add('phrase', quoted.trim(), tokens, { isRequired: true, isPrefix: endsInSingle(quoted, tokens) });
    rest = rest.replace(whole, ' ');
  }
  for (const chain of findChains(rest)) addChain(terms, chain);
  return terms.toQuery();
}

const quotes = /["“”„«»]([^"“”„«»]+)["“”„«»]|[「『《]([^」』》]+)[」』》]/g;

/** What is written without a space between: `src/a.ts`, `用SQLite做`, one word. */
interface Chain {
  text: string;
  pieces: Piece[];
}

const hardBreak = /[\s,;!?"()[\]{}<>|，。！？；、：（）【】《》…—]+/;

function* findChains(text: string): Generator<Chain> {
  for (const stretch of text.split(hardBreak)) {
    const pieces = [...findPieces(stretch)];
    if (pieces.length > 0) yield { text: stretch, pieces };
  }
}

function addChain(terms: Terms, { text, pieces }: Chain): void {
  const before = terms.tellingCount;
  for (const piece of pieces) {
    const written = text.slice(piece.start, piece.end);
    if (piece.kind === 'word') addWord(terms, written, piece.tokens, pieces.length === 1);
    else addRun(terms, written, pieces.length > 1);
  }
  const tokens = pieces.length > 1 ? phraseTokens(pieces) : [];
  if (tokens.length > 1 && tokens.length <= longestPhrase) {
    const isStop = terms.tellingCount === before;
    terms.add('phrase', text, tokens, { isPrefix: endsInSingle(text, tokens), isStop });
  }
}

function addWord(terms: Terms, written: string, tokens: readonly string[], isAlone: boolean): void {
  // Of C++ the letter comes first, since it may end a phrase.
  const [whole = '', ...parts] = tokens[0]?.length === 1 ? tokens.toReversed() : tokens;
  const isPlain = parts.length === 0;
  terms.add('word', written, [whole], { isStop: isPlain && isStopWord(whole), isLoose: isPlain && isAlone });
  for (const part of parts) terms.add('part', part, [part], { isStop: isStopWord(part), partOf: `"${whole}"` });
  if (parts.length > 1) terms.add('phrase', written, parts, { isStop: parts.every(isStopWord), partOf: `"${whole}"` });
}

/** Pairs of characters, and the phrase they make where the run is short enough to be a name. */
function addRun(terms: Terms, run: string, hasNeighbours: boolean): void {
  const pieces = run.split(unspacedStopWords).flatMap((piece) => withoutEdges(piece) || []);
  for (const stop of run.match(unspacedStopWords) ?? []) addPairs(terms, stop, { isStop: true });
  for (const piece of pieces) {
    const isSingle = [...piece].length === 1;
    // Beside a word a single character is mostly grammar: 用, 做, 的.
    addPairs(terms, piece, { isStop: isSingle && (hasNeighbours || pieces.length > 1 || holdsParticle(piece)) });
  }
}

function addPairs(terms: Terms, piece: string, { isStop }: { isStop: boolean }): void {
  const pairs = tokenizeText(piece).trimEnd().split(' ');
  const last = pairs.pop() as string;
  if (pairs.length === 0) terms.add('character', piece, [last], { isPrefix: true, isStop });
  const words = [...segmentWords(piece)].map(({ segment }) => [...segment].length);
  const isLoose = pairs.length > 2 || words.length > 1;
  const across = pairsAcross(words);
  for (const [i, pair] of pairs.entries()) {
    const isAcross = across.has(i);
    terms.add('pair', pair, [pair], { isStop: isStop || holdsParticle(pair), isWeak: isGrammar(pair), isLoose, isAcross });
  }
  if (pairs.length > 1 && pairs.length <= longestPhrase) terms.add('phrase', piece, pairs, { isStop });
}

/** Which pairs are of two words. Two words of one character each may well be a name nobody knows: those are not meant. */
function pairsAcross(words: readonly number[]): Set<number> {
  const across = new Set<number>();
  let place = 0;
  let last = 0;
  for (const length of words) {
    if (place > 0 && length + last > 2) across.add(place - 1);
    place += length;
    last = length;
  }
  return across;
}

/** The tokens of pieces that follow each other. The last character of a run at the end may go on in the text: it is left out. */
function phraseTokens(pieces: readonly Piece[]): string[] {
  const tokens = pieces.flatMap((piece) => piece.tokens);
  const last = pieces.at(-1);
  if (last?.kind === 'run' && last.tokens.length > 1) tokens.pop();
  return tokens;
}

/** A single character at the end is the beginning of a pair. */
function endsInSingle(text: string, tokens: readonly string[]): boolean {
  const last = [...findPieces(text)].at(-1);
  return last?.kind === 'run' && last.tokens.length === 1 && tokens.at(-1) === last.tokens[0];
}

interface TermOptions {
  isPrefix?: boolean;
  isRequired?: boolean;
  isStop?: boolean;
  isWeak?: boolean;
  isLoose?: boolean;
  isAcross?: boolean;
  partOf?: string;
}

class Terms {
  readonly #telling = new Map<string, QueryTerm>();
  readonly #stops = new Map<string, QueryTerm>();

  get tellingCount(): number {
    return this.#telling.size;
  }

  add(kind: QueryTermKind, text: string, tokens: readonly string[], options: TermOptions = {}): void {
    const { isPrefix = false, isRequired = false, isStop = false, isWeak = false, isLoose = false, isAcross = false } = options;
    const match = `"${tokens.join(' ')}"${isPrefix ? '*' : ''}`;
    const into = isStop ? this.#stops : this.#telling;
    if (into.has(match) || into.size >= maxTerms) return;
    const isWord = tokens.length === 1 && !isPrefix && !isRequired;
    const weight = weights[kind] * (isWeak ? grammarWeight : isWord && isWeakWord(tokens[0] ?? '') ? weakWeight : 1);
    const term: QueryTerm = { text, kind, tokens, isPrefix, match, weight, isLoose, isAcross, isRequired };
    if (options.partOf !== undefined) term.partOf = options.partOf;
    into.set(match, term);
  }

  /** Stop words count where nothing else does. */
  toQuery(): LexicalQuery {
    const terms = [...(this.#telling.size > 0 ? this.#telling : this.#stops).values()];
    const required = terms.filter((term) => term.isRequired).map((term) => term.match);
    const others = terms.filter((term) => !term.isRequired).map((term) => term.match);
    const strict = terms.filter((term) => term.isRequired || (term.kind !== 'part' && term.kind !== 'phrase'));
    const match = required.length > 0 ? required.join(' AND ') : others.join(' OR ');
    return { match, matchAll: strict.map((term) => term.match).join(' AND '), terms };
  }
}
