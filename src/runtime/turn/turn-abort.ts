// Why a turn may have to stop: its caller's signal, its time limit, the loss of the right to write.
import { ContinuoError } from '../../model/error.ts';

export interface TurnAbortSources {
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
  /** Aborted when somebody else became the writer. */
  lost: AbortSignal;
}

/** What timers can wait for, some 25 days: a turn that may take longer may take any time. */
const longestTimer = 2 ** 31 - 1;

/** Aborts for whatever reason comes first; returns the way to stop listening. */
export function relayAbort(abort: AbortController, { signal, timeout, lost }: TurnAbortSources): () => void {
  if (timeout !== undefined && !(timeout > 0))
    throw new ContinuoError('invalid-input', { what: 'timeout', reason: 'it must be more than 0 milliseconds' });
  const cancel = () => abort.abort(new ContinuoError('cancelled', {}, { cause: signal?.reason }));
  const lose = () => abort.abort(lost.reason);
  const expire = () => abort.abort(new ContinuoError('timeout', { what: 'The turn', seconds: (timeout ?? 0) / 1000 }));
  if (signal?.aborted) cancel();
  if (lost.aborted) lose();
  signal?.addEventListener('abort', cancel, { once: true });
  lost.addEventListener('abort', lose, { once: true });
  const timer = timeout === undefined || timeout > longestTimer ? undefined : setTimeout(expire, timeout);
  return () => {
    signal?.removeEventListener('abort', cancel);
    lost.removeEventListener('abort', lose);
    clearTimeout(timer);
  };
}
