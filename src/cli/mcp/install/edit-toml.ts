// One table put into a TOML settings file, or taken out of it, by whole lines. What a change means is smol-toml's business alone: the
// caller compares the result with it, and a file whose lines are not what they look like is left as it is.
import { scanTomlLines } from '../../../config/toml-lines.ts';

/** What can be written on one line. */
export type TomlValue = string | number | boolean | readonly string[];
type Table = Readonly<Record<string, TomlValue>>;

/** The text with the table; one of that name has its own values exchanged, tables below it stay. */
export function withTable(text: string, name: string, table: Table): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = [`[${name}]`, ...Object.entries(table).map(([key, value]) => `${formatKey(key)} = ${JSON.stringify(value)}`)];
  const present = findTable(text, name);
  if (present) {
    const all = text.split('\n');
    const isCarried = end === '\r\n';
    all.splice(present.from, present.to - present.from, ...lines.map((line) => (isCarried ? `${line}\r` : line)));
    return all.join('\n');
  }
  const isEmpty = text.replace(/^\ufeff/, '') === '';
  const gap = isEmpty ? '' : text.endsWith('\n') ? end : end + end;
  return `${text}${gap}${lines.join(end)}${end}`;
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
    changed = all.join('\n');
  }
  return changed;
}

/** From its header to its last value; what stands after that, as comments of the next table, is not its own. */
function findTable(text: string, name: string, isBelowToo = false): { from: number; to: number } | undefined {
  const lines = scanTomlLines(text.replace(/^\ufeff/, ' '));
  const isMeant = (header: string) => header === name || (isBelowToo && header.startsWith(`${name}.`));
  const header = lines.findIndex(({ part }) => part && 'header' in part && isMeant(part.header));
  if (header < 0) return undefined;
  const next = lines.findIndex(({ part }, i) => i > header && part !== undefined && 'header' in part);
  let to = next < 0 ? lines.length : next;
  while (to > header + 1 && /^\s*(?:#.*)?$/.test(lines[to - 1]?.text ?? '')) to -= 1;
  return { from: header, to };
}

function formatKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}
