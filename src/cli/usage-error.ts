// Mistakes in how a command was called.
import { ContinuoError } from '../model/error.ts';

/** The reason is a whole sentence in the user's language. */
export function usageError(reason: string): ContinuoError {
  return new ContinuoError('usage', { reason });
}
