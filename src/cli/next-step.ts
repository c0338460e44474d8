// The next step after an error, where its own sentence cannot know it: what a command said about it, or which setting caused it.
import type { Setting } from '../config/load-config.ts';
import type { SettingName } from '../config/settings.ts';
import type { ContinuoError } from '../model/error.ts';
import type { Context } from './context.ts';

const causes: Readonly<Record<string, SettingName>> = { 'driver-mismatch': 'store.driver', 'not-encrypted': 'store.key_file' };

const given = new WeakMap<object, string>();

/** Remembers the next step for an error that is about to be thrown, and returns the error. */
export function giveCure<Thrown extends object>(error: Thrown, cure: string): Thrown {
  given.set(error, cure);
  return error;
}

/** The next step as a sentence; undefined where nobody knows one. */
export function findCure({ text, config }: Pick<Context, 'text' | 'config'>, error: ContinuoError): string | undefined {
  const said = given.get(error);
  if (said !== undefined) return said;
  const name = causes[error.code];
  if (name === undefined) return undefined;
  const { origin }: Setting = config()[name];
  if (origin.from === 'file') return text.config.removeSetting(name);
  return origin.from === 'environment' ? text.config.removeVariable(origin.variable) : undefined;
}
