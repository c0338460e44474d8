// One batch of appends in one turn: every request is judged against the head its file has under the lock, and what passes becomes
// lines for that file. Positions are given out here and nowhere else.
import { ContinuoError, isContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import { lockedBy } from '../../../model/lease.ts';
import type { AppendNotice, AppendOutcome, AppendRequest } from '../../../model/ports/store-driver.ts';
import type { Turn } from './coordination.ts';
import { type Head, passEntry } from './head.ts';
import { findLease } from './leases.ts';
import type { LineCodec } from './line-codec.ts';
import { maxLineBytes } from './line-reader.ts';
import type { LogPath } from './log-path.ts';
import { createPlan, type Plan, type WriteContext, writePlans } from './write-plan.ts';

export interface AppendContext extends WriteContext {
  codec: LineCodec;
  /** The file of a conversation; undefined where there is none. */
  locate(id: ConversationId): { path: LogPath; head: Head } | undefined;
}

/** Metadata is repeated after so many entries or bytes, so that the newest is always found near the end. */
const maxEntriesSinceMetadata = 256;
const maxBytesSinceMetadata = 64 * 1024;

export async function appendBatch(batch: readonly AppendRequest[], turn: Turn, context: AppendContext) {
  const plans = new Map<LogPath, Plan>();
  const outcomes = batch.map((request) => planRequest(request, plans, turn, context));
  const written = [...plans.values()].filter((plan) => plan.lines.length > 0);
  await writePlans(written, turn, context);
  const notices = written.map(
    ({ head: { conversation } }): AppendNotice => ({
      conversationId: conversation.id,
      lastSeq: conversation.lastSeq,
    }),
  );
  return { outcomes, notices };
}

function planRequest(request: AppendRequest, plans: Map<LogPath, Plan>, turn: Turn, context: AppendContext): AppendOutcome {
  const { conversationId: id, expectedSeq, leaseToken, now } = request;
  const plan = findPlan(request, plans, context);
  if (!('lines' in plan)) return { error: plan };
  const { conversation } = plan.head;
  if (conversation.trashedAt !== undefined) return { error: new ContinuoError('conversation-trashed', { id }) };
  const lease = findLease(turn.connection, id);
  if (lease && lease.expiresAt > now && lease.token !== leaseToken) return { error: lockedBy(lease) };
  const actual = conversation.lastSeq;
  if (expectedSeq !== undefined && expectedSeq !== actual) {
    return { error: new ContinuoError('seq-conflict', { id, expected: expectedSeq, actual }) };
  }
  const encoded = request.entries.map((entry, i) => context.codec.encodeEntry({ ...entry, seq: actual + 1 + i }));
  if (encoded.some((line) => line.length > maxLineBytes / 3)) {
    return { error: new ContinuoError('invalid-input', { what: 'entry', reason: 'it is too long for one line of a file' }) };
  }
  request.entries.forEach((entry, i) => {
    passEntry(plan.head, { ...entry, seq: actual + 1 + i });
    addLine(plan, encoded[i] as string, context.codec);
  });
  return { firstSeq: actual + 1 };
}

function findPlan(request: AppendRequest, plans: Map<LogPath, Plan>, context: AppendContext): Plan | ContinuoError {
  let found: { path: LogPath; head: Head } | undefined;
  try {
    found = context.locate(request.conversationId);
  } catch (error) {
    // The damage of one file is no fault of the medium: the rest of the batch goes on.
    if (isContinuoError(error, 'store-damaged') || isContinuoError(error, 'unsafe-path')) return error;
    throw error;
  }
  if (!found) return new ContinuoError('conversation-not-found', { id: request.conversationId });
  const { path, head } = found;
  const present = plans.get(path);
  if (present) return present;
  const plan = createPlan(path, head, true);
  plans.set(path, plan);
  return plan;
}

function addLine(plan: Plan, line: string, codec: LineCodec): void {
  const { head, lines } = plan;
  lines.push(line);
  head.entriesSinceMetadata += 1;
  head.bytesSinceMetadata += Buffer.byteLength(line);
  if (head.entriesSinceMetadata < maxEntriesSinceMetadata && head.bytesSinceMetadata < maxBytesSinceMetadata) return;
  lines.push(codec.encodeMetadata(head));
  head.entriesSinceMetadata = 0;
  head.bytesSinceMetadata = 0;
}
