// Work that comes to a rest point when the program is told to leave (Ctrl-C, SIGTERM): it is stopped, and waited for, before the store is
// closed under it. To be begun when everything the work needs is open.
import type { Context } from './context.ts';

/** Told to leave, the work ends in its own way: what it returns or throws then counts. */
export async function settling<Result>({ cleanups }: Context, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  const running = work(stop.signal);
  const forget = cleanups.add(async () => {
    stop.abort();
    await running.catch(() => undefined);
  });
  try {
    return await running;
  } finally {
    forget();
  }
}

/** Told to leave, it never returns: the exit code is the signal's. */
export async function stoppable<Result>(context: Context, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  let stop: AbortSignal | undefined;
  try {
    const result = await settling(context, (signal) => {
      stop = signal;
      return work(signal);
    });
    if (!stop?.aborted) return result;
  } catch (error) {
    if (!stop?.aborted) throw error;
  }
  return new Promise<never>(() => undefined);
}
