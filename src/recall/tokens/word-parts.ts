// A word of the source and the tokens it stands for: itself, and where it is an identifier also its parts. `openStore`, `open_store`
// and `OpenStore` give the same tokens; so do "retries" and "retry".
import { classAt, digit, joint, upper } from './character-class.ts';

/** Longer than any name: what comes after is the middle of a key, a hash or encoded bytes. */
const maxToken = 48;
/** More parts than a name has: encoded bytes again, whose parts nobody asks for. */
const maxParts = 8;

/** The tokens of text between two separators, in lower case: the whole first, then its parts where there are several. */
export function wordTokens(written: string): string[] {
  const smooth = written.indexOf('_') < 0 ? written : written.replaceAll('_', '');
  // A name of underscores only is none.
  if (smooth === '') return [];
  if (smooth.length > maxToken) return [toSmall(smooth.slice(0, maxToken))];
  const parts = isPlain(written) ? undefined : splitParts(written);
  if (parts === undefined) return [toStem(toSmall(smooth))];
  if (parts.length === 1) return [toStem(toSmall(parts[0] as string))];
  const whole = toStem(toSmall(smooth));
  if (parts.length > maxParts) return [whole];
  const tokens = [whole];
  for (const part of parts) {
    const token = toStem(toSmall(part));
    // A single letter of a name says nothing: the V of V8.
    if (token.length > 1 || classAt(part, 0) === digit) tokens.push(token);
  }
  return tokens;
}

/** The Greek sigma has a form of its own at the end of a word. */
function toSmall(text: string): string {
  const small = text.toLowerCase();
  return small.indexOf('ς') < 0 ? small : small.replaceAll('ς', 'σ');
}

/** Small letters, perhaps behind one capital: by far the most words, and they have no parts. */
function isPlain(word: string): boolean {
  return /^[A-Za-z]?[a-z]*$/.test(word);
}

/** `TS2345`, `utf8mb4`; but a word that changes between letters and digits more often is a hash, and has no parts. */
const maxAlternations = 3;

/** At `_`, between a small letter and a capital, before the last of several capitals, and between letters and digits. */
function splitParts(word: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let before = joint;
  let alternations = 0;
  for (let i = 0; i < word.length; i++) {
    const now = classAt(word, i);
    if (now === joint) {
      if (i > start) parts.push(word.slice(start, i));
      start = i + 1;
    } else if (before !== joint && before !== now) {
      if (before === digit || now === digit) alternations += 1;
      if (before === upper && now !== digit) {
        // HTTPServer: the S belongs to Server.
        if (i - 1 > start) {
          parts.push(word.slice(start, i - 1));
          start = i - 1;
        }
      } else {
        parts.push(word.slice(start, i));
        start = i;
      }
    }
    before = now;
  }
  if (start < word.length) parts.push(word.slice(start));
  return alternations > maxAlternations ? [word.replaceAll('_', '')] : parts;
}

const suffix = /(?:s|ed|ing|e)$/;

/** Light on purpose: the forms of one English word give one token, and words of other languages are left alone. */
function toStem(word: string): string {
  if (word.length < 4 || !suffix.test(word) || !/^[a-z]+$/.test(word)) return word;
  let stem = word;
  if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (stem.endsWith('sses') || stem.endsWith('xes') || stem.endsWith('shes') || stem.endsWith('ches'))
    stem = stem.slice(0, -2);
  else if (stem.endsWith('s') && !/(?:ss|us|is)$/.test(stem)) stem = stem.slice(0, -1);
  stem = withoutVerbEnding(stem);
  if (stem.length > 3 && stem.endsWith('e')) stem = stem.slice(0, -1);
  return stem;
}

function withoutVerbEnding(word: string): string {
  const bare = word.endsWith('ing') ? word.slice(0, -3) : word.endsWith('ied') ? `${word.slice(0, -3)}y` : undefined;
  const root = bare ?? (word.endsWith('ed') && !word.endsWith('eed') ? word.slice(0, -2) : word);
  if (root === word) return word;
  if (root.length < 3 || !/[aeiouy]/.test(root)) return word;
  // stopped, running: but not called, missed, buzzing.
  return /([^aeiouylsz])\1$/.test(root) ? root.slice(0, -1) : root;
}
