// One typed Config out of four places. A flag wins over the environment, that over the file, that over the default, and each value
// remembers where it came from. The environment comes in as an argument: only doors know the real one.
import { ContinuoError } from '../model/error.ts';
import { configPath, type FileSettings, loadConfigFile } from './config-file.ts';
import { parseSettingText } from './setting-value.ts';
import { type SettingName, type SettingTypes, type SettingValue, settingDefinitions, settingNames } from './settings.ts';

export type Origin =
  | { from: 'default' }
  | { from: 'file'; path: string; line: number }
  | { from: 'environment'; variable: string }
  | { from: 'flag'; flag: string };

export interface Setting<Name extends SettingName = SettingName> {
  value: SettingTypes[Name] | undefined;
  origin: Origin;
}

export type Config = { readonly [Name in SettingName]: Setting<Name> };

export interface ConfigSources {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** What was said on the command line, with the flag that said it. */
  flags?: { [Name in SettingName]?: { flag: string; text: string } };
}

export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const path = configPath(sources.home);
  return mergeConfig(sources, path, await loadConfigFile(path));
}

/** The Config without the file, for when the file cannot be used. */
export function configWithoutFile(sources: ConfigSources): Config {
  return mergeConfig(sources, configPath(sources.home), {});
}

function mergeConfig(sources: ConfigSources, path: string, file: FileSettings): Config {
  const config: Partial<Record<SettingName, Setting>> = {};
  for (const name of settingNames) config[name] = pick(name, sources, path, file);
  return config as Config;
}

function pick(name: SettingName, { env, flags }: ConfigSources, path: string, file: FileSettings): Setting {
  const { fallback, variable } = settingDefinitions[name];
  const flag = flags?.[name];
  if (flag) return { value: readText(name, flag.flag, flag.text), origin: { from: 'flag', flag: flag.flag } };
  const fromEnvironment = env[variable];
  if (fromEnvironment !== undefined && fromEnvironment !== '') {
    return { value: readText(name, variable, fromEnvironment), origin: { from: 'environment', variable } };
  }
  const written = file[name];
  if (written) return { value: written.value, origin: { from: 'file', path, line: written.line } };
  return { value: fallback, origin: { from: 'default' } };
}

function readText(name: SettingName, place: string, text: string): SettingValue {
  const checked = parseSettingText(name, text, '.');
  if ('value' in checked) return checked.value;
  throw new ContinuoError('invalid-input', { what: `value of ${place}`, reason: checked.mistake });
}
