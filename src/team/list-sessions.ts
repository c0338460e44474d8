// The sessions of a team, newest first: those with a snapshot, and those that are in the log only because their process died before
// its first rest. A session in the trash is not among them, nor is one of which no word was kept: there is nothing to go on with.

import type { Conversation } from '../model/conversation.ts';
import { ContinuoError } from '../model/error.ts';
import type { SessionSummary } from '../snapshot/session-snapshot.ts';
import type { StorageService } from '../snapshot/storage-service.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { readTail, sessionKey } from './team-log.ts';

export interface TeamSessionRecord {
  sessionId: string;
  /** Undefined where the session came from elsewhere and has not gone on here yet. */
  conversationId: string | undefined;
  createdAt: number;
  updatedAt: number;
  messages: number;
  /** One line about it. */
  summary: string | undefined;
  /** Whether a snapshot holds all of it. */
  saved: boolean;
}

export async function listTeamSessions(
  store: ConversationStore,
  storage: StorageService,
  teamId: string,
): Promise<TeamSessionRecord[]> {
  const snapshots = new Map((await storage.listSessions(teamId)).map((summary) => [summary.sessionId, summary]));
  const records: TeamSessionRecord[] = [];
  for await (const conversation of conversationsOf(store, teamId)) {
    const sessionId = (conversation.key as string).slice(sessionKey('').length);
    const snapshot = snapshots.get(sessionId);
    snapshots.delete(sessionId);
    if (conversation.trashedAt !== undefined) continue;
    const record = await describe(store, sessionId, conversation, snapshot);
    if (record.messages > 0) records.push(record);
  }
  for (const snapshot of snapshots.values()) records.push(describeForeign(snapshot));
  return records.sort((first, second) => second.updatedAt - first.updatedAt || (second.sessionId > first.sessionId ? 1 : -1));
}

/** By the id of the session or of its conversation, exactly; without an id the newest. Undefined where there is none. */
export async function findTeamSession(
  store: ConversationStore,
  storage: StorageService,
  teamId: string,
  id: string | undefined,
): Promise<TeamSessionRecord | undefined> {
  const records = await listTeamSessions(store, storage, teamId);
  return id === undefined
    ? records[0]
    : records.find(({ sessionId, conversationId }) => sessionId === id || conversationId === id);
}

/** The same, where it must be there: also tells a session of another team from none. */
export async function getTeamSession(
  store: ConversationStore,
  storage: StorageService,
  teamId: string,
  id: string | undefined,
): Promise<TeamSessionRecord> {
  const found = await findTeamSession(store, storage, teamId, id);
  if (found) return found;
  const other = id === undefined ? undefined : ((await store.find(sessionKey(id))) ?? (await store.find(id)));
  if (other?.team !== undefined && other.team !== teamId && other.key?.startsWith(sessionKey('')))
    throw new ContinuoError('session-of-another-team', { id: id as string, team: teamId, found: other.team });
  // Says precisely what is wrong with a file that is there and cannot be read.
  if (id !== undefined) await storage.loadSession(teamId, id);
  throw new ContinuoError('session-not-found', { id: id ?? 'latest', team: teamId });
}

async function* conversationsOf(store: ConversationStore, team: string): AsyncGenerator<Conversation> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ team, trash: 'include', limit: 200, ...(cursor !== undefined && { cursor }) });
    for (const conversation of page.items) if (conversation.key?.startsWith(sessionKey(''))) yield conversation;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function describe(
  store: ConversationStore,
  sessionId: string,
  { id, createdAt, activeAt, lastSeq }: Conversation,
  snapshot: SessionSummary | undefined,
): Promise<TeamSessionRecord> {
  const covered = snapshot?.metadata.log?.conversationId === id ? snapshot.metadata.log.seq : 0;
  const tail = lastSeq > covered ? await readTail(store, id, covered) : undefined;
  const before = covered > 0 ? (snapshot?.metadata.messageCount ?? 0) : 0;
  return {
    sessionId,
    conversationId: id,
    createdAt,
    updatedAt: activeAt,
    messages: before + (tail?.messages.length ?? 0),
    summary: tail?.teamTask ?? snapshot?.metadata.summary ?? tail?.messages[0]?.content,
    saved: (tail?.messages.length ?? 0) === 0,
  };
}

function describeForeign({ sessionId, createdAt, updatedAt, metadata }: SessionSummary): TeamSessionRecord {
  return {
    sessionId,
    conversationId: undefined,
    createdAt: Date.parse(createdAt),
    updatedAt: Date.parse(updatedAt),
    messages: metadata.messageCount,
    summary: metadata.summary,
    saved: true,
  };
}
