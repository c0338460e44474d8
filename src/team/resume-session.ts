// From a session's id to its state: the snapshot and the tail of the log after it. Either alone is enough: a session that died before
// its first snapshot is in the log, and a snapshot that came from elsewhere is brought into the log.
import { ContinuoError, isContinuoError } from '../model/error.ts';
import type { ConversationId } from '../model/id.ts';
import type { ConversationMessage, SessionSnapshot } from '../snapshot/session-snapshot.ts';
import type { StorageService } from '../snapshot/storage-service.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { readSpeaker } from './legacy-speaker.ts';
import type { SessionLog } from './session-log.ts';
import { readTail, sessionKey } from './team-log.ts';

export interface ResumeOptions {
  store: ConversationStore;
  storage: StorageService | undefined;
  log: SessionLog;
  teamId: string;
  sessionId: string;
}

export interface ResumedSession {
  createdAt: string;
  teamTask: string | null;
  messages: ConversationMessage[];
  programSessions: Record<string, string>;
  /** What was wrong and could be done without. */
  warnings: ContinuoError[];
}

export async function resumeSession(options: ResumeOptions): Promise<ResumedSession> {
  const { store, log, teamId, sessionId } = options;
  const warnings: ContinuoError[] = [];
  const stored = await findConversation(options);
  const snapshot = await loadSnapshot(options, stored !== undefined, warnings);
  if (!stored && !snapshot) throw new ContinuoError('session-not-found', { id: sessionId, team: teamId });
  if (!stored) return adoptSnapshot(log, snapshot as SessionSnapshot, warnings);
  await log.open(stored.id);
  const covered = snapshot?.metadata.log?.conversationId === stored.id ? snapshot.metadata.log.seq : 0;
  const { lastSeq } = log;
  const tail = await readTail(store, stored.id, Math.min(covered, lastSeq));
  // The log was taken back to an older state: what only the snapshot has is said again, so that the log holds everything.
  const missing = covered > lastSeq ? (snapshot?.context.messages ?? []).filter(({ seq }) => (seq ?? 0) > lastSeq) : [];
  const known = covered === 0 ? [] : (snapshot?.context.messages ?? []).filter(({ seq }) => (seq ?? 0) <= lastSeq);
  const none = { messages: [], teamTask: null };
  const adopted = missing.length === 0 ? none : await log.adopt(missing, snapshot?.context.teamTask ?? null);
  return {
    createdAt: snapshot?.createdAt ?? new Date(stored.createdAt).toISOString(),
    teamTask: adopted.teamTask ?? tail.teamTask ?? snapshot?.context.teamTask ?? null,
    messages: [...known, ...tail.messages, ...adopted.messages],
    programSessions: { ...snapshot?.metadata.programSessions, ...tail.programSessions },
    warnings,
  };
}

async function findConversation({
  store,
  teamId,
  sessionId,
}: ResumeOptions): Promise<{ id: ConversationId; createdAt: number } | undefined> {
  const found = await store.find(sessionKey(sessionId));
  if (found && found.team !== teamId)
    throw new ContinuoError('session-of-another-team', { id: sessionId, team: teamId, found: found.team ?? '' });
  return found;
}

async function loadSnapshot(
  { storage, teamId, sessionId }: ResumeOptions,
  hasLog: boolean,
  warnings: ContinuoError[],
): Promise<SessionSnapshot | undefined> {
  try {
    return await storage?.loadSession(teamId, sessionId);
  } catch (error) {
    if (isContinuoError(error, 'session-not-found')) return undefined;
    if (!hasLog || !isContinuoError(error, 'session-damaged')) throw error;
    warnings.push(error);
    return undefined;
  }
}

async function adoptSnapshot(log: SessionLog, snapshot: SessionSnapshot, warnings: ContinuoError[]): Promise<ResumedSession> {
  const { context, metadata, createdAt } = snapshot;
  const given = context.messages.map((message) => ({ ...message, speaker: readSpeaker(message) }));
  const adopted = await log.adopt(given, context.teamTask);
  return { createdAt, ...adopted, programSessions: { ...metadata.programSessions }, warnings };
}
