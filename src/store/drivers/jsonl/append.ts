// One batch of appends in one turn: every request is judged against the head its file has under the lock, and what passes becomes
// lines for that file. Positions are given out here and nowhere else.
import { ContinuoError, isContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import { lockedBy } from '../../../model/lease.ts';
import type { AppendNotice, AppendOutcome, AppendRequest, DraftRecord } from '../../../model/ports/store-driver.ts';
import type { Turn } from './coordination.ts';
import type { DraftFiles } from './draft-files.ts';
import { type Head, passEntry } from './head.ts';
import { findLease } from './leases.ts';
import type { LineCodec } from './line-codec.ts';
import { maxLineBytes } from './line-reader.ts';
import type { LogPath } from './log-path.ts';
import { createPlan, type Plan, type WriteContext, writePlans } from './write-plan.ts';

export interface AppendContext extends WriteContext {
  codec: LineCodec;
  drafts: DraftFiles;
  /** The file of a conversation; undefined where there is none. */
  locate(id: ConversationId): { path: LogPath; head: Head } | undefined;
}

/** Metadata is repeated after so many entries or bytes, so that the newest is always found near the end. */
const maxEntriesSinceMetadata = 256;
const maxBytesSinceMetadata = 64 * 1024;

export async function appendBatch(batch: readonly AppendRequest[], turn: Turn, context: AppendContext) {
  const plans = new Map<LogPath, Plan>();
  const drafts: DraftPlan = { put: new Map(), removed: new Set(), ended: new Map() };
  const outcomes = batch.map((request) => {
    const outcome = planRequest(request, plans, turn, context);
    if (request.draft !== undefined && !('error' in outcome)) planDraft(request, outcome.firstSeq, drafts, context);
    return outcome;
  });
  const written = [...plans.values()].filter((plan) => plan.lines.length > 0);
  await writeAll(written, drafts, turn, context);
  const notices = written.map(
    ({ head: { conversation } }): AppendNotice => ({
      conversationId: conversation.id,
      lastSeq: conversation.lastSeq,
    }),
  );
  return { outcomes, notices, endedDrafts: drafts.ended };
}

/** What is to become of drafts, by the last word of the batch about each. */
interface DraftPlan {
  put: Map<ConversationId, DraftRecord>;
  removed: Set<ConversationId>;
  /** To go when the entries that end them are there, with the version that was there before. */
  ended: Map<ConversationId, number>;
}

function planDraft(request: AppendRequest, firstSeq: number, plan: DraftPlan, { drafts }: AppendContext): void {
  const { conversationId: id, entries, draft } = request;
  for (const fate of [plan.put, plan.removed, plan.ended]) fate.delete(id);
  if (draft) plan.put.set(id, { after: firstSeq + entries.length - 1, ...draft });
  else if (entries.length === 0) plan.removed.add(id);
  else {
    const present = drafts.find(id);
    if (present) plan.ended.set(id, present === 'unreadable' ? 0 : present.version);
  }
}

/** Drafts first: they can be taken back without a trace, and a draft without its entry does less harm than the reverse. */
async function writeAll(plans: readonly Plan[], { put, removed }: DraftPlan, turn: Turn, context: AppendContext): Promise<void> {
  const { drafts } = context;
  const written = await drafts.write(put);
  try {
    for (const id of removed) drafts.remove(id);
    // With the plans the turn ends, and what is older than the new drafts is nobody's to touch any more: the next ones replace it.
    if (plans.length > 0) await writePlans(plans, turn, context);
    else drafts.settle(written);
  } catch (error) {
    drafts.takeBack(written);
    throw error;
  }
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
  const records = request.entries.map((entry, i) => ({ ...entry, seq: actual + 1 + i }));
  const encoded = records.map((record) => context.codec.encodeEntry(record, request.isCanonical));
  if (encoded.some((line) => line.length > maxLineBytes / 3)) {
    return { error: new ContinuoError('invalid-input', { what: 'entry', reason: 'it is too long for one line of a file' }) };
  }
  records.forEach((record, i) => {
    passEntry(plan.head, record);
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
