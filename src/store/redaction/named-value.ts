// Reads `name = value` in all its spellings: code, environment files, YAML, JSON (also escaped), TOML, XML, command lines, prose, Chinese.
import type { ValueContext } from './secret-value.ts';

export interface NamedValue {
  readonly start: number;
  readonly end: number;
  readonly context: ValueContext;
}

/** A value without a closing mark is read no further; if it turns out to be a secret, what follows is masked with it. */
const longestRead = 256;

/** Tried from the anchor in a name on: the rest of the name, what joins it to the value, and the quotation mark if there is one. */
export function compileNamed(name: string): RegExp {
  return new RegExp(`(?:${name})${suffix}(?:${joint}|${looseJoint})(?:[bru@]{0,2}(?=["']))?(\\\\{0,7}["'\`]|[“「『])?`, 'iy');
}

/** The same for a name that stands alone, as a key in JSON. */
export function compileName(name: string): RegExp {
  return new RegExp(`(?:${name})${suffix}$`, 'i');
}

const suffix = '\\d{0,2}(?:[_-]?(?:prod|production|dev|development|test|staging|live|old|new|confirm(?:ation)?))?';
const blank = '[ \\t]{0,8}';
/** What may close the name: `"password":`, `['password'] =`, `**Password**:`. */
const closing = '(?:\\\\{0,7}["\'`*\\]]){0,3}';
const joint = `(?:(?<=--[\\w-]{1,60})[ \\t]{1,4}(?!=)|${closing}(?:[ \\t]?:[ \\t]?(?:string|str)[ \\t]?(?==))?${blank}(?::=|=>|={1,3}|:(?!:)|：|＝)${blank}(?:\\*{1,2}${blank})?)`;
const looseJoint = `(${[
  // "name": "PASSWORD", "value": "…", on lines that may be numbered, or marked as in a diff
  '\\\\{0,7}["\']?(?:[\\s,]|\\\\{1,3}[nrt]|(?<=\\s)\\d{1,7}(?=\\t|\\\\{1,3}t)|(?<=[\\s+-]|\\\\[nt])[+-]){1,40}\\\\{0,7}["\']?value\\\\{0,7}["\']?\\s{0,4}[:=]\\s{0,4}',
  '[ \\t]{1,2}(?:is|was|to)(?:[ \\t]{1,4}|:[ \\t]{0,4})',
  '[ \\t]{1,4}(?=\\\\{0,7}["\'`])',
  '(?<=[\\u4e00-\\u9fff])[ \\t]{0,2}(?=[!-~]{6})',
  `${blank}(?:就?是|为|改[成为]了?|设[成为]|设置[成为]|叫)${blank}[:：]?${blank}`,
  '(?<=<[\\w:.-]{1,60})>(?=[^<>\\s]{4,200}</)',
  '[ \\t]{1,30}\\|[ \\t]{1,30}(?=[^|\\s]{4,100}[ \\t]{1,30}\\|)',
  `${closing}${blank}(?:\\(|,|\\|\\||\\?\\?|\\|\\|=)${blank}(?=\\\\{0,7}["'\`])`,
].join('|')})`;

/** Printable characters up to a blank or a mark; a comma or a closing bracket only where the value goes on behind it, not the next name. */
const unquoted = new RegExp(
  `(?:[!#-&(*+\\-.-:=?-[^_a-|~\\u00a1-\\u1fff]|\\\\(?![\\\\nrtu"'])|[,)\\]}](?![\\s,;.)\\]}"'\`]|[\\w$-]{1,40}[:=]|$)){1,${longestRead}}`,
  'y',
);
const inEnvironment = /(?<=(?:^|[\s"'`;([]|\\[nrt]|(?:^|\s|\\[nrt])[+-]{1,2})[A-Z][A-Z0-9_]{1,63}=\\{0,7}["']?)/y;
const inAddress = /(?<=[?&#][\w.[\]%-]{1,60}=)/y;
const closers: Readonly<Record<string, string>> = { '“': '”', '「': '」', '『': '』' };

/** The value that follows a match of {@link compileNamed}. */
export function readNamedValue(text: string, joined: RegExpExecArray): NamedValue | undefined {
  const start = joined.index + joined[0].length;
  const mark = joined[2];
  const end = mark === undefined ? unquotedEnd(text, start) : quotedEnd(text, start, mark);
  if (end <= start) return undefined;
  inEnvironment.lastIndex = start;
  return {
    start,
    end,
    context: { quoted: mark !== undefined, environment: inEnvironment.test(text), loose: joined[1] !== undefined },
  };
}

function unquotedEnd(text: string, start: number): number {
  unquoted.lastIndex = start;
  const value = unquoted.exec(text)?.[0];
  if (value === undefined) return start;
  inAddress.lastIndex = start;
  const length = inAddress.test(text) ? value.search(/[&#]|$/) : value.replace(/[.,:?\\]+$/, '').length;
  return start + length;
}

/** Up to the mark that closes it, or to the end of the line. Inside escaped marks a backslash ends it; elsewhere it escapes. */
function quotedEnd(text: string, start: number, mark: string): number {
  const escaped = mark.length > 1;
  const closer = (closers[mark] ?? (mark.at(-1) as string)).charCodeAt(0);
  // Where the closing mark is another one, openings can follow each other: without a limit each would be read to the end of the line.
  const limit = mark in closers ? Math.min(text.length, start + longestQuote) : text.length;
  for (let at = start; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === closer || code === lineFeed || code === carriageReturn) return at;
    if (code !== backslash) continue;
    if (escaped) return at;
    at++;
  }
  return mark in closers ? start : text.length;
}

const longestQuote = 100;
const lineFeed = 10;
const carriageReturn = 13;
const backslash = 92;
