// Code without its comments and without what stands in strings, of the same length and with the same lines, so that what looks like
// code in a comment or a string is never taken for code. One pass; jumps from one mark to the next.

export interface Lexis {
  /** What begins a comment to the end of the line. */
  lineComment: '//' | '#';
  blockComments: 'none' | 'flat' | 'nested';
  /** Quotes that end on their line, with escapes. */
  quotes: string;
  /** Three of such a quote open a string over several lines. */
  tripleQuotes?: string;
  /** A quote whose string goes over lines and knows no escapes. */
  rawQuote?: string;
  /** Strings with `${…}` in backticks, and regular expressions. */
  isScript?: boolean;
  /** `r#"…"#` and lifetimes. */
  isRust?: boolean;
  /** `R"x(…)x"`. */
  isC?: boolean;
}

export interface MaskedCode {
  masked: string;
  /** Where strings are, quotes not included, in order. */
  strings: { start: number; end: number }[];
  /** Comments, strings over several lines and strings that are not plain ASCII, joined by spaces, cut. */
  words: string;
}

/** Of a file that talks a lot the beginning says what it is about. */
const maxWords = 4000;

export function maskCode(text: string, lexis: Lexis): MaskedCode {
  return new Masker(text, lexis).run();
}

class Masker {
  readonly #text: string;
  readonly #lexis: Lexis;
  readonly #marks: RegExp;
  readonly #out: string[] = [];
  readonly #strings: { start: number; end: number }[] = [];
  readonly #words: string[] = [];
  #wordCount = 0;
  #done = 0;
  /** For every open template, how many braces are open inside its `${`. */
  readonly #templates: number[] = [];

  constructor(text: string, lexis: Lexis) {
    this.#text = text;
    this.#lexis = lexis;
    this.#marks = marksOf(lexis);
  }

  run(): MaskedCode {
    const text = this.#text;
    const marks = this.#marks;
    marks.lastIndex = 0;
    for (let match = marks.exec(text); match; match = marks.exec(text)) {
      const next = this.#step(match[0], match.index);
      marks.lastIndex = Math.max(next, match.index + 1);
    }
    this.#out.push(text.slice(this.#done));
    return { masked: this.#out.join(''), strings: this.#strings, words: this.#words.join(' ').slice(0, maxWords) };
  }

  /** Deals with one mark and says where to go on. */
  #step(mark: string, at: number): number {
    const { lineComment, blockComments, isScript, isRust, isC } = this.#lexis;
    if (mark === lineComment) return this.#comment(at, lineEnd(this.#text, at));
    if (mark === '/*') return blockComments === 'none' ? at + 2 : this.#comment(at, this.#blockEnd(at));
    if (mark === '/') return this.#pattern(at);
    if (mark === '{' || mark === '}') return this.#brace(mark, at);
    if (mark === '`' && isScript) {
      this.#templates.push(0);
      return this.#template(at + 1);
    }
    if (isRust && mark === '"' && this.#opensRaw(at)) return this.#rustRaw(at);
    if (isC && mark === '"' && this.#text[at - 1] === 'R') return this.#cRaw(at);
    if (mark === "'" && (isRust ? isLifetime(this.#text, at) : isC && /\w/.test(this.#text[at - 1] ?? ''))) return at + 1;
    if (mark === this.#lexis.rawQuote) return this.#string(at + 1, indexOrEnd(this.#text, mark, at + 1), 1);
    if (this.#lexis.tripleQuotes?.includes(mark) && this.#text.startsWith(mark.repeat(3), at)) {
      return this.#string(at + 3, tripleEnd(this.#text, mark.repeat(3), at + 3), 3, true);
    }
    const end = quotedEnd(this.#text, at);
    return end === undefined ? at + 1 : this.#string(at + 1, end, 1);
  }

  #comment(from: number, to: number): number {
    this.#keepWords(from, to);
    this.#cover(from, to, ' ');
    return to;
  }

  #string(from: number, to: number, quoteLength: number, keep = false): number {
    this.#strings.push({ start: from, end: to });
    if (keep || to - from < 2000) this.#keepString(from, to, keep);
    this.#cover(from, to, '_');
    return to + quoteLength;
  }

  #keepString(from: number, to: number, keep: boolean): void {
    if (keep || foreign.test(this.#text.slice(from, to))) this.#keepWords(from, to);
  }

  #keepWords(from: number, to: number): void {
    if (this.#wordCount > maxWords) return;
    const words = this.#text
      .slice(from, Math.min(to, from + maxWords))
      .replace(/[\s/*#]+/g, ' ')
      .trim();
    if (words === '') return;
    this.#words.push(words);
    this.#wordCount += words.length + 1;
  }

  #cover(from: number, to: number, filler: string): void {
    this.#out.push(this.#text.slice(this.#done, from), blankOut(this.#text.slice(from, to), filler));
    this.#done = to;
  }

  #blockEnd(at: number): number {
    if (this.#lexis.blockComments === 'flat') return Math.min(indexOrEnd(this.#text, '*/', at + 2) + 2, this.#text.length);
    const marks = /\/\*|\*\//g;
    marks.lastIndex = at;
    let depth = 0;
    for (let match = marks.exec(this.#text); match; match = marks.exec(this.#text)) {
      depth += match[0] === '/*' ? 1 : -1;
      if (depth === 0) return marks.lastIndex;
    }
    return this.#text.length;
  }

  #brace(mark: string, at: number): number {
    const last = this.#templates.length - 1;
    if (last < 0) return at + 1;
    const depth = (this.#templates[last] as number) + (mark === '{' ? 1 : -1);
    this.#templates[last] = depth;
    return depth < 0 ? this.#template(at + 1) : at + 1;
  }

  /** From inside a template to its end or into its next `${`. */
  #template(from: number): number {
    const text = this.#text;
    let end = from;
    while (end < text.length && text[end] !== '`' && !(text[end] === '$' && text[end + 1] === '{')) {
      end += text[end] === '\\' ? 2 : 1;
    }
    end = Math.min(end, text.length);
    this.#string(from, end, 0);
    if (text[end] !== '$') {
      this.#templates.pop();
      return end + 1;
    }
    this.#templates[this.#templates.length - 1] = 0;
    return end + 2;
  }

  #pattern(at: number): number {
    if (!opensPattern(this.#text, at)) return at + 1;
    const end = patternEnd(this.#text, at);
    if (end === undefined) return at + 1;
    this.#cover(at + 1, end, '_');
    return end + 1;
  }

  #opensRaw(at: number): boolean {
    let i = at - 1;
    while (this.#text[i] === '#') i -= 1;
    return this.#text[i] === 'r';
  }

  #rustRaw(at: number): number {
    let hashes = 0;
    while (this.#text[at - 1 - hashes] === '#') hashes += 1;
    const close = `"${'#'.repeat(hashes)}`;
    return this.#string(at + 1, indexOrEnd(this.#text, close, at + 1), close.length);
  }

  #cRaw(at: number): number {
    const open = this.#text.indexOf('(', at);
    if (open < 0 || open - at > 17) return at + 1;
    const close = `)${this.#text.slice(at + 1, open)}"`;
    return this.#string(open + 1, indexOrEnd(this.#text, close, open + 1), close.length);
  }
}

const foreign = /[\u0080-\uffff]/;

function marksOf({ lineComment, blockComments, quotes, rawQuote = '', isScript }: Lexis): RegExp {
  const words = [lineComment, ...(blockComments === 'none' ? [] : ['\\/\\*'])];
  return new RegExp(`${words.join('|')}|[${quotes}${rawQuote}${isScript ? '`{}/' : ''}]`, 'g');
}

function blankOut(text: string, filler: string): string {
  if (!text.includes('\n')) return filler.repeat(text.length);
  return text
    .split('\n')
    .map((line) => filler.repeat(line.length))
    .join('\n');
}

function lineEnd(text: string, at: number): number {
  return indexOrEnd(text, '\n', at);
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}

function tripleEnd(text: string, quotes: string, from: number): number {
  let end = indexOrEnd(text, quotes, from);
  while (end < text.length && text[end - 1] === '\\' && text[end - 2] !== '\\') end = indexOrEnd(text, quotes, end + 1);
  return end;
}

/** The closing quote; undefined where the line ends first, as with an apostrophe in the text of an element. */
function quotedEnd(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let i = start + 1; i < text.length; i++) {
    const character = text[i];
    if (character === '\\') i += 1;
    else if (character === quote) return i;
    else if (character === '\n') return undefined;
  }
  return undefined;
}

function isLifetime(text: string, at: number): boolean {
  return /\w/.test(text[at + 1] ?? '') && text[at + 2] !== "'";
}

const wordsBeforePattern = /\b(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield|instanceof)$/;

/** A slash divides after a value and opens a regular expression anywhere else. */
function opensPattern(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && (text[i] === ' ' || text[i] === '\t')) i -= 1;
  if (i < 0 || text[i] === '\n') return true;
  // What ends an element, as in </b> and <br />, opens nothing.
  if (text[i] === '<') return false;
  if (!/[\w$)\]'"`}]/.test(text[i] as string)) return true;
  return wordsBeforePattern.test(text.slice(Math.max(0, i - 12), i + 1));
}

function patternEnd(text: string, start: number): number | undefined {
  let inClass = false;
  for (let i = start + 1; i < text.length && text[i] !== '\n'; i++) {
    const character = text[i];
    if (character === '\\') i += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return i;
  }
  return undefined;
}
