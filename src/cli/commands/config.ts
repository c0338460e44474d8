// continuo config: every setting with its value and where that came from; get, set, unset one; the file's path.
import { relative } from 'node:path';
import type { Command } from 'commander';
import { configPath, findMistakes, listWritten, readConfigText } from '../../config/config-file.ts';
import { setSetting, unsetSetting } from '../../config/edit-config.ts';
import type { Origin, Setting } from '../../config/load-config.ts';
import { nearestName } from '../../config/nearest-name.ts';
import { formatList, parseSettingText } from '../../config/setting-value.ts';
import { isSettingName, type SettingName, type SettingValue, settingNames } from '../../config/settings.ts';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import { loadHome } from '../../store/home.ts';
import { toStoreError } from '../../store/io-fault.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import type { Help } from '../messages/messages.ts';
import { readChoice } from '../option-values.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import { renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import { usageError } from '../usage-error.ts';

const actions = ['list', 'get', 'set', 'unset', 'path'] as const;

export function define(command: Command, { commands: { config } }: Help): void {
  command
    .argument('[action]', config.arguments.action)
    .argument('[name]', config.arguments.name)
    .argument('[value]', config.arguments.value);
}

export async function run(context: Context, [given = 'list', name, value]: readonly string[]): Promise<undefined> {
  const action = readChoice(context, 'config', given, actions);
  const path = configPath(context.home);
  const wanted = { list: 0, path: 0, get: 1, unset: 1, set: 2 }[action];
  const found = [name, value].filter((each) => each !== undefined).length;
  if (found !== wanted) throw usageError(context.text.usage.configUsage[action]);
  if (action === 'path') return void context.output.result({ file: path }, () => printable(context, path));
  if (action === 'list') return listSettings(context, path);
  try {
    // What does not exist can still be taken out of the file.
    if (action === 'unset' && (await isWritten(path, name as string))) return await unset(context, path, name as string);
    const setting = readName(context, name as string);
    if (action === 'get') return getSetting(context, setting);
    return await (action === 'set' ? set(context, path, setting, value as string) : unset(context, path, setting));
  } catch (error) {
    throw toStoreError(error, path);
  }
}

async function listSettings(context: Context, path: string): Promise<undefined> {
  const { style, text, output } = context;
  const config = context.config();
  if (output.json) {
    const settings = settingNames.map((name) => ({ name, ...toJson(config[name]) }));
    return void output.result({ file: path, settings }, () => []);
  }
  const { headings } = text.config;
  const rows = settingNames.map((name) => [
    { text: name, paint: style.cyan },
    { text: formatValue(config[name]) },
    { text: describeOrigin(context, config[name].origin), paint: style.dim },
  ]);
  const columns = [
    { heading: headings.name },
    { heading: headings.value },
    { heading: headings.origin, flexible: true, dispensable: 1 },
  ];
  const ruler = await createRuler([...Object.values(headings), ...rows.flat().map((cell) => cell.text)]);
  output.line(...renderTable(columns, rows, { ruler, width: context.terminal.columns, paintHeading: style.bold }));
  for (const name of settingNames) if (config[name].origin.from !== 'default') noteWithoutEffect(context, name);
  output.note('', style.dim(text.config.howToSet(plainLine(path))));
}

function getSetting(context: Context, name: SettingName): undefined {
  const setting = context.config()[name];
  context.output.result({ name, ...toJson(setting) }, () => printable(context, valueText(setting.value)));
}

async function set(context: Context, path: string, name: SettingName, text: string): Promise<undefined> {
  const checked = parseSettingText(name, text, '.');
  if ('mistake' in checked) throw new ContinuoError('invalid-input', { what: `value of ${name}`, reason: checked.mistake });
  await refuseUnfit(context, name, checked.value);
  await setSetting(path, name, checked.value);
  const words = context.text.config;
  context.output.done({ file: path, name, value: checked.value }, () =>
    words.done(name, plainLine(valueText(checked.value)), plainLine(path)),
  );
  if (name === 'trash.grace_days') context.output.note(context.style.dim(words.graceApplies));
  noteWithoutEffect(context, name);
  noteOverridden(context, name);
  await noteMistakes(context, path);
}

/** A setting that is accepted for the design's sake must not look as if it did something. */
function noteWithoutEffect({ output, style, text }: Context, name: SettingName): void {
  const words: Partial<Record<SettingName, string>> = text.withoutEffect;
  const sentence = words[name];
  if (sentence !== undefined) output.note(style.yellow(sentence));
}

/** A setting that would keep every command from opening the store that is there is refused while it is still easy to understand. */
async function refuseUnfit({ home, text }: Context, name: SettingName, value: SettingValue): Promise<void> {
  if (name !== 'store.driver' && name !== 'store.key_file') return;
  // A record that cannot be read is the business of other commands.
  const record = await loadHome(home).catch(() => undefined);
  if (!record) return;
  if (name === 'store.driver' && value !== record.driver) throw usageError(text.config.driverStands(home, record.driver));
  if (name === 'store.key_file' && record.encryption?.source !== 'key-file')
    throw usageError(text.config.keyFileUnfit(home, record.encryption ? 'passphrase' : 'plain'));
}

async function isWritten(path: string, name: string): Promise<boolean> {
  const text = await readConfigText(path);
  return text !== undefined && (await listWritten(path, text)).includes(name);
}

async function unset(context: Context, path: string, name: string): Promise<undefined> {
  const wasSet = await unsetSetting(path, name);
  const words = context.text.config;
  context.output.done({ file: path, name, wasSet }, () => (wasSet ? words.unset(name) : words.wasNotSet(name)));
  if (isSettingName(name)) noteOverridden(context, name);
  await noteMistakes(context, path);
}

/** What is still wrong in the file. */
async function noteMistakes({ output, style, text }: Context, path: string): Promise<void> {
  const [mistake] = await findMistakes(path, (await readConfigText(path)) ?? '');
  if (mistake) output.warn(style.yellow(describeError(mistake, text)));
}

/** A change of the file that changes nothing must not look as if it did. */
function noteOverridden(context: Context, name: SettingName): void {
  const origin = findOrigin(context, name);
  if (origin?.from === 'environment' || origin?.from === 'flag') {
    context.output.note(context.style.yellow(context.text.config.overridden(name, describeOrigin(context, origin))));
  }
}

/** Undefined where the file was not right when the program began: it was read before it was repaired. */
function findOrigin(context: Context, name: SettingName): Origin | undefined {
  try {
    return context.config()[name].origin;
  } catch (error) {
    if (isContinuoError(error, 'config-invalid')) return undefined;
    throw error;
  }
}

function readName(context: Context, name: string): SettingName {
  if (isSettingName(name)) return name;
  const suggestion = nearestName(name, settingNames);
  if (suggestion !== undefined) context.output.note(context.text.usage.didYouMean(suggestion));
  throw new ContinuoError('unknown-setting', { name, ...(suggestion !== undefined && { suggestion }) });
}

/** Scripts get what is meant, byte by byte; a terminal gets nothing it would obey. */
function printable({ terminal }: Context, text: string): string {
  return terminal.stdout ? plainText(text) : text;
}

function toJson({ value, origin }: Setting) {
  return { value: value ?? null, origin };
}

function formatValue({ value }: Setting): string {
  return plainLine(valueText(value)) || '—';
}

function valueText(value: SettingValue | undefined): string {
  return Array.isArray(value) ? formatList(value) : String(value ?? '');
}

function describeOrigin({ text }: Context, origin: Origin): string {
  if (origin.from === 'file') return text.config.origins.file(plainLine(shortPath(origin.path)), origin.line);
  if (origin.from === 'environment') return text.config.origins.environment(origin.variable);
  return origin.from === 'flag' ? text.config.origins.flag(origin.flag) : text.config.origins.default;
}

function shortPath(path: string): string {
  const fromHere = relative('.', path);
  return fromHere.length < path.length && !fromHere.startsWith('..') ? fromHere : path;
}
