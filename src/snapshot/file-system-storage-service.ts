// The sessions of teams as files below one folder: <home>/sessions/<teamId>/<timestamp>-<sessionId>.json, one file a session.
import type { ContinuoError } from '../model/error.ts';
import { ContinuoError as Refusal } from '../model/error.ts';
import type { Sealer } from '../model/ports/sealer.ts';
import type { SessionSnapshot, SessionSummary } from './session-snapshot.ts';

export interface StorageServiceOptions {
  /** The folder of Continuo; the sessions are in `sessions` below it. */
  home: string;
  /** Seals what is written. Sealed files are read with it; plain ones are read all the same. */
  sealer?: Sealer;
  /** Told of every file that is not what it should be. */
  onProblem?: (problem: SessionProblem) => void;
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

export interface StorageService {
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
}

export class FileSystemStorageService implements StorageService {
  readonly #options: StorageServiceOptions;

  constructor(options: StorageServiceOptions) {
    this.#options = options;
  }

  async saveSession(_teamId: string, _snapshot: SessionSnapshot): Promise<SaveOutcome> {
    throw this.#unfinished();
  }

  async loadSession(_teamId: string, _sessionId?: string): Promise<SessionSnapshot> {
    throw this.#unfinished();
  }

  async getLatestSession(_teamId: string): Promise<SessionSnapshot | undefined> {
    throw this.#unfinished();
  }

  async listSessions(teamId: string): Promise<SessionSummary[]> {
    return (await this.inspectSessions(teamId)).sessions;
  }

  async inspectSessions(_teamId: string): Promise<{ sessions: SessionSummary[]; problems: SessionProblem[] }> {
    throw this.#unfinished();
  }

  async deleteSession(_teamId: string, _sessionId: string): Promise<boolean> {
    throw this.#unfinished();
  }

  #unfinished(): Refusal {
    return new Refusal('internal', { reason: this.#options.home });
  }
}
