// Listening to a signal that outlives the one who listens: the listener is taken away in time, so many at once are no leak and no
// reason for a warning.
import { setMaxListeners } from 'node:events';

/** Calls back when the signal is aborted, at once where it is already. Returns the function that stops listening. */
export function onAbort(signal: AbortSignal | undefined | null, listener: () => void): () => void {
  if (!signal) return () => undefined;
  if (signal.aborted) {
    listener();
    return () => undefined;
  }
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener);
  return () => signal.removeEventListener('abort', listener);
}
