// Changes one setting in the user's own file. Comments, order and spacing stay: one line is exchanged, added or taken out, and the
// result is parsed again before it is written. A file that cannot be read as TOML is never touched.
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder, writeFileAtomically } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import { findMistakes, listWritten, parseToml, readConfigText } from './config-file.ts';
import { checkSettingValue } from './setting-value.ts';
import type { SettingName, SettingValue } from './settings.ts';
import { findSettingLine, scanTomlLines, splitValue, type TomlLine } from './toml-lines.ts';

const newFileHead = '# Settings of Continuo. "continuo config" lists them all.\n';

/** Writes the value into the file, which is made where there is none. A value the file could not hold is `invalid-input`. */
export async function setSetting(path: string, name: SettingName, value: SettingValue): Promise<void> {
  assertFits(path, name, value);
  await edit(path, name, value, (text) => withSetting(text, name, value));
}

/** Throws `invalid-input` where reading the setting back would be a mistake. */
export function assertFits(path: string, name: SettingName, value: SettingValue): void {
  const checked = checkSettingValue(name, value, dirname(path));
  if ('mistake' in checked) throw new ContinuoError('invalid-input', { what: `value of ${name}`, reason: checked.mistake });
}

/** Takes the setting out of the file, also one that does not exist. False where it was not in it. */
export async function unsetSetting(path: string, name: string): Promise<boolean> {
  const text = await readConfigText(path);
  if (text === undefined || !(await listWritten(path, text)).includes(name)) return false;
  await edit(path, name, undefined, (old) => withoutSetting(old, name));
  return true;
}

async function edit(
  path: string,
  name: string,
  value: SettingValue | undefined,
  change: (text: string) => Iterable<string>,
): Promise<void> {
  const old = await readConfigText(path);
  const before = old === undefined ? {} : await parseToml(path, old);
  // The other settings must be right too: nobody should think the file is in force when it is not. What is wrong can be repaired.
  const mistakes = old === undefined ? [] : await findMistakes(path, old);
  if (mistakes[0] && !mistakes.some(({ details }) => details.setting === name)) throw mistakes[0];
  const changed = await findFirst(change(old ?? newFileHead), (text) => saysOnly(path, text, before, name, value));
  if (changed === undefined)
    throw new ContinuoError('config-invalid', {
      path,
      line: old === undefined ? 1 : findSettingLine(old, name),
      reason: `${name} cannot be changed automatically here; edit the file by hand`,
    });
  await makePrivateFolder(dirname(path));
  // A file kept elsewhere and linked into the home stays linked.
  await writeFileAtomically(old === undefined ? path : await realpath(path), changed);
}

async function findFirst(texts: Iterable<string>, isRight: (text: string) => Promise<boolean>): Promise<string | undefined> {
  for (const text of texts) if (await isRight(text)) return text;
  return undefined;
}

/** The ways the text might say it; which of them is right, the parser decides. */
function* withSetting(text: string, name: SettingName, value: SettingValue): Generator<string> {
  const lines = scanTomlLines(text);
  const written = JSON.stringify(value);
  const present = findPresent(lines, name);
  if (present) {
    const { before, after } = splitValue(present.text);
    for (const count of lengthsOf(lines, present))
      yield replaceLines(text, present.number, count, [before + written + (count === 1 ? after : '')]);
    return;
  }
  const dot = name.lastIndexOf('.');
  const [table, key] = [name.slice(0, dot), name.slice(dot + 1)];
  const ownTable = withoutTable(text, lines, name);
  if (ownTable !== undefined) yield* withSetting(ownTable, name, value);
  const sibling = lines.findLast((line) => line.table === table && line.part !== undefined);
  if (sibling) {
    for (const count of lengthsOf(lines, sibling)) yield replaceLines(text, sibling.number + count, 0, [`${key} = ${written}`]);
    return;
  }
  const dotted = lines.findLast(
    ({ table: own, part }) => own === '' && part && 'name' in part && part.name.startsWith(`${table}.`),
  );
  if (dotted) {
    yield replaceLines(text, dotted.number + 1, 0, [`${name} = ${written}`]);
    return;
  }
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  yield `${text}${gap}${text === '' ? '' : '\n'}[${table}]\n${key} = ${written}\n`;
}

function* withoutSetting(text: string, name: string): Generator<string> {
  const lines = scanTomlLines(text);
  const present = findPresent(lines, name);
  if (present) for (const count of lengthsOf(lines, present)) yield replaceLines(text, present.number, count, []);
  const ownTable = withoutTable(text, lines, name);
  if (ownTable !== undefined) yield ownTable;
}

/** Where a table stands in the place of a setting: the text without it. */
function withoutTable(text: string, lines: readonly TomlLine[], name: string): string | undefined {
  const header = lines.find(({ part }) => part && 'header' in part && part.header === name);
  if (!header) return undefined;
  const next = lines.find(({ number, part }) => number > header.number && part && 'header' in part);
  const end = lines.length + (lines.at(-1)?.text === '' ? 0 : 1);
  return replaceLines(text, header.number, (next?.number ?? end) - header.number, []);
}

function findPresent(lines: readonly TomlLine[], name: string): TomlLine | undefined {
  return lines.find(({ part }) => part && 'name' in part && part.name === name);
}

/** How many lines a value may go over. */
function* lengthsOf(lines: readonly TomlLine[], { number, part }: TomlLine): Generator<number> {
  yield 1;
  if (!part || !('oneLine' in part) || part.oneLine) return;
  for (let count = 2; count <= Math.min(lines.length - number + 1, mostLines); count += 1) yield count;
}

const mostLines = 500;

/** The text with `count` lines from line `number` on replaced; line ends stay as the file has them. */
function replaceLines(text: string, number: number, count: number, replacement: string[]): string {
  const end = text.includes('\r\n') ? '\r' : '';
  const lines = text.split('\n');
  const isAfterLast = number > lines.length;
  lines.splice(number - 1, count, ...replacement.map((line) => line + (isAfterLast ? '' : end)));
  return isAfterLast && replacement.length > 0 ? `${lines.join('\n')}\n` : lines.join('\n');
}

/** Whether the changed text differs from the old one in this setting alone. */
async function saysOnly(
  path: string,
  changed: string,
  before: Record<string, unknown>,
  name: string,
  value: SettingValue | undefined,
): Promise<boolean> {
  try {
    return describe(await parseToml(path, changed)) === describe(before, name, value);
  } catch (error) {
    if (error instanceof ContinuoError) return false;
    throw error;
  }
}

function formatLeaf(value: unknown): string {
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** A comparable form, with one setting replaced. Tables that hold nothing do not count. */
function describe(table: Record<string, unknown>, name?: string, value?: SettingValue): string {
  const leaves = new Map<string, string>();
  const visit = (inner: Record<string, unknown>, prefix: string): void => {
    for (const [key, each] of Object.entries(inner)) {
      if (typeof each === 'object' && each !== null && !Array.isArray(each) && !(each instanceof Date)) {
        visit(each as Record<string, unknown>, `${prefix}${key}.`);
      } else leaves.set(prefix + key, formatLeaf(each));
    }
  };
  visit(table, '');
  if (name !== undefined) for (const leaf of leaves.keys()) if (leaf === name || leaf.startsWith(`${name}.`)) leaves.delete(leaf);
  if (name !== undefined && value !== undefined) leaves.set(name, formatLeaf(value));
  return JSON.stringify([...leaves].sort(([a], [b]) => (a < b ? -1 : 1)));
}
