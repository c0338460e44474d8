// Waiting that ends when it is no longer wanted, also for work that does not listen.

/** What the work comes to; throws the signal's reason when it is aborted before. With `grace` the work gets so long to end by itself. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>, grace = 0): Promise<T> {
  let stop = () => {};
  let timer: NodeJS.Timeout | undefined;
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason);
    stop = () => {
      if (grace === 0) giveUp();
      else timer = setTimeout(giveUp, grace);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
