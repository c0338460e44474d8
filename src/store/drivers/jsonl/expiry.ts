// The sweep of what ttl policies no longer allow.
import type { ExpireResult } from '../../../model/ports/store-driver.ts';
import type { LineCodec } from './line-codec.ts';
import type { LogPath } from './log-path.ts';
import { reconcile, type Shelf } from './reconcile.ts';
import { countDue, rewriteLog } from './rewrite.ts';

export type ExpiryContext = Shelf & { codec: LineCodec };

export async function expireEntries(now: number, context: ExpiryContext): Promise<ExpireResult> {
  // Also what a process wrote that died before its row: text must not outlive its time because somebody crashed.
  await reconcile(context, 'sizes');
  const total: ExpireResult = { withheld: 0, removed: 0 };
  for (const { path } of context.catalogue.expiring(now)) {
    const { withheld, removed } = await expireLog(path, now, context);
    total.withheld += withheld;
    total.removed += removed;
  }
  return total;
}

export function countExpired(now: number, { catalogue, logs, codec }: ExpiryContext): number {
  let count = 0;
  for (const { path } of catalogue.expiring(now)) {
    const head = logs.head(path);
    if (head) count += countDue(logs.reader(path, head), head, codec, now);
  }
  return count;
}

function expireLog(path: LogPath, now: number, context: ExpiryContext): Promise<ExpireResult> {
  const { coordination, catalogue, logs, codec, folder } = context;
  return coordination.locked(async ({ connection }) => {
    const head = logs.head(path);
    if (head?.conversation.policy.kind !== 'ttl') return { withheld: 0, removed: 0 };
    const fd = logs.pin(path, head);
    logs.freeze([path]);
    try {
      return await rewriteLog({ folder, path, fd, head, codec, now });
    } finally {
      logs.unpin(path);
      logs.thaw([path]);
      logs.forget(path);
      const rewritten = logs.head(path);
      if (rewritten) catalogue.put(connection, path, rewritten);
    }
  });
}
