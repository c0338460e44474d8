// Where in a TOML text each setting stands, line by line. It finds places for messages and for edits of one line; what a value
// means is smol-toml's business alone, and every edit is checked against it.

export interface TomlLine {
  /** Counted from 1. */
  number: number;
  text: string;
  /** The table the line belongs to, dotted; '' before the first header. */
  table: string;
  /** What the line is about: a header, the start of a value with its full dotted name, or anything else. */
  part: { header: string } | { name: string; ownKey: string; oneLine: boolean } | undefined;
}

/** The lines of the text without their ends. */
export function scanTomlLines(text: string): TomlLine[] {
  const lines: TomlLine[] = [];
  let table = '';
  let openQuote: string | undefined;
  text.split('\n').forEach((raw, index) => {
    const line: TomlLine = { number: index + 1, text: raw.replace(/\r$/, ''), table, part: undefined };
    lines.push(line);
    if (openQuote !== undefined) {
      if (line.text.includes(openQuote)) openQuote = undefined;
      return;
    }
    const header = /^\s*\[\[?\s*([^[\]]+?)\s*\]/.exec(line.text)?.[1];
    if (header !== undefined) {
      table = plainKey(header);
      line.table = table;
      line.part = { header: table };
      return;
    }
    const key = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/.exec(line.text)?.[1];
    if (key === undefined) return;
    openQuote = unclosedQuote(line.text);
    const ownKey = plainKey(key);
    const oneLine = openQuote === undefined && !hasOpenBracket(line.text);
    line.part = { name: table === '' ? ownKey : `${table}.${ownKey}`, ownKey, oneLine };
  });
  return lines;
}

/** The line where a setting, or the table it stands in, is written; the first line where it cannot be told. */
export function findSettingLine(text: string, name: string): number {
  const lines = scanTomlLines(text);
  for (let wanted = name; wanted !== ''; wanted = wanted.slice(0, Math.max(0, wanted.lastIndexOf('.')))) {
    const found = lines.find(({ part }) => part && ('name' in part ? part.name === wanted : part.header === wanted));
    if (found) return found.number;
  }
  return 1;
}

/** Splits `key = value # comment` so that the value can be exchanged. */
export function splitValue(line: string): { before: string; value: string; after: string } {
  const start = line.indexOf('=') + 1;
  const before = line.slice(0, start) + (/^\s*/.exec(line.slice(start))?.[0] ?? '');
  let end = line.length;
  let quote: string | undefined;
  for (let i = before.length; i < line.length; i++) {
    const character = line[i];
    if (quote === '"' && character === '\\') i += 1;
    else if (quote !== undefined) quote = character === quote ? undefined : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '#') {
      end = i;
      break;
    }
  }
  const value = line.slice(before.length, end).trimEnd();
  return { before, value, after: line.slice(before.length + value.length) };
}

function plainKey(key: string): string {
  return key
    .split('.')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join('.');
}

function unclosedQuote(line: string): string | undefined {
  const { value } = splitValue(line);
  const quote = ['"""', "'''"].find((mark) => value.startsWith(mark));
  return quote !== undefined && !value.slice(3).includes(quote) ? quote : undefined;
}

function hasOpenBracket(line: string): boolean {
  const { value } = splitValue(line);
  return (value.startsWith('[') && !value.endsWith(']')) || (value.startsWith('{') && !value.endsWith('}'));
}
