// Where the terms of a question stand in a text, for highlighting. Case, full width and compatible forms do not matter; the places
// are those of the text as written.
import { segmentWords } from '../../base/segmenter.ts';
import type { Span } from './text-borders.ts';

/** The places of all terms, in order, without overlaps: neighbouring pieces of one Chinese word are one place. */
export function findMatches(text: string, terms: readonly string[]): Span[] {
  const folded = fold(text);
  const found: Span[] = [];
  for (const term of new Set(terms.map((each) => fold(each.trim()).text))) {
    if (term === '') continue;
    const whole = occurrences(folded.text, term);
    found.push(
      ...(whole.length > 0 || !cjk.test(term) ? whole : piecesOf(term).flatMap((piece) => occurrences(folded.text, piece))),
    );
  }
  return merge(found).map(({ start, end }) => ({ start: folded.toWritten(start), end: folded.toWritten(end) }));
}

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const spaced = /[\p{L}\p{N}_]/u;
/** Forms of a word that are highlighted as the word. */
const endings = /^(?:s|es|ed|d|er|ers|ing|ly|'s)?(?![\p{L}\p{N}])/u;
const maxMatches = 1000;

function occurrences(text: string, term: string): Span[] {
  const found: Span[] = [];
  const startsWord = isSpaced(term.at(0));
  const endsWord = isSpaced(term.at(-1));
  for (let at = text.indexOf(term); at >= 0 && found.length < maxMatches; at = text.indexOf(term, at + 1)) {
    // Underscores part the words of an identifier; capitals are gone by now, so their parts are found by whole words only.
    if (startsWord && /[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') && !cjk.test(text[at - 1] ?? ' ')) continue;
    const end = at + term.length;
    if (!endsWord) found.push({ start: at, end });
    else {
      const rest = text.slice(end, end + 4);
      const ending = cjk.test(rest[0] ?? '') ? [''] : endings.exec(rest);
      if (ending) found.push({ start: at, end: end + (ending[0]?.length ?? 0) });
    }
  }
  return found;
}

function isSpaced(character: string | undefined): boolean {
  return character !== undefined && spaced.test(character) && !cjk.test(character);
}

/** A run that does not stand there as a whole is looked for word by word, words of one character aside. */
function piecesOf(term: string): string[] {
  const pieces = [...segmentWords(term)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return pieces.filter((piece) => piece.length > 1);
}

function merge(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

/** One form for all ways to write the same, and the way back to the places as written. */
function fold(text: string): { text: string; toWritten: (place: number) => number } {
  const lower = text.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII is its own folded form
  if (/^[\x00-\x7f]*$/.test(text)) return { text: lower, toWritten: (place) => place };
  const places: number[] = [];
  let folded = '';
  for (const match of text.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const piece = match[0].normalize('NFKC').toLowerCase();
    for (let i = 0; i < piece.length; i++) places.push(match.index);
    folded += piece;
  }
  places.push(text.length);
  return {
    text: folded,
    // The end of a match is the beginning of what follows; inside an expanded sign it is the sign's own.
    toWritten: (place) => places[place] ?? text.length,
  };
}
