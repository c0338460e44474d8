// What cures an error that a setting caused: only the settings know who asked for what could not be done.
import type { Setting } from '../config/load-config.ts';
import type { SettingName } from '../config/settings.ts';
import type { ContinuoError } from '../model/error.ts';
import type { Context } from './context.ts';

const causes: Readonly<Record<string, SettingName>> = { 'driver-mismatch': 'store.driver', 'not-encrypted': 'store.key_file' };

/** The next step as a sentence; undefined where no setting is to blame. */
export function findCure({ text, config }: Pick<Context, 'text' | 'config'>, error: ContinuoError): string | undefined {
  const name = causes[error.code];
  if (name === undefined) return undefined;
  const { origin }: Setting = config()[name];
  if (origin.from === 'file') return text.config.removeSetting(name);
  return origin.from === 'environment' ? text.config.removeVariable(origin.variable) : undefined;
}
