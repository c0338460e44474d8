// One table put into a TOML settings file, or taken out of it, by whole lines. What a change means is smol-toml's business alone: the
// caller compares the result with it, and a file whose lines are not what they look like is left as it is.
import { scanTomlLines, splitValue, type TomlLine } from '../../../config/toml-lines.ts';

/** What can be written on one line. */
export type TomlValue = string | number | boolean | readonly string[];
type Table = Readonly<Record<string, TomlValue>>;

/** The text with these values in the table: one of that name keeps its header, its other values and its comments. */
export function withTable(text: string, name: string, table: Table): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  if (findTable(text, name))
    return Object.entries(table).reduce((changed, [key, value]) => withValue(changed, name, key, value), text);
  const lines = [`[${name}]`, ...Object.entries(table).map(([key, value]) => formatLine(key, value))];
  const isEmpty = text.replace(/^\ufeff/, '') === '';
  const gap = isEmpty ? '' : text.endsWith('\n') ? end : end + end;
  return `${text}${gap}${lines.join(end)}${end}`;
}

/** The text with the table as another text has it, line by line; those below it stay. Undefined where it has none to exchange. */
export function withTableOf(text: string, other: string, name: string): string | undefined {
  const present = findTable(text, name);
  const wanted = findTable(other, name);
  if (!present) return undefined;
  const lines = text.split('\n');
  lines.splice(present.from, present.to - present.from, ...(wanted ? other.split('\n').slice(wanted.from, wanted.to) : []));
  return lines.join('\n');
}

/** A value of a table that is there. One that goes over several lines is exchanged with all of them. */
function withValue(text: string, name: string, key: string, value: TomlValue): string {
  const { from, to } = findTable(text, name) as { from: number; to: number };
  const all = text.split('\n');
  const found = scanLines(text).findIndex(({ part }, i) => i > from && i < to && part && 'name' in part && part.ownKey === key);
  if (found < 0) {
    // The last line of a file may have no end; the line after it has none then.
    const carriage = all[from]?.endsWith('\r') ? '\r' : '';
    const isLast = to === all.length;
    if (isLast) all.push(`${all.pop()}${to - 1 === from ? '' : carriage}`, formatLine(key, value));
    else all.splice(to, 0, formatLine(key, value) + carriage);
    return all.join('\n');
  }
  const last = lastLineOf(text, found, to);
  const { before, after } = splitValue((all[found] as string).replace(/\r$/, ''));
  const line = before + JSON.stringify(value) + (last === found ? after : '');
  all.splice(found, last - found + 1, line + (all[last]?.endsWith('\r') ? '\r' : ''));
  return all.join('\n');
}

function lastLineOf(text: string, first: number, to: number): number {
  const lines = scanLines(text);
  let last = first;
  if ((lines[first]?.part as { oneLine?: boolean } | undefined)?.oneLine) return last;
  while (last + 1 < to && lines[last + 1]?.part === undefined) last += 1;
  while (last > first && isBlank(lines[last]?.text)) last -= 1;
  return last;
}

/** The text without the table and those below it; undefined where there is none. */
export function withoutTable(text: string, name: string): string | undefined {
  let changed: string | undefined;
  for (let found = findTable(text, name, true); found; found = findTable(changed ?? text, name, true)) {
    const all = (changed ?? text).split('\n');
    // The empty line that was put before it goes along.
    const isAfterGap = found.from > 0 && (all[found.from - 1] ?? '').trim() === '' && (all[found.to] ?? '').trim() === '';
    const from = isAfterGap ? found.from - 1 : found.from;
    all.splice(from, found.to - from);
    // The line before keeps its end.
    if (all.length > 0 && from === all.length) all.push('');
    changed = all.join('\n');
  }
  return changed;
}

/** From its header to its last value; what stands after that, as comments of the next table, is not its own. */
function findTable(text: string, name: string, isBelowToo = false): { from: number; to: number } | undefined {
  const lines = scanLines(text);
  const isMeant = (header: string) => header === name || (isBelowToo && header.startsWith(`${name}.`));
  const header = lines.findIndex(({ part }) => part && 'header' in part && isMeant(part.header));
  if (header < 0) return undefined;
  const next = lines.findIndex(({ part }, i) => i > header && part !== undefined && 'header' in part);
  let to = next < 0 ? lines.length : next;
  while (to > header + 1 && isBlank(lines[to - 1]?.text)) to -= 1;
  return { from: header, to };
}

/** A byte order mark is no part of the first line. */
function scanLines(text: string): TomlLine[] {
  return scanTomlLines(text.replace(/^\ufeff/, ' '));
}

function isBlank(line = ''): boolean {
  return /^\s*(?:#.*)?$/.test(line);
}

function formatLine(key: string, value: TomlValue): string {
  return `${formatKey(key)} = ${JSON.stringify(value)}`;
}

function formatKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** The same on one line, as it stands in another table. */
export function inlineTable(table: Table): string {
  return `{ ${Object.entries(table)
    .map(([key, value]) => formatLine(key, value))
    .join(', ')} }`;
}
