// Whatever was thrown, as events tell it.
import { ContinuoError } from '../model/error.ts';
import type { Told } from './team-event.ts';

export function toError(error: unknown): ContinuoError {
  if (error instanceof ContinuoError) return error;
  return new ContinuoError('internal', { reason: error instanceof Error ? error.message : String(error) }, { cause: error });
}

export function toTold(error: unknown): Told {
  const { code, message, details } = toError(error);
  return { code, message, details };
}
