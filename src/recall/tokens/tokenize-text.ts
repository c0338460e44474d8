// The tokens the index is made of. Words and the parts of identifiers where a script has spaces; overlapping pairs of characters
// where it has none, so that every word of two characters is found, and the last character of such a run alone, so that every
// single character is the beginning of some token. A text and a question give the same tokens, and one pass does it.
// The FTS5 tokenizer `ascii` takes them exactly as they are: they hold no ASCII but small letters and digits.
import { characterLength, classAt, lower, separator, unspaced, unspacedPair } from './character-class.ts';
import { normalizeText, normalizeWithPlaces } from './normal-text.ts';
import { TokenWriter } from './token-writer.ts';
import { wordTokens } from './word-parts.ts';

/** A piece of text that tokens are made of: a run of a script without spaces, or a word with its parts. */
export interface Piece {
  kind: 'run' | 'word';
  start: number;
  end: number;
  tokens: readonly string[];
}

/** The text's tokens in order, separated by spaces. */
export function tokenizeText(text: string): string {
  const normal = normalizeText(text);
  const out = new TokenWriter(normal.length);
  let at = 0;
  while (at < normal.length) {
    const kind = classAt(normal, at);
    if (kind === separator) {
      at += 1;
    } else if (kind >= unspaced) {
      const end = runEnd(normal, at);
      out.writePairs(normal, at, end);
      at = end;
    } else {
      const end = wordEnd(normal, at);
      if (end - at === 1) out.writeText(singleLetter(normal, at));
      else if (!out.writeSimpleWord(normal, at, end)) out.writeText(joinedTokens(normal.slice(at, end)));
      at = end;
    }
  }
  return out.toString();
}

/** The pieces with their places in the normal form of the text (see `normalizeText`). */
export function* findPieces(normal: string): Generator<Piece> {
  let start = 0;
  while (start < normal.length) {
    const kind = classAt(normal, start);
    if (kind === separator) {
      start += 1;
      continue;
    }
    const isRun = kind >= unspaced;
    const end = isRun ? runEnd(normal, start) : wordEnd(normal, start);
    const tokens = isRun ? pairsText(normal, start, end).trimEnd().split(' ') : tokensOfWord(normal, start, end);
    if (tokens.length > 0) yield { kind: isRun ? 'run' : 'word', start, end, tokens };
    start = end;
  }
}

export interface PlacedToken {
  token: string;
  /** Where it stands in the text as written. */
  start: number;
  end: number;
}

/** The tokens with their places in the text as it was written, for marking what was found. */
export function placeTokens(text: string): PlacedToken[] {
  const { normal, places } = normalizeWithPlaces(text);
  const placed: PlacedToken[] = [];
  const add = (token: string, start: number, end: number) =>
    placed.push({ token, start: places ? (places[start] as number) : start, end: places ? (places[end] as number) : end });
  for (const { kind, start, end, tokens } of findPieces(normal)) {
    let at = start;
    for (const token of tokens) {
      if (kind === 'run') {
        add(token, at, at + token.length);
        at += characterLength(normal, at);
        continue;
      }
      const found = normal
        .slice(start, end)
        .toLowerCase()
        .indexOf(token.slice(0, 3), at - start);
      const isWhole = token === tokens[0] || found < 0;
      if (!isWhole) at = start + found;
      add(token, isWhole ? start : at, isWhole ? end : partEnd(normal, at + token.length, end));
    }
  }
  return placed;
}

/** A stem is shorter than the part it stands for: up to the next capital, digit or underscore. */
function partEnd(text: string, from: number, end: number): number {
  let at = Math.min(from, end);
  while (at < end && classAt(text, at) === lower) at += 1;
  return at;
}

function runEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    const kind = at < text.length ? classAt(text, at) : separator;
    if (kind === unspaced) at += 1;
    else if (kind === unspacedPair) at += 2;
    else return at;
  }
}

const smallA = 0x61;
const smallZ = 0x7a;

function wordEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= smallA && code <= smallZ) continue;
    const kind = classAt(text, at);
    if (kind === separator || kind >= unspaced) break;
  }
  return at;
}

/** `AB BC C `: each pair, and the last character alone. */
function pairsText(text: string, start: number, end: number): string {
  let out = '';
  let at = start;
  let step = characterLength(text, at);
  while (at + step < end) {
    const next = characterLength(text, at + step);
    out += `${text.slice(at, at + step + next)} `;
    at += step;
    step = next;
  }
  return `${out}${text.slice(at, end)} `;
}

function tokensOfWord(text: string, start: number, end: number): readonly string[] {
  const joined = end - start === 1 ? singleLetter(text, start) : joinedTokens(text.slice(start, end));
  return joined === '' ? [] : joined.split(' ');
}

/** Words come again and again: most are looked up. Those with digits are numbers and names of one thing, and seldom do. */
const known = new Map<string, string>();
const knownKept = 20_000;
const longestKnown = 24;

function joinedTokens(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const joined = wordTokens(word).join(' ');
  if (word.length > longestKnown || /[0-9]/.test(word)) return joined;
  if (known.size >= knownKept) known.clear();
  known.set(word, joined);
  return joined;
}

/** C++ and C# are words. */
function singleLetter(text: string, at: number): string {
  const letter = (text[at] as string).toLowerCase();
  if (letter === '_') return '';
  if (text.startsWith('++', at + 1)) return `${letter} ${letter}pp`;
  const isSharp = text[at + 1] === '#' && (at + 2 >= text.length || classAt(text, at + 2) !== lower);
  return isSharp ? `${letter} ${letter}sharp` : letter;
}
