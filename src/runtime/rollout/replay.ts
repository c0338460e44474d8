// Plays a conversation back from its log: what was said and what happened, in the pace it had or faster. It shows what the storage
// policy kept and nothing else, since it reads the same log as everybody.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';

export interface ReplayOptions {
  /** `real-time` keeps the pauses, `fast` has none, `step` waits for `next` before every entry. Default `fast`. */
  pace?: 'real-time' | 'fast' | 'step';
  /** Divides the pauses of `real-time`. */
  speed?: number;
  /** No pause is longer than this; nights between two turns are not worth waiting for. Default 3 seconds. */
  longestPause?: number;
  next?: () => Promise<void>;
  signal?: AbortSignal;
}

export interface ReplayStep {
  entry: Entry;
  /** Milliseconds since the first entry. */
  offset: number;
}

const defaultLongestPause = 3000;

export async function* replay(
  store: ConversationStore,
  id: ConversationId,
  options: ReplayOptions = {},
): AsyncGenerator<ReplayStep> {
  const { pace = 'fast', signal } = options;
  let first: number | undefined;
  let previous: number | undefined;
  for await (const entry of store.readAll(id)) {
    signal?.throwIfAborted();
    first ??= entry.at;
    if (pace === 'step') await options.next?.();
    if (pace === 'real-time') await pause(entry.at - (previous ?? entry.at), options);
    previous = entry.at;
    yield { entry, offset: entry.at - first };
  }
}

async function pause(gap: number, { speed = 1, longestPause = defaultLongestPause, signal }: ReplayOptions): Promise<void> {
  const wait = Math.min(gap / speed, longestPause);
  if (wait >= 1) await sleep(wait, undefined, { ...(signal && { signal }) });
}
