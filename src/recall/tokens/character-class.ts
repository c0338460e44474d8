// What a character is to the tokenizer. One small table, filled as characters are met, so that loading this file costs nothing.

export const separator = 0;
export const lower = 1;
export const upper = 2;
export const digit = 3;
/** `_`, which joins the parts of an identifier. */
export const joint = 4;
/** Scripts that put no spaces between words: Chinese, Japanese, Korean, and Thai, Lao, Burmese, Khmer. */
export const unspaced = 5;
/** The first half of a surrogate pair that is such a character. */
export const unspacedPair = 6;

const unknown = 255;
const classes = new Uint8Array(0x10000).fill(unknown);

/** The class of the character at the place. Letters without case count as small ones. */
export function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const known = classes[code] as number;
  if (known !== unknown) return known;
  if (code >= 0xd800 && code <= 0xdfff) return classOfPair(text, at);
  const found = classifyCommon(code) ?? classify(String.fromCharCode(code));
  classes[code] = found;
  return found;
}

/** How many units the character of an unspaced run takes. */
export function characterLength(text: string, at: number): number {
  return classAt(text, at) === unspacedPair ? 2 : 1;
}

const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3007\u30fc]/u;
const unspacedLetters = /[\p{L}\p{M}\p{N}]/u;

/** What most text is made of is told by its number: the patterns below take long to get ready. */
function classifyCommon(code: number): number | undefined {
  if (code < 0x80) {
    if (code >= 0x61 && code <= 0x7a) return lower;
    if (code >= 0x41 && code <= 0x5a) return upper;
    if (code >= 0x30 && code <= 0x39) return digit;
    return code === 0x5f ? joint : separator;
  }
  const isUnspaced =
    (code >= 0x4e00 && code <= 0x9fef) || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0x3041 && code <= 0x3096);
  return isUnspaced ? unspaced : undefined;
}

function classify(character: string): number {
  if (unspacedScripts.test(character) && unspacedLetters.test(character)) return unspaced;
  if (/\p{N}/u.test(character)) return digit;
  if (/\p{Lu}|\p{Lt}/u.test(character)) return upper;
  return /[\p{L}\p{M}]/u.test(character) ? lower : separator;
}

/** The rarer Chinese characters are written as two units; of the rest only letters count. */
function classOfPair(text: string, at: number): number {
  const point = text.codePointAt(at) as number;
  if (point < 0x10000) return separator;
  const found = classify(String.fromCodePoint(point));
  return found === unspaced ? unspacedPair : separator;
}
