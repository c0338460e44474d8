// The sweep of what ttl policies no longer allow.
import type { ConversationId } from '../../../model/id.ts';
import type { ExpireResult } from '../../../model/ports/store-driver.ts';
import type { LineCodec } from './line-codec.ts';
import type { LogPath } from './log-path.ts';
import { reconcile, type Shelf } from './reconcile.ts';
import { countDue, isDue, rewriteLog } from './rewrite.ts';

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
  total.removed += await context.coordination.locked(() => expireDrafts(now, context));
  return total;
}

/** Drafts go as a whole. */
function expireDrafts(now: number, context: ExpiryContext): number {
  const due = dueDrafts(now, context);
  for (const id of due) context.drafts.remove(id);
  return due.length;
}

/** One that cannot be read is due too: nothing would ever tell that its time has come. */
function dueDrafts(now: number, { drafts, catalogue, logs }: ExpiryContext): ConversationId[] {
  return [...drafts.ids()].filter((id) => {
    const found = drafts.find(id);
    if (found !== 'unreadable') return found !== undefined && isDue(found.draft, now);
    const path = catalogue.findById(id)?.path;
    return path !== undefined && logs.head(path)?.conversation.policy.kind === 'ttl';
  });
}

export function countExpired(now: number, context: ExpiryContext): number {
  const { catalogue, logs, codec } = context;
  let count = dueDrafts(now, context).length;
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
