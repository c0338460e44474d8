// Reads a TypeScript file as far as the architecture rules need it: which modules it imports, and its code without comments and
// without the contents of strings. A scanner of its own, so that the rules depend on no compiler.

export type ImportKind = 'static' | 'type' | 're-export' | 'dynamic';

export interface ImportEdge {
  kind: ImportKind;
  /** What stands in the quotes; undefined for a dynamic import of a computed name. */
  specifier: string | undefined;
  line: number;
}

export interface ScannedSource {
  imports: ImportEdge[];
  /** The text with comments blanked and every character of a string, template or regular expression replaced by `_`. */
  masked: string;
  /** Lines that hold code: neither blank nor comment alone. */
  codeLines: number;
}

export function scanSource(text: string): ScannedSource {
  const masked = maskText(text);
  return {
    imports: findImports(text, masked),
    masked,
    codeLines: masked.split('\n').filter((line) => line.trim() !== '').length,
  };
}

export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let i = 0; i < offset; i++) if (text.charCodeAt(i) === 10) line++;
  return line;
}

const statementPattern = /\b(import|export)\b(\s+type\b(?!\s*(?:,|from\b)))?[^'"`;()=]*?\bfrom\s*(['"])(_*)\3/g;
const sideEffectPattern = /\bimport\s*(['"])(_*)\1/g;
const callPattern = /(?<![.\w$])(import|require|require\.resolve|import\.meta\.resolve)\s*\(\s*(?:(['"`])(_*)\2\s*[,)])?/g;

function findImports(text: string, masked: string): ImportEdge[] {
  const edges: (ImportEdge & { offset: number })[] = [];
  const add = (kind: ImportKind, match: RegExpMatchArray, quoted: string | undefined, tail: number) => {
    const offset = match.index ?? 0;
    const end = offset + match[0].length - tail;
    const specifier = quoted === undefined ? undefined : text.slice(end - quoted.length, end);
    edges.push({ kind, specifier, line: lineOf(text, offset), offset });
  };
  for (const match of masked.matchAll(statementPattern)) {
    add(match[2] ? 'type' : match[1] === 'export' ? 're-export' : 'static', match, match[4], 1);
  }
  for (const match of masked.matchAll(sideEffectPattern)) add('static', match, match[2], 1);
  for (const match of masked.matchAll(callPattern)) {
    const [whole, callee, quote, quoted] = match;
    if (quote !== undefined) add('dynamic', match, quoted, whole.length - whole.lastIndexOf(quote));
    else if (callee === 'import') add('dynamic', match, undefined, 0);
  }
  return edges.sort((a, b) => a.offset - b.offset).map(({ kind, specifier, line }) => ({ kind, specifier, line }));
}

/** Same length and same lines as the text. */
function maskText(text: string): string {
  const out = text.split('');
  const blank = (from: number, to: number, filler: string) => {
    for (let i = from; i < to; i++) if (out[i] !== '\n') out[i] = filler;
  };
  /** For every open template, how many braces are open inside its `${`. */
  const templates: number[] = [];
  let i = 0;

  const skipTemplate = (from: number): number => {
    const end = findTemplateStop(text, from);
    blank(from, end, '_');
    if (text[end] === '`') {
      templates.pop();
      return end + 1;
    }
    templates[templates.length - 1] = 0;
    return end + 2;
  };

  while (i < text.length) {
    const character = text[i] as string;
    const pair = text.slice(i, i + 2);
    if (pair === '//') {
      const end = endOr(text.indexOf('\n', i), text.length);
      blank(i, end, ' ');
      i = end;
    } else if (pair === '/*') {
      const end = endOr(text.indexOf('*/', i + 2) + 2, text.length, 2);
      blank(i, end, ' ');
      i = end;
    } else if (character === "'" || character === '"') {
      const end = findStringEnd(text, i);
      if (end !== undefined) blank(i + 1, end, '_');
      i = (end ?? i) + 1;
    } else if (character === '`') {
      templates.push(0);
      i = skipTemplate(i + 1);
    } else if (character === '/' && startsRegex(out, i)) {
      const end = findRegexEnd(text, i);
      blank(i + 1, end, '_');
      i = end + 1;
    } else if (templates.length > 0 && (character === '{' || character === '}')) {
      const depth = (templates.at(-1) as number) + (character === '{' ? 1 : -1);
      templates[templates.length - 1] = depth;
      i = depth < 0 ? skipTemplate(i + 1) : i + 1;
    } else {
      i++;
    }
  }
  return out.join('');
}

function endOr(found: number, otherwise: number, notBelow = 0): number {
  return found < notBelow ? otherwise : found;
}

/** The closing quote; undefined where the line ends first, as with an apostrophe in the text of an element. */
function findStringEnd(text: string, start: number): number | undefined {
  for (let i = start + 1; i < text.length && text[i] !== '\n'; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === text[start]) return i;
  }
  return undefined;
}

/** The closing backtick or the next `${`. */
function findTemplateStop(text: string, from: number): number {
  let i = from;
  while (i < text.length && text[i] !== '`' && text.slice(i, i + 2) !== '${') i += text[i] === '\\' ? 2 : 1;
  return Math.min(i, text.length);
}

function findRegexEnd(text: string, start: number): number {
  let inClass = false;
  for (let i = start + 1; i < text.length && text[i] !== '\n'; i++) {
    const character = text[i];
    if (character === '\\') i++;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return i;
  }
  return start;
}

const keywordsBeforeRegex = /\b(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield|instanceof)$/;

/** A slash divides after a value and opens a regular expression anywhere else. */
function startsRegex(out: readonly string[], at: number): boolean {
  let i = at - 1;
  while (i >= 0 && /\s/.test(out[i] as string)) i--;
  if (i < 0) return true;
  if (!/[\w$)\]'"`]/.test(out[i] as string)) return true;
  return keywordsBeforeRegex.test(out.slice(Math.max(0, i - 12), i + 1).join(''));
}
