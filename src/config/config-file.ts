// conversation.toml in the home: read, checked, and pointed into by line. A mistake in it is `config-invalid`, never ignored.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ContinuoError } from '../model/error.ts';
import { nearestName } from './nearest-name.ts';
import { checkSettingValue } from './setting-value.ts';
import { isSettingName, type SettingName, type SettingValue, settingNames } from './settings.ts';
import { findSettingLine } from './toml-lines.ts';

export interface FileSetting {
  value: SettingValue;
  line: number;
}

export type FileSettings = { [Name in SettingName]?: FileSetting };

export function configPath(home: string): string {
  return join(home, 'conversation.toml');
}

/** What the file says; nothing where there is no file. */
export async function loadConfigFile(path: string): Promise<FileSettings> {
  const text = await readConfigText(path);
  return text === undefined ? {} : parseConfigText(path, text);
}

/** The file as it is; undefined where there is none. */
export async function readConfigText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return undefined;
    if (code === 'EACCES' || code === 'EPERM') throw new ContinuoError('permission-denied', { path }, { cause: error });
    throw new ContinuoError('io-failed', { path, reason: (error as Error).message }, { cause: error });
  }
}

export async function parseConfigText(path: string, text: string): Promise<FileSettings> {
  const { settings, mistakes } = await readSettings(path, text);
  if (mistakes[0]) throw mistakes[0];
  return settings;
}

/** Every setting that is not right, with its name in the details. */
export async function findMistakes(path: string, text: string): Promise<ContinuoError[]> {
  return (await readSettings(path, text)).mistakes;
}

/** The names that are written in the file, right or not. */
export async function listWritten(path: string, text: string): Promise<string[]> {
  return [...leavesOf(await parseToml(path, text))].map(([name]) => name);
}

async function readSettings(path: string, text: string): Promise<{ settings: FileSettings; mistakes: ContinuoError[] }> {
  const settings: Record<string, FileSetting> = {};
  const mistakes: ContinuoError[] = [];
  const mistaken = (setting: string, line: number, reason: string) =>
    mistakes.push(new ContinuoError('config-invalid', { path, line, reason, setting }));
  for (const [name, value] of leavesOf(await parseToml(path, text))) {
    const line = findSettingLine(text, name);
    const checked = isSettingName(name) ? checkSettingValue(name, value, dirname(path)) : { mistake: unknownSetting(name) };
    if ('mistake' in checked) mistaken(name, line, checked.mistake);
    else settings[name] = { value: checked.value, line };
  }
  return { settings, mistakes };
}

/** The text as plain data. The parser is loaded only where there is something to parse. */
export async function parseToml(path: string, text: string): Promise<Record<string, unknown>> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'not valid TOML';
    throw new ContinuoError('config-invalid', { path, line: error.line, reason }, { cause: error });
  }
}

function unknownSetting(name: string): string {
  const suggestion = nearestName(name, settingNames);
  return suggestion === undefined
    ? `there is no setting "${name}"`
    : `there is no setting "${name}"; did you mean "${suggestion}"?`;
}

/** Dotted names with their values. An empty table sets nothing. */
function* leavesOf(value: Record<string, unknown>, prefix = ''): Generator<[string, unknown]> {
  for (const [key, inner] of Object.entries(value)) {
    const name = prefix + key;
    if (isPlainTable(inner) && !isSettingName(name)) yield* leavesOf(inner, `${name}.`);
    else yield [name, inner];
  }
}

function isPlainTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
