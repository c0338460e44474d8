// Changes one setting in the user's own file. Comments, order and spacing stay: one line is exchanged, added or taken out, and the
// result is parsed again before it is written. A file that cannot be read as TOML is never touched.
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder, writeFileAtomically } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import { parseConfigText, parseToml, readConfigText } from './config-file.ts';
import type { SettingName, SettingValue } from './settings.ts';
import { scanTomlLines, splitValue, type TomlLine } from './toml-lines.ts';

const newFileHead = '# Settings of Continuo. "continuo config" lists them all.\n';

/** Writes the value into the file, which is made where there is none. */
export async function setSetting(path: string, name: SettingName, value: SettingValue): Promise<void> {
  await edit(path, name, value, (text) => withSetting(text, name, value));
}

/** Takes the setting out of the file. False where it was not in it. */
export async function unsetSetting(path: string, name: SettingName): Promise<boolean> {
  const text = await readConfigText(path);
  if (text === undefined || (await parseConfigText(path, text))[name] === undefined) return false;
  await edit(path, name, undefined, (old) => withoutSetting(old, name));
  return true;
}

async function edit(
  path: string,
  name: SettingName,
  value: SettingValue | undefined,
  change: (text: string) => string | undefined,
): Promise<void> {
  const old = await readConfigText(path);
  const before = old === undefined ? {} : await parseToml(path, old);
  // The other settings must be right too: nobody should think the file is in force when it is not.
  if (old !== undefined) await parseConfigText(path, old);
  const changed = change(old ?? newFileHead);
  const isRight = changed !== undefined && (await saysOnly(path, changed, before, name, value));
  if (!isRight)
    throw new ContinuoError('config-invalid', {
      path,
      line: 1,
      reason: `${name} cannot be changed automatically here; edit the file by hand`,
    });
  await makePrivateFolder(dirname(path));
  // A file kept elsewhere and linked into the home stays linked.
  await writeFileAtomically(old === undefined ? path : await realpath(path), changed);
}

function withSetting(text: string, name: SettingName, value: SettingValue): string | undefined {
  const lines = scanTomlLines(text);
  const written = JSON.stringify(value);
  const present = lines.find(({ part }) => part && 'name' in part && part.name === name);
  if (present) {
    if (!oneLine(present)) return undefined;
    const { before, after } = splitValue(present.text);
    return replaceLines(text, present.number, 1, [before + written + after]);
  }
  const dot = name.lastIndexOf('.');
  const [table, key] = [name.slice(0, dot), name.slice(dot + 1)];
  const sibling = lines.findLast((line) => line.table === table && line.part !== undefined);
  if (sibling) return replaceLines(text, sibling.number + 1, 0, [`${key} = ${written}`]);
  const dotted = lines.findLast(
    ({ table: own, part }) => own === '' && part && 'name' in part && part.name.startsWith(`${table}.`),
  );
  if (dotted) return replaceLines(text, dotted.number + 1, 0, [`${name} = ${written}`]);
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${gap}${text === '' ? '' : '\n'}[${table}]\n${key} = ${written}\n`;
}

function withoutSetting(text: string, name: SettingName): string | undefined {
  const present = scanTomlLines(text).find(({ part }) => part && 'name' in part && part.name === name);
  return present && oneLine(present) ? replaceLines(text, present.number, 1, []) : undefined;
}

function oneLine({ part }: TomlLine): boolean {
  return part !== undefined && 'oneLine' in part && part.oneLine;
}

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
  name: SettingName,
  value: SettingValue | undefined,
): Promise<boolean> {
  try {
    return describe(await parseToml(path, changed)) === describe(before, name, value);
  } catch (error) {
    if (error instanceof ContinuoError) return false;
    throw error;
  }
}

/** A comparable form, with one setting replaced. Tables that hold nothing do not count. */
function describe(table: Record<string, unknown>, name?: SettingName, value?: SettingValue): string {
  const leaves = new Map<string, string>();
  const visit = (inner: Record<string, unknown>, prefix: string): void => {
    for (const [key, each] of Object.entries(inner)) {
      if (typeof each === 'object' && each !== null && !Array.isArray(each) && !(each instanceof Date)) {
        visit(each as Record<string, unknown>, `${prefix}${key}.`);
      } else leaves.set(prefix + key, JSON.stringify(each));
    }
  };
  visit(table, '');
  if (name !== undefined && value !== undefined) leaves.set(name, JSON.stringify(value));
  else if (name !== undefined) leaves.delete(name);
  return JSON.stringify([...leaves].sort(([a], [b]) => (a < b ? -1 : 1)));
}
