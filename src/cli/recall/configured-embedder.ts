// From the settings to an embedder, opened when somebody needs a vector. Keys come from the environment and go nowhere else.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileAtomically } from '../../base/private-files.ts';
import { isSettingName, type SettingTypes } from '../../config/settings.ts';
import { ContinuoError } from '../../model/error.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import type { EmbedderChoice, EmbedderKind } from '../../recall/embedders/open-embedder.ts';
import type { RecallEngineOptions } from '../../recall/recall-engine.ts';
import type { Context } from '../context.ts';

type EmbedderSettingName = Extract<keyof SettingTypes, `embedder.${string}`>;
/** The settings of one embedder, as the file has them. */
export type EmbedderSettings = { -readonly [Name in EmbedderSettingName]?: SettingTypes[Name] };

export const embedderSettingNames: readonly EmbedderSettingName[] = [
  'embedder.model',
  'embedder.base_url',
  'embedder.key_env',
  'embedder.dimension',
  'embedder.folder',
  'embedder.pooling',
  'embedder.query_prefix',
  'embedder.passage_prefix',
  // Last: where the others are written and this one is not, the one before is still the one in use.
  'embedder.kind',
];

/** What openRecall needs: nothing where words alone are wanted. Begin it early, it runs beside other work. */
export async function embedderOptions(
  context: Context,
): Promise<Pick<RecallEngineOptions, 'embedder' | 'formerEmbedder' | 'embedsInSearch'>> {
  const settings = configuredEmbedder(context);
  const { isQuickEmbedder } = await import('../../recall/embedders/open-embedder.ts');
  const kind = await kindInUse(settings);
  if (kind === 'none') return {};
  const isQuick = isQuickEmbedder(kind);
  // Its file is read while the store is being opened; whether that went well is known when it is asked for.
  let opening = isQuick ? openConfigured(context, settings) : undefined;
  opening?.catch(() => undefined);
  const former = await loadFormer(context);
  return {
    embedder: () => {
      const begun = opening;
      opening = undefined;
      return begun ?? openConfigured(context, settings);
    },
    ...(former && { formerEmbedder: () => openConfigured(context, former) }),
    embedsInSearch: isQuick,
  };
}

export function configuredEmbedder(context: Context): EmbedderSettings {
  const config = context.config();
  const settings: Record<string, unknown> = {};
  for (const name of embedderSettingNames) if (config[name].value !== undefined) settings[name] = config[name].value;
  return settings as EmbedderSettings;
}

/** The kind that is set, or the one that comes with the program. */
export async function kindInUse(settings: EmbedderSettings): Promise<EmbedderKind | 'none'> {
  const { findDefaultEmbedder } = await import('../../recall/embedders/open-embedder.ts');
  return settings['embedder.kind'] ?? (await findDefaultEmbedder()) ?? 'none';
}

/** Not for `none`. */
export async function openConfigured(context: Context, settings: EmbedderSettings): Promise<Embedder> {
  const { openEmbedder } = await import('../../recall/embedders/open-embedder.ts');
  return openEmbedder(toChoice(context, (await kindInUse(settings)) as EmbedderKind, settings));
}

/** Where optional packages are installed so that a program that was installed for all users finds them. */
export function packagesFolder({ home }: Pick<Context, 'home'>): string {
  return join(home, 'packages');
}

function toChoice(context: Context, kind: EmbedderKind, settings: EmbedderSettings): EmbedderChoice {
  const model = settings['embedder.model'];
  const baseUrl = settings['embedder.base_url'];
  const dimension = settings['embedder.dimension'];
  const folder = settings['embedder.folder'];
  const pooling = settings['embedder.pooling'];
  const key = kind === 'openai-compatible' ? readKey(context, settings) : undefined;
  const query = readPrefix(settings['embedder.query_prefix']);
  const passage = readPrefix(settings['embedder.passage_prefix']);
  return {
    kind,
    ...(model !== undefined && { model }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(dimension !== undefined && { dimension }),
    ...(folder !== undefined && { folder }),
    ...(pooling !== undefined && { pooling }),
    ...(key !== undefined && { key }),
    prefixes: { ...(query !== undefined && { query }), ...(passage !== undefined && { passage }) },
    packages: packagesFolder(context),
    cache: join(context.home, 'embedder-cache.json'),
  };
}

function readKey({ env }: Context, settings: EmbedderSettings): string | undefined {
  const variable = settings['embedder.key_env'];
  if (variable === undefined) return undefined;
  const key = env[variable]?.trim();
  if (key !== undefined && key !== '') return key;
  const embedder = `openai-compatible/${settings['embedder.model'] ?? ''}`;
  // Somebody may have written the key itself there: it is not repeated.
  const name = isVariableName(variable) ? variable : '…';
  throw new ContinuoError('embedder-failed', { embedder, reason: `the environment variable ${name} is not set` });
}

export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(text);
}

function readPrefix(prefix: string | undefined): string | undefined {
  return prefix?.trim() === 'none' ? '' : prefix;
}

function formerPath({ home }: Pick<Context, 'home'>): string {
  return join(home, 'embedder-former.json');
}

/** Remembers the settings whose vectors answer until the new ones are complete: after two changes in a row, still the first ones. */
export async function keepFormer(context: Context, settings: EmbedderSettings): Promise<void> {
  await createFileAtomically(formerPath(context), `${JSON.stringify(settings, null, 2)}\n`);
}

export async function forgetFormer(context: Context): Promise<void> {
  await rm(formerPath(context), { force: true });
}

async function loadFormer(context: Context): Promise<EmbedderSettings | undefined> {
  try {
    const found = JSON.parse(await readFile(formerPath(context), 'utf8')) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(found).filter(([name]) => isSettingName(name))) as EmbedderSettings;
  } catch {
    return undefined;
  }
}
