// Chooses an embedder: tries it, writes it into the settings, and embeds everything anew while the one before goes on answering.
import { resolve } from 'node:path';
import { configPath } from '../../config/config-file.ts';
import { assertFits, setSetting, unsetSetting } from '../../config/edit-config.ts';
import { parseSettingText } from '../../config/setting-value.ts';
import type { SettingName, SettingValue } from '../../config/settings.ts';
import { ContinuoError } from '../../model/error.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import { loadHome } from '../../store/home.ts';
import { toStoreError } from '../../store/io-fault.ts';
import type { Context } from '../context.ts';
import { readChoice } from '../option-values.ts';
import { plainLine } from '../output/plain-text.ts';
import {
  configuredEmbedder,
  type EmbedderSettings,
  embedderSettingNames,
  isVariableName,
  keepFormer,
  kindInUse,
  openConfigured,
} from '../recall/configured-embedder.ts';
import { usageError } from '../usage-error.ts';
import { embedAll } from './embed-all.ts';

export interface UseOptions {
  baseUrl?: string;
  model?: string;
  keyEnv?: string;
  dimension?: string;
  pooling?: string;
  queryPrefix?: string;
  passagePrefix?: string;
  later?: boolean;
}

const kinds = ['static', 'openai-compatible', 'onnx', 'none'] as const;
type Kind = (typeof kinds)[number];

/** The options and the settings they become, and the kinds they mean something for. */
const optionSettings: readonly {
  option: Exclude<keyof UseOptions, 'later'>;
  flag: string;
  name: SettingName;
  kinds: readonly Kind[];
}[] = [
  { option: 'baseUrl', flag: '--base-url', name: 'embedder.base_url', kinds: ['openai-compatible'] },
  { option: 'model', flag: '--model', name: 'embedder.model', kinds: ['openai-compatible', 'onnx'] },
  { option: 'keyEnv', flag: '--key-env', name: 'embedder.key_env', kinds: ['openai-compatible'] },
  { option: 'dimension', flag: '--dimension', name: 'embedder.dimension', kinds: ['openai-compatible'] },
  { option: 'pooling', flag: '--pooling', name: 'embedder.pooling', kinds: ['onnx'] },
  { option: 'queryPrefix', flag: '--query-prefix', name: 'embedder.query_prefix', kinds: ['openai-compatible', 'onnx'] },
  { option: 'passagePrefix', flag: '--passage-prefix', name: 'embedder.passage_prefix', kinds: ['openai-compatible', 'onnx'] },
];

export async function useEmbedder(context: Context, words: readonly string[], options: UseOptions): Promise<undefined> {
  const settings = readSettings(context, words, options);
  const kind = settings['embedder.kind'] as Kind;
  const before = configuredEmbedder(context);
  const embedder = kind === 'none' ? undefined : await tryOut(context, settings);
  if (kind === 'openai-compatible' && embedder) settings['embedder.dimension'] = embedder.dimension;
  for (const name of embedderSettingNames) {
    const value = settings[name];
    if (value !== undefined) assertFits(configPath(context.home), name, value);
  }
  const hasStore = (await loadHome(context.home)) !== undefined;
  const isOther = embedder && !(await isSame(context, before, embedder));
  if (hasStore && isOther && (await kindInUse(before)) !== 'none') await keepFormer(context, before);
  await writeSettings(context, settings);
  const { id, dimension } = embedder ?? {};
  const embedded = embedder && hasStore && !options.later ? await embedAll(context, embedder) : undefined;
  const { output, style, text } = context;
  const file = configPath(context.home);
  output.done({ file, kind, id: id ?? null, dimension: dimension ?? null, embedded: embedded ?? null }, () => [
    embedder ? text.embedder.done(kind, plainLine(embedder.id), embedder.dimension) : text.embedder.doneNone,
    ...(embedded === undefined ? [] : [text.embedder.embedded(embedded)]),
  ]);
  if (embedder && hasStore && options.later) output.note(style.dim(text.embedder.later));
  noteOverridden(context);
}

function readSettings(context: Context, [given, ...rest]: readonly string[], options: UseOptions): EmbedderSettings {
  const { usage } = context.text.embedder;
  if (given === undefined) throw usageError(usage.use);
  const kind = readChoice(context, 'embedder use', given, kinds);
  if (rest.length !== (kind === 'onnx' ? 1 : 0)) throw usageError(kind === 'onnx' ? usage.folder : usage.use);
  const settings: Record<string, SettingValue> = { 'embedder.kind': kind };
  if (kind === 'onnx') settings['embedder.folder'] = resolve(rest[0] as string);
  for (const { option, flag, name, kinds: fitting } of optionSettings) {
    const value = options[option];
    if (value === undefined) continue;
    if (!fitting.includes(kind)) throw usageError(usage.unfit(flag, kind));
    if (option === 'keyEnv' && !isVariableName(value)) throw usageError(usage.keyEnv);
    // A prefix often ends with a space.
    const isPrefix = option === 'queryPrefix' || option === 'passagePrefix';
    const checked = isPrefix && value.trim() !== '' ? { value } : parseSettingText(name, value, '.');
    if ('mistake' in checked) throw new ContinuoError('invalid-input', { what: `value of ${flag}`, reason: checked.mistake });
    settings[name] = checked.value;
  }
  if (kind === 'openai-compatible' && !(options.baseUrl && options.model)) throw usageError(usage.server);
  return settings as EmbedderSettings;
}

/** Nothing is written for an embedder that does not work. */
async function tryOut(context: Context, settings: EmbedderSettings): Promise<Embedder> {
  const embedder = await openConfigured(context, settings);
  await embedder.embed(['text']);
  return embedder;
}

async function isSame(context: Context, before: EmbedderSettings, { id, dimension }: Embedder): Promise<boolean> {
  if ((await kindInUse(before)) === 'none') return false;
  const other = await openConfigured(context, before).catch(() => undefined);
  return other?.id === id && other.dimension === dimension;
}

async function writeSettings(context: Context, settings: EmbedderSettings): Promise<void> {
  const path = configPath(context.home);
  try {
    for (const name of embedderSettingNames) {
      const value = settings[name];
      if (value === undefined) await unsetSetting(path, name);
      else await setSetting(path, name, value);
    }
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** A choice that the environment overrules must not look as if it counted. */
function noteOverridden(context: Context): void {
  const { output, style, text } = context;
  const now = context.config();
  for (const name of embedderSettingNames) {
    const { origin } = now[name];
    if (origin.from !== 'environment') continue;
    output.note(style.yellow(text.config.overridden(name, text.config.origins.environment(origin.variable))));
  }
}
