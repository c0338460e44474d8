// What is said about an error where its own sentence cannot know: the next step, from a command or from the setting that caused it; or
// another sentence altogether.
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

const told = new WeakMap<object, string>();

/** Remembers what to say instead of the error's own sentence, and returns the error. Its code and its details stay. */
export function tellInstead<Thrown extends object>(error: Thrown, sentence: string): Thrown {
  told.set(error, sentence);
  return error;
}

export function findInstead(error: object): string | undefined {
  return told.get(error);
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
