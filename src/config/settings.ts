// Every setting there is: its kind, its default and the environment variable that overrides the file. The file, the environment,
// flags, `continuo config` and its documentation all follow this one table.

/** The type each setting's value has. */
export interface SettingTypes {
  'store.driver': 'sqlite' | 'jsonl';
  'store.key_file': string;
  'store.redact': boolean;
  'trash.grace_days': number;
  'cli.language': 'en' | 'zh';
  'cli.color': 'auto' | 'always' | 'never';
}

export type SettingName = keyof SettingTypes;
export type SettingValue = SettingTypes[SettingName];

export type SettingKind =
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'boolean' }
  | { kind: 'integer'; min: number; max: number }
  /** Relative paths count from the folder of the file they stand in, or from the working folder elsewhere; `~/` is the user's. */
  | { kind: 'path' };

export interface SettingDefinition<Name extends SettingName = SettingName> {
  type: SettingKind;
  /** Undefined where leaving it out means something of its own (no key file; the language of the system). */
  fallback: SettingTypes[Name] | undefined;
  variable: string;
}

export const settingDefinitions: { readonly [Name in SettingName]: SettingDefinition<Name> } = {
  'store.driver': { type: { kind: 'choice', choices: ['sqlite', 'jsonl'] }, fallback: 'sqlite', variable: 'CONTINUO_DRIVER' },
  'store.key_file': { type: { kind: 'path' }, fallback: undefined, variable: 'CONTINUO_KEY_FILE' },
  'store.redact': { type: { kind: 'boolean' }, fallback: true, variable: 'CONTINUO_REDACT' },
  'trash.grace_days': { type: { kind: 'integer', min: 0, max: 36_500 }, fallback: 30, variable: 'CONTINUO_TRASH_GRACE_DAYS' },
  'cli.language': { type: { kind: 'choice', choices: ['en', 'zh'] }, fallback: undefined, variable: 'CONTINUO_LANG' },
  'cli.color': { type: { kind: 'choice', choices: ['auto', 'always', 'never'] }, fallback: 'auto', variable: 'CONTINUO_COLOR' },
};

export const settingNames = Object.keys(settingDefinitions) as SettingName[];

export function isSettingName(text: string): text is SettingName {
  return Object.hasOwn(settingDefinitions, text);
}
