// Work that ends at a rest point when the program is told to leave (Ctrl-C, SIGTERM): it is stopped, and waited for, before the store is
// closed under it.
import type { Context } from '../context.ts';

/** To be called when everything the work needs is open. Told to leave, it never returns: the exit code is the signal's. */
export async function stoppable<Result>({ cleanups }: Context, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  const running = work(stop.signal);
  const forget = cleanups.add(async () => {
    stop.abort();
    await running.catch(() => undefined);
  });
  try {
    const result = await running;
    if (!stop.signal.aborted) return result;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    forget();
  }
  return new Promise<never>(() => undefined);
}
