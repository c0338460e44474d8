// What would become of a client's settings file: the new text, checked against the old one, so that nothing but the one entry differs.
// A file that cannot be read as what it should be is never touched.
import { isDeepStrictEqual } from 'node:util';
import { parseToml } from '../../../config/config-file.ts';
import { ContinuoError } from '../../../model/error.ts';
import type { Context } from '../../context.ts';
import { type McpClient, serverName } from './clients.ts';
import { NotAnObject, newDocument, withMember, withoutMember } from './edit-json.ts';
import { type TomlValue, withoutTable, withTable } from './edit-toml.ts';
import { JsonMistake, parseDocument, toData } from './json-document.ts';
import type { SettingsFile } from './settings-file.ts';

export interface Change {
  state: 'add' | 'replace' | 'remove' | 'none';
  /** The whole file as it would be. */
  text: string;
}

type Data = Record<string, unknown>;

/** Puts the entry in, or takes it out where it is undefined. What somebody added to an entry of ours stays. */
export async function planChange(
  context: Context,
  client: McpClient,
  file: SettingsFile,
  entry: Data | undefined,
): Promise<Change> {
  const path = [...client.table, serverName];
  const { exists, text: old = '' } = file;
  if (exists && file.text === undefined) throw unreadable(context, file, 1, context.text.mcpInstall.notText);
  const isEmpty = old.replace(/^\ufeff/, '').trim() === '';
  if (isEmpty && entry === undefined) return { state: 'none', text: old };
  if (isEmpty && client.format === 'json') return { state: 'add', text: newDocument(path, entry) };
  const before = await readData(context, client, file, old);
  const present = lookUp(before, path);
  const wanted = entry && { ...(isTable(present) ? present : {}), ...entry };
  if (isDeepStrictEqual(present, wanted)) return { state: 'none', text: old };
  const text = client.format === 'json' ? editJson(context, file, path, wanted) : editToml(old, path.join('.'), wanted);
  const after = text === undefined ? undefined : await readData(context, client, file, text).catch(() => undefined);
  if (text === undefined || !isDeepStrictEqual(withoutEmpty(after, client), withoutEmpty(replaced(before, path, wanted), client)))
    throw unreadable(context, file, 1, context.text.mcpInstall.notEditable);
  return { state: entry === undefined ? 'remove' : present === undefined ? 'add' : 'replace', text };
}

/** The entry as the file has it. */
export async function findEntry(context: Context, client: McpClient, file: SettingsFile): Promise<Data | undefined> {
  if (!file.exists || (file.text ?? 'x').trim() === '') return undefined;
  if (file.text === undefined) throw unreadable(context, file, 1, context.text.mcpInstall.notText);
  const entry = lookUp(await readData(context, client, file, file.text), [...client.table, serverName]);
  return isTable(entry) ? entry : undefined;
}

function editJson(context: Context, file: SettingsFile, path: readonly string[], entry: Data | undefined): string | undefined {
  try {
    return entry === undefined ? withoutMember(file.text as string, path) : withMember(file.text as string, path, entry);
  } catch (error) {
    if (!(error instanceof NotAnObject)) throw error;
    throw unreadable(context, file, 1, context.text.mcpInstall.notAnObject(error.message));
  }
}

/** Tables below the entry have headers of their own and stay where they are. */
function editToml(text: string, name: string, entry: Data | undefined): string | undefined {
  if (entry === undefined) return withoutTable(text, name);
  const own = Object.entries(entry).filter(([, value]) => !isTable(value));
  return own.every(([, value]) => isTomlValue(value)) ? withTable(text, name, Object.fromEntries(own) as never) : undefined;
}

function isTomlValue(value: unknown): value is TomlValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
}

async function readData(context: Context, client: McpClient, file: SettingsFile, text: string): Promise<Data> {
  try {
    if (client.format === 'toml') return toPlain(await parseToml(file.path, text.replace(/^\ufeff/, ''))) as Data;
    const data = toData(parseDocument(text));
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Data;
    throw new JsonMistake(1, 'object');
  } catch (error) {
    if (error instanceof JsonMistake) throw unreadable(context, file, error.line, context.text.mcpInstall.mistakes[error.kind]);
    if (!(error instanceof ContinuoError)) throw error;
    throw unreadable(context, file, Number(error.details.line ?? 1), String(error.details.reason));
  }
}

function unreadable({ text }: Context, { path }: SettingsFile, line: number, reason: string): ContinuoError {
  return new ContinuoError('config-invalid', { path, line, reason: text.mcpInstall.notParsed(text.translateReason(reason)) });
}

function lookUp(data: Data, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isTable(inner) ? inner[key] : undefined), data);
}

function replaced(data: Data, [key = '', ...rest]: readonly string[], entry: Data | undefined): Data {
  const { [key]: inner, ...others } = data;
  if (rest.length > 0) return { ...others, [key]: replaced(isTable(inner) ? inner : {}, rest, entry) };
  return entry === undefined ? others : { ...others, [key]: entry };
}

/** Tables that hold nothing do not count in TOML: they go with their last entry. */
function withoutEmpty(data: Data | undefined, client: McpClient): unknown {
  if (data === undefined) return undefined;
  const table = client.table[0] as string;
  const { [table]: servers, ...others } = data;
  const isEmpty = isTable(servers) && Object.keys(servers).length === 0;
  return isEmpty || servers === undefined ? others : data;
}

function isTable(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tables as plain objects, whatever the parser makes them of, so that they can be compared. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isTable(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toPlain(each)]));
}
