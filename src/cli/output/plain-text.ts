// Stored text is other people's text. Before it goes to a terminal, control characters are made visible, so that a message can
// neither move the cursor, nor recolour the screen, nor hide its end.

/** Text of any length; lines stay lines. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(bidiControls, '').replace(zeroWidths, '').replace(controls, caret);
}

/** The same for text that comes in pieces: a line's end may be cut in two. */
export class PlainStream {
  #held = '';

  push(piece: string): string {
    const text = this.#held + piece;
    this.#held = text.endsWith('\r') ? '\r' : '';
    return plainText(this.#held === '' ? text : text.slice(0, -1));
  }
}

/** The same for what somebody is asked to allow: characters that cannot be seen are named, not left out. */
export function visibleText(text: string): string {
  return plainText(text.replace(invisible, (hidden) => [...hidden].map(nameCharacter).join('')));
}

/** One line, for table cells and headings. */
export function plainLine(text: string): string {
  return plainText(text)
    .replace(/[\n\t\u2028\u2029]+/g, ' ')
    .trim();
}

/** A line of at most so many characters, with an ellipsis where it was longer. */
export function shortLine(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most).toWellFormed().trimEnd()}…` : line;
}

/** The first line that has something in it. */
export function firstLine(text: string): string {
  return plainLine(/[^\r\n]*\S[^\r\n]*/.exec(text.slice(0, 2000))?.[0] ?? '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Letters and signs that nothing joins: after them a joiner hides what is there. Emoji, Arabic and Indic scripts need theirs. */
const unjoined =
  '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u0020-\\u007e\\n';
const joiners = `(?<=[${unjoined}])[\\u200c\\u200d]+`;
const zeroWidths = new RegExp(`[\\u200b\\u2060-\\u2064\\ufeff]|${joiners}`, 'gu');
/** All but what joins emoji and letters. */
const invisible = new RegExp(`${joiners}|(?!\\u200d)[\\p{Cf}\\p{Zl}\\p{Zp}]`, 'gu');
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;

function nameCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function caret(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x80 ? `^${String.fromCharCode(code ^ 0x40)}` : `\\x${code.toString(16)}`;
}
