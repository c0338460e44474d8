// The sessions of teams as files: <home>/sessions/<teamId>/<timestamp>-<sessionId>.json. One session is one file that is replaced
// whole, by the newer state only; a file that cannot be read as a session is moved aside before it would be replaced, never deleted.
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { JsonObject } from '../base/json.ts';
import { syncFolder, writeFileAtomically } from '../base/private-files.ts';
import { ContinuoError, isContinuoError } from '../model/error.ts';
import type { Sealer } from '../model/ports/sealer.ts';
import { damagedAt, largestFile } from './envelope.ts';
import { isMissing, toFileError } from './file-fault.ts';
import { decodeId, encodeId, sessionFileKind, sessionFileName, sessionOfFileName } from './file-name.ts';
import { refuseLink, removeUnfinished, withLock } from './locked-folder.ts';
import { readSnapshot } from './read-snapshot.ts';
import type { SaveLock } from './save-lock.ts';
import { type ReadSummary, readSessionFile, readSessionSummary } from './session-file.ts';
import { type SessionSnapshot, type SessionSummary, snapshotVersion } from './session-snapshot.ts';
import { formatSnapshot } from './snapshot-text.ts';
import type { SaveOutcome, SessionProblem, StorageService } from './storage-service.ts';

export interface StorageServiceOptions {
  /** The folder of Continuo; the sessions are in `sessions` below it. */
  home: string;
  /** Seals what is written. Sealed files are read with it; plain ones are read all the same. */
  sealer?: Sealer;
  /** Told of every file that is not what it should be. */
  onProblem?: (problem: SessionProblem) => void;
}

/** A state that is ready to be written. */
interface Prepared {
  state: SessionSnapshot;
  bytes: Uint8Array;
  firstLine: string;
}

export class FileSystemStorageService implements StorageService {
  readonly #root: string;
  readonly #sealer: Sealer | undefined;
  readonly #onProblem: (problem: SessionProblem) => void;
  /** By path: the first line of the state that this service wrote or loaded last. What it saves next comes after that one. */
  readonly #known = new Map<string, string>();
  /** By folder: the end of the last write that was asked for. */
  readonly #queues = new Map<string, Promise<void>>();

  constructor(options: StorageServiceOptions) {
    this.#root = join(options.home, 'sessions');
    this.#sealer = options.sealer;
    this.#onProblem = options.onProblem ?? (() => undefined);
  }

  async saveSession(teamId: string, snapshot: SessionSnapshot): Promise<SaveOutcome> {
    const folder = this.#folderOf(teamId);
    const encoded = encodeId(snapshot.sessionId, 'session id');
    if (snapshot.schemaVersion !== snapshotVersion) throw invalidSnapshot(`"schemaVersion" is not "${snapshotVersion}"`);
    // Read now: what the caller changes while this waits belongs to the next save.
    const state = readSnapshot({ ...snapshot } as unknown as JsonObject, invalidSnapshot);
    refuseOtherTeam(teamId, state);
    const text = formatSnapshot(state, this.#sealer);
    const bytes = Buffer.from(text, 'utf8');
    if (bytes.length > largestFile) throw invalidSnapshot('it is larger than 256 MB');
    const firstLine = text.slice(0, text.indexOf('\n'));
    return this.#locked(folder, (lock) => this.#replace(teamId, folder, encoded, { state, bytes, firstLine }, lock));
  }

  async loadSession(teamId: string, sessionId?: string): Promise<SessionSnapshot> {
    if (sessionId === undefined) {
      const latest = await this.getLatestSession(teamId);
      if (latest === undefined) throw new ContinuoError('session-not-found', { id: 'latest', team: teamId });
      return latest;
    }
    const encoded = encodeId(sessionId, 'session id');
    const paths = await this.#filesOf(this.#folderOf(teamId), encoded);
    if (paths.length === 0) throw await this.#absent(teamId, sessionId, encoded);
    return this.#load(teamId, await this.#newestOf(paths));
  }

  async getLatestSession(teamId: string): Promise<SessionSnapshot | undefined> {
    const newest = (await this.listSessions(teamId))[0];
    return newest === undefined ? undefined : this.#load(teamId, newest.path);
  }

  async listSessions(teamId: string): Promise<SessionSummary[]> {
    const { sessions, problems } = await this.inspectSessions(teamId);
    for (const problem of problems) this.#onProblem(problem);
    return sessions;
  }

  async inspectSessions(teamId: string): Promise<{ sessions: SessionSummary[]; problems: SessionProblem[] }> {
    const sessions = new Map<string, SessionSummary>();
    const problems: SessionProblem[] = [];
    for (const path of await this.#filesOf(this.#folderOf(teamId))) {
      try {
        const { summary } = await this.#readSummary(path);
        refuseOtherTeam(teamId, summary);
        const other = sessions.get(summary.sessionId);
        if (other === undefined || isNewer(summary, other)) sessions.set(summary.sessionId, summary);
      } catch (error) {
        // It may have been deleted since the folder was read.
        if (!isMissing((error as Error).cause)) problems.push({ path, error: toFileError(error, path) });
      }
    }
    return { sessions: [...sessions.values()].sort(newestFirst), problems };
  }

  async deleteSession(teamId: string, sessionId: string): Promise<boolean> {
    const folder = this.#folderOf(teamId);
    const encoded = encodeId(sessionId, 'session id');
    if ((await this.#filesOf(folder, encoded)).length === 0) return false;
    return this.#locked(folder, async () => {
      const paths = await this.#filesOf(folder, encoded);
      for (const path of paths) {
        const found = await this.#readSummary(path).catch(() => undefined);
        if (found !== undefined) refuseOtherTeam(teamId, found.summary);
      }
      for (const path of paths) await rm(path, { force: true });
      await syncFolder(folder);
      return paths.length > 0;
    });
  }

  async eraseSession(teamId: string, sessionId: string): Promise<string[]> {
    const folder = this.#folderOf(teamId);
    const encoded = encodeId(sessionId, 'session id');
    const isThere = await lstat(folder).catch(() => undefined);
    if (!isThere) return [];
    return this.#locked(folder, async () => {
      const names = (await readdir(folder)).filter((name) => sessionFileKind(name)?.session === encoded).sort();
      for (const name of names) await rm(join(folder, name), { force: true });
      await syncFolder(folder);
      return names.map((name) => join(folder, name));
    });
  }

  async listTeams(): Promise<string[]> {
    const entries = await readdir(this.#root, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw toFileError(error, this.#root);
    });
    return entries.flatMap((entry) => (entry.isDirectory() ? (decodeId(entry.name) ?? []) : [])).sort();
  }

  /**
   * Writes every session anew, sealed with the given sealer or plain without one: for a store that gets a key, or loses it. Files that
   * cannot be read stay as they are and are told. May be repeated.
   */
  async rewriteSessions(sealer: Sealer | undefined): Promise<{ rewritten: number; problems: SessionProblem[] }> {
    let rewritten = 0;
    const problems: SessionProblem[] = [];
    for (const teamId of await this.listTeams()) {
      const folder = this.#folderOf(teamId);
      await this.#locked(folder, async () => {
        for (const path of await this.#filesOf(folder)) {
          try {
            const { snapshot } = await readSessionFile(path, this.#sealer);
            await writeFileAtomically(path, formatSnapshot(snapshot, sealer));
            rewritten += 1;
          } catch (error) {
            const coded = toFileError(error, path);
            // These will not go away with the next file.
            if (coded.code === 'disk-full' || coded.code === 'permission-denied') throw coded;
            problems.push({ path, error: coded });
          }
        }
      });
    }
    return { rewritten, problems };
  }

  async #replace(
    teamId: string,
    folder: string,
    encoded: string,
    { state, bytes, firstLine }: Prepared,
    lock: SaveLock,
  ): Promise<SaveOutcome> {
    await removeUnfinished(folder);
    const paths = await this.#filesOf(folder, encoded);
    let setAside: string | undefined;
    let newest: ReadSummary | undefined;
    for (const path of paths) {
      try {
        const found = await this.#readSummary(path);
        refuseOtherTeam(teamId, found.summary);
        if (newest === undefined || isNewer(found.summary, newest.summary)) newest = found;
      } catch (error) {
        if (!isContinuoError(error, 'session-damaged') && !isContinuoError(error, 'unsafe-path')) throw error;
        setAside = await moveAside(path);
        this.#onProblem({ path, error, setAside });
      }
    }
    const aside = setAside === undefined ? {} : { setAside };
    const path = newest?.summary.path ?? join(folder, sessionFileName(state.createdAt, encoded));
    // Our own earlier state is replaced also where the clock was set back since.
    const isOurs = newest !== undefined && this.#known.get(path) === newest.firstLine;
    if (newest !== undefined && !isOurs && isNewer(newest.summary, state)) return { path, outcome: 'kept-newer', ...aside };
    if (!(await lock.isHeld())) throw new ContinuoError('store-busy', { path: folder, waited: 0 });
    await writeFileAtomically(path, bytes);
    this.#known.set(path, firstLine);
    return { path, outcome: 'written', ...aside };
  }

  async #load(teamId: string, path: string): Promise<SessionSnapshot> {
    const { snapshot, firstLine } = await readSessionFile(path, this.#sealer);
    refuseOtherName(path, snapshot);
    refuseOtherTeam(teamId, snapshot);
    this.#known.set(path, firstLine);
    return snapshot;
  }

  /** A single file is taken as it is, so that whatever is wrong with it is said by reading it. */
  async #newestOf(paths: string[]): Promise<string> {
    let newest: SessionSummary | undefined;
    if (paths.length > 1) {
      for (const path of paths) {
        const found = await this.#readSummary(path).catch((error: unknown) => {
          this.#onProblem({ path, error: toFileError(error, path) });
        });
        if (found && (newest === undefined || isNewer(found.summary, newest))) newest = found.summary;
      }
    }
    return newest?.path ?? (paths.at(-1) as string);
  }

  async #readSummary(path: string): Promise<ReadSummary> {
    const found = await readSessionSummary(path, this.#sealer);
    refuseOtherName(path, found.summary);
    return found;
  }

  /** An id that another team knows is worth another sentence than one that nobody knows. */
  async #absent(teamId: string, sessionId: string, encoded: string): Promise<ContinuoError> {
    const folders = await readdir(this.#root).catch(() => []);
    for (const name of folders) {
      const [path] = await this.#filesOf(join(this.#root, name), encoded).catch(() => []);
      const found = path === undefined ? undefined : await this.#readSummary(path).catch(() => undefined);
      if (found) return otherTeam(teamId, found.summary);
    }
    return new ContinuoError('session-not-found', { id: sessionId, team: teamId });
  }

  #folderOf(teamId: string): string {
    return join(this.#root, encodeId(teamId, 'team id'));
  }

  /** One after the other in the order of the calls here, and one at a time across processes. */
  async #locked<T>(folder: string, action: (lock: SaveLock) => Promise<T>): Promise<T> {
    const before = this.#queues.get(folder);
    const turn = (before ?? Promise.resolve()).then(() => withLock(folder, action));
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#queues.set(folder, settled);
    try {
      return await turn;
    } finally {
      if (this.#queues.get(folder) === settled) this.#queues.delete(folder);
    }
  }

  /** Every session file of the folder, or those of one session; an exact match, sorted. */
  async #filesOf(folder: string, encoded?: string): Promise<string[]> {
    try {
      await refuseLink(folder);
      return (await readdir(folder))
        .filter((name) => {
          const session = sessionOfFileName(name);
          return session !== undefined && (encoded === undefined || session === encoded);
        })
        .sort()
        .map((name) => join(folder, name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw toFileError(error, folder);
    }
  }
}

function invalidSnapshot(reason: string, cause?: unknown): ContinuoError {
  return new ContinuoError('invalid-input', { what: 'session snapshot', reason }, { cause });
}

/** A file that was renamed must not pass for another session. */
function refuseOtherName(path: string, { sessionId }: Pick<SessionSnapshot, 'sessionId'>): void {
  let encoded: string | undefined;
  try {
    encoded = encodeId(sessionId, 'session id');
  } catch {
    encoded = undefined;
  }
  if (encoded !== sessionOfFileName(basename(path))) throw damagedAt(path)('its name is not that of its session');
}

type Dated = Pick<SessionSnapshot, 'updatedAt' | 'metadata'>;

/** By the place in the log where both tell it, because clocks go back; else by the time. */
function isNewer(left: Dated, right: Dated): boolean {
  const [a, b] = [left.metadata.log, right.metadata.log];
  if (a && b && a.conversationId === b.conversationId && a.seq !== b.seq) return a.seq > b.seq;
  return Date.parse(left.updatedAt) > Date.parse(right.updatedAt);
}

function newestFirst(left: SessionSummary, right: SessionSummary): number {
  return Date.parse(right.updatedAt) - Date.parse(left.updatedAt) || (left.path < right.path ? 1 : -1);
}

function refuseOtherTeam(teamId: string, found: Pick<SessionSnapshot, 'teamId' | 'sessionId'>): void {
  if (found.teamId !== teamId) throw otherTeam(teamId, found);
}

function otherTeam(teamId: string, found: Pick<SessionSnapshot, 'teamId' | 'sessionId'>): ContinuoError {
  return new ContinuoError('session-of-another-team', { id: found.sessionId, found: found.teamId, team: teamId });
}

/** The new name is nobody's yet: what is there is never replaced. */
async function moveAside(path: string): Promise<string> {
  const stamp = new Date().toISOString().replace(/[-:.]/g, '');
  for (let attempt = 0; ; attempt++) {
    const target = `${path}.damaged-${stamp}${attempt === 0 ? '' : `-${attempt}`}`;
    const taken = await lstat(target).catch(() => undefined);
    if (taken !== undefined) continue;
    await rename(path, target);
    return target;
  }
}
