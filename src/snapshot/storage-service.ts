// The contract of whoever keeps the sessions of teams, and what its methods answer with.
import type { ContinuoError } from '../model/error.ts';
import type { SessionSnapshot, SessionSummary } from './session-snapshot.ts';

export interface StorageService {
  /** Resolves when the state is durable. One session is one file, however often it is saved. */
  saveSession(teamId: string, snapshot: SessionSnapshot): Promise<SaveOutcome>;
  /** Without an id the newest. Throws `session-not-found`, `session-damaged`, `session-newer` or `session-of-another-team`. */
  loadSession(teamId: string, sessionId?: string): Promise<SessionSnapshot>;
  /** Undefined where the team has no session yet. */
  getLatestSession(teamId: string): Promise<SessionSnapshot | undefined>;
  /** Newest first, without reading messages. Files that cannot be read are told to `onProblem`. */
  listSessions(teamId: string): Promise<SessionSummary[]>;
  /** The same, with the files that cannot be read. */
  inspectSessions(teamId: string): Promise<{ sessions: SessionSummary[]; problems: SessionProblem[] }>;
  /** Whether there was one. */
  deleteSession(teamId: string, sessionId: string): Promise<boolean>;
  /** With everything else that holds its words: what was set aside as damaged, what was left half written. The paths that went. */
  eraseSession(teamId: string, sessionId: string): Promise<string[]>;
  /** Every team that has a folder here, in order. */
  listTeams(): Promise<string[]>;
}

export interface SessionProblem {
  path: string;
  error: ContinuoError;
  /** Where the file was moved, if it stood in the way of a save. */
  setAside?: string;
}

export interface SaveOutcome {
  path: string;
  /** `kept-newer`: another process has saved a newer state of this session, and it was left alone. */
  outcome: 'written' | 'kept-newer';
  /** Where a damaged file of this session was moved. */
  setAside?: string;
}
