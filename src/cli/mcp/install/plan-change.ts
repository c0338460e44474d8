// What would become of a client's settings file: the new text, checked against the old one, so that nothing but the one entry differs.
// A file that cannot be read as what it should be is never touched.
import { isDeepStrictEqual } from 'node:util';
import { parseToml } from '../../../config/config-file.ts';
import { findSettingLine } from '../../../config/toml-lines.ts';
import { ContinuoError } from '../../../model/error.ts';
import type { Context } from '../../context.ts';
import { giveCure } from '../../next-step.ts';
import { type McpClient, serverName } from './clients.ts';
import { newDocument, withMember, withMemberOf, withoutMember } from './edit-json.ts';
import { inlineTable, type TomlValue, withoutTable, withTable, withTableOf } from './edit-toml.ts';
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
  const path = pathOf(client);
  const { text: old = '' } = file;
  const isEmpty = isBlank(context, file);
  if (isEmpty && entry === undefined) return { state: 'none', text: old };
  if (isEmpty && client.format === 'json') return { state: 'add', text: newDocument(path, entry) };
  const before = await readData(context, client, file, old);
  const present = lookUp(before, path);
  const wanted = entry && { ...(isTable(present) ? present : {}), ...entry };
  if (isDeepStrictEqual(present, wanted)) return { state: 'none', text: old };
  checkTables(context, client, file, before);
  const text = client.format === 'json' ? editJson(old, path, present, wanted) : editToml(old, path, present, wanted);
  if (text === undefined || !(await isAs(context, client, file, text, replaced(before, path, wanted))))
    throw notEditable(context, client, file, entry);
  return { state: entry === undefined ? 'remove' : present === undefined ? 'add' : 'replace', text };
}

/** The text with the entry of an earlier text in the place of the present one; undefined where that would touch anything else. */
export async function planReturn(
  context: Context,
  client: McpClient,
  file: SettingsFile,
  earlier: SettingsFile,
): Promise<string | undefined> {
  const path = pathOf(client);
  const { text: now = '' } = file;
  const { text: then = '' } = earlier;
  const before = await readData(context, client, file, now);
  const wanted = lookUp(await readData(context, client, earlier, then), path);
  const isJson = client.format === 'json';
  const text = isJson ? withMemberOf(now, then, path) : withTableOf(now, then, path.join('.'));
  if (text === undefined || wanted === undefined) return undefined;
  // Tables below the entry have lines of their own in TOML, which stay as they are now, unless they stand inside of it.
  const tables = tablesOf(lookUp(before, path));
  const wholes =
    isJson || !isTable(wanted)
      ? [wanted]
      : [
          { ...ownValues(wanted), ...tables },
          { ...tables, ...wanted },
        ];
  for (const whole of wholes) if (await isAs(context, client, file, text, replaced(before, path, whole))) return text;
  return undefined;
}

/** What the file has under the entry's name. */
export async function findEntry(context: Context, client: McpClient, file: SettingsFile): Promise<unknown> {
  return isBlank(context, file) ? undefined : lookUp(await readData(context, client, file, file.text as string), pathOf(client));
}

/** Whether the file has the table the entry stands in. */
export async function hasTable(context: Context, client: McpClient, file: SettingsFile): Promise<boolean> {
  if (isBlank(context, file)) return false;
  return lookUp(await readData(context, client, file, file.text as string), client.table) !== undefined;
}

export function pathOf(client: McpClient): readonly string[] {
  return [...client.table, serverName];
}

function isBlank(context: Context, file: SettingsFile): boolean {
  if (file.exists && file.text === undefined) throw unreadable(context, file, 1, context.text.mcpInstall.notText);
  return (file.text ?? '').replace(/^\ufeff/, '').trim() === '';
}

function checkTables(context: Context, client: McpClient, file: SettingsFile, data: Data): void {
  const servers = lookUp(data, client.table) ?? {};
  if (!isTable(servers)) throw unreadable(context, file, 1, context.text.mcpInstall.notAnObject(client.table.join('.')));
}

/** Value by value, so that comments between them stay. */
function editJson(text: string, path: readonly string[], present: unknown, entry: Data | undefined): string | undefined {
  if (entry === undefined) return withoutMember(text, path);
  if (!isTable(present)) return withMember(text, path, entry);
  const changes = differences(present, entry);
  return changes.reduce((changed, [key, value]) => withMember(changed, [...path, key], value), text);
}

function editToml(text: string, path: readonly string[], present: unknown, entry: Data | undefined): string | undefined {
  const name = path.join('.');
  if (entry === undefined) return withoutTable(text, name);
  // Tables below the entry have headers of their own and stay where they are.
  const changes = differences(isTable(present) ? present : {}, ownValues(entry));
  return changes.every(([, value]) => isTomlValue(value))
    ? withTable(text, name, Object.fromEntries(changes) as never)
    : undefined;
}

function differences(present: Data, wanted: Data): [string, unknown][] {
  return Object.entries(wanted).filter(([key, value]) => !isDeepStrictEqual(present[key], value));
}

function ownValues(entry: unknown): Data {
  return Object.fromEntries(Object.entries(isTable(entry) ? entry : {}).filter(([, value]) => !isTable(value)));
}

function tablesOf(entry: unknown): Data {
  return Object.fromEntries(Object.entries(isTable(entry) ? entry : {}).filter(([, value]) => isTable(value)));
}

function isTomlValue(value: unknown): value is TomlValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
}

/** Whether the text means just this. */
async function isAs(context: Context, client: McpClient, file: SettingsFile, text: string, wanted: Data): Promise<boolean> {
  const found = await readData(context, client, file, text).catch(() => undefined);
  return isDeepStrictEqual(withoutEmpty(found, client), withoutEmpty(wanted, client));
}

/** The file is right, and only not changed: what to write by hand is said. */
function notEditable(context: Context, client: McpClient, { path, text: old = '' }: SettingsFile, entry?: Data): ContinuoError {
  const text = context.text.mcpInstall;
  const isToml = client.format === 'toml';
  const line = isToml ? findSettingLine(old, [...pathOf(client), 'command'].join('.')) : 1;
  const error = new ContinuoError('config-invalid', { path, line, reason: text.notEditable });
  const table = client.table.join('.');
  if (entry === undefined) return giveCure(error, text.takeOutByHand(table));
  const byHand = isToml ? `${serverName} = ${inlineTable(entry as never)}` : `"${serverName}": ${JSON.stringify(entry)}`;
  return giveCure(error, text.addByHand(table, byHand));
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

function replaced(data: Data, [key = '', ...rest]: readonly string[], entry: unknown): Data {
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
