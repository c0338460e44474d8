// The base of everything that can be saved to a file and brought back from it. A subclass says what its state is; this class checks,
// versions, masks, writes, lists, picks and reads. Saving and restoring answer with a boolean and a notice, and never throw.
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, systemClock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { ContinuoError, isContinuoError } from '../model/error.ts';
import { createSessionId } from '../model/id.ts';
import type { Redactor } from '../model/ports/redactor.ts';
import { damagedAt, type EnvelopeUpgrade } from './envelope.ts';
import { createExactSecrets } from './exact-secrets.ts';
import { isMissing, toFileError } from './file-fault.ts';
import { isCount } from './read-snapshot.ts';
import {
  countMessages,
  describeState,
  type SavedSessionKind,
  type SavedSessionSummary,
  savedSessionVersion,
} from './saved-session-format.ts';
import { describeFile, listSavedSessions, type SavedSession, sessionFolderName } from './saved-session-list.ts';
import { savedSessionName } from './saved-session-name.ts';
import { type KnownFile, placeSession } from './saved-session-place.ts';
import { type ReadSession, readSavedSession } from './saved-session-reader.ts';
import { type SliceMemory, type WrittenState, writeState } from './saved-session-writer.ts';
import { createNotice, noticeOfError, reasonOf, type SessionNotice, type SessionNoticeCode, toCoded } from './session-notice.ts';

export interface SessionRestorableOptions {
  /** The working directory, absolute. Sessions are in `.continuo` below it. */
  directory: string;
  /** Who answers: the provider or program. Part of the file's name. */
  platform: string;
  /** The model as it is when a session is first saved. Part of the file's name. */
  modelName?: string | (() => string);
  /** Masks secrets before anything is written: `createRedactor()` of `continuo/store`. */
  redactor: Redactor;
  /** Values that may never be written, such as those of secret environment variables. Shorter ones than six characters are ignored. */
  secretValues?: readonly string[];
  /** Told of every save and restore, and whatever is wrong with a file. */
  report?: (notice: SessionNotice) => void;
  /** Whether a human can be asked. */
  interactive?: boolean;
  /** Asks the human which of several; undefined for none. Without it, and where nobody can be asked, the newest is taken. */
  pick?: (sessions: SavedSession[]) => Promise<SavedSession | undefined>;
  /** Told of sessions with more than 500 messages while they are saved and restored. */
  progress?: (done: number, total: number) => void;
  clock?: Clock;
}

/** What a restored state came from. */
export interface RestoredFrom {
  path: string;
  savedAt: string;
  /** The version of the file, before it was brought up. */
  version: string;
  bytes: number;
  messages: number;
}

/** Shorter sessions are taken in one go and pass without progress. */
const longSession = 500;
/** In milliseconds: what others may have to wait for a turn, more or less. */
const longestTurn = 12;
const batchBytes = 2 * 1024 * 1024;

export abstract class SessionRestorable {
  readonly #options: SessionRestorableOptions;
  readonly #clock: Clock;
  #file: KnownFile | undefined;
  #id: string | undefined;
  #beganAt: number | undefined;
  #changes = 0;
  #savedChanges = -1;
  #lastNotice: SessionNotice | undefined;
  #memory: SliceMemory = new Map();
  #hasCleaned = false;
  #saving: Promise<unknown> = Promise.resolve();
  #restoring: Promise<unknown> = Promise.resolve();
  #isApplying = false;

  constructor(options: SessionRestorableOptions) {
    if (!isAbsolute(options.directory)) {
      throw new ContinuoError('invalid-input', { what: 'working directory', reason: 'it is not an absolute path' });
    }
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Everything that must come back, as plain data. Messages are taken as they are when the save is asked for: add or replace, do not alter. */
  protected abstract getSessionState(): JsonObject;
  /** Takes over a state that {@link validateSessionState} has found whole. Where it throws, the state before is given to it again. */
  protected abstract setSessionState(state: JsonObject, from: RestoredFrom): void | Promise<void>;
  /** Such as `code_agent`. Files of another prefix are neither listed nor restored. */
  protected abstract getSessionFilePrefix(): string;

  /** What is missing or wrong, such as `"root_dir" is missing`; undefined where the state is whole. May throw instead. */
  protected validateSessionState(_state: JsonObject, _from: RestoredFrom): string | undefined | Promise<string | undefined> {
    return undefined;
  }

  /** Where a session goes that has no file yet. */
  protected getSessionFilePath(): string {
    const { directory, platform } = this.#options;
    this.#beganAt ??= this.#clock();
    const parts = { prefix: this.getSessionFilePrefix(), platform, model: this.getSessionModelName(), at: this.#beganAt };
    return join(directory, sessionFolderName, savedSessionName(parts));
  }

  protected getSessionModelName(): string {
    const { modelName = '' } = this.#options;
    return typeof modelName === 'string' ? modelName : modelName();
  }

  /** The version that is written; a subclass that changes its state raises it and says in {@link sessionUpgrades} how to get there. */
  protected get sessionVersion(): string {
    return savedSessionVersion;
  }

  /** In order, append-only. One that leads to 1.0 sees only files of before there was an envelope, in the envelope already. */
  protected get sessionUpgrades(): readonly EnvelopeUpgrade[] {
    return [];
  }

  /** What lists show of a session. The state is masked and holds no message but the human's first. */
  protected describeSession(state: JsonObject): Omit<SavedSessionSummary, 'messages'> {
    return describeState(state);
  }

  /** Whether what is in the file is what is here. */
  get isSaved(): boolean {
    return this.#savedChanges === this.#changes;
  }

  /** To be called when the state has changed since. */
  markChanged(): void {
    this.#changes += 1;
  }

  /** What became of the last save or restore. */
  get lastNotice(): SessionNotice | undefined {
    return this.#lastNotice;
  }

  /** The file this object is saved in; undefined before the first save. */
  get sessionFile(): string | undefined {
    return this.#file?.path;
  }

  /** Whether the state, as it is at this moment, is durable in the file. Where not, the file is what it was before. */
  async saveSession(): Promise<boolean> {
    const changes = this.#changes;
    let written: WrittenState;
    let pieces: Iterable<Uint8Array>;
    try {
      written = this.#collect();
      // What is short is taken now, to the last word; of what is long, the list is.
      pieces = written.messages > longSession ? written.pieces : [...written.pieces];
    } catch (error) {
      this.#savedChanges = -1;
      return this.#fail(toCoded(error, 'session-state-failed'));
    }
    const turn = this.#saving.then(() => this.#write(written, pieces, changes));
    this.#saving = turn;
    return turn;
  }

  /** By the path, the name or the id of one, exactly; without it the only one, the one the human picks, or the newest. */
  async restoreSession(source?: string): Promise<boolean> {
    const turn = this.#restoring.then(() => this.#restore(source));
    this.#restoring = turn;
    return turn;
  }

  /** Newest first, with what can be told without reading the sessions; empty where they cannot be listed, and {@link lastNotice} says why. */
  async listSessions(): Promise<SavedSession[]> {
    try {
      return await listSavedSessions(this.#options.directory, this.#kind());
    } catch (error) {
      this.#fail(toFileError(error, this.#options.directory));
      return [];
    }
  }

  /** Tells what a person should know, in the words of the subclass. */
  protected notify(notice: SessionNotice): void {
    this.#lastNotice = notice;
    try {
      this.#options.report?.(notice);
    } catch {
      // Whoever listens must not decide whether a session is saved.
    }
  }

  #collect(): WrittenState {
    if (this.#isApplying) throw new ContinuoError('session-state-failed', { reason: 'it is being restored at this moment' });
    const state = this.getSessionState();
    const { redactor, secretValues = [] } = this.#options;
    this.#id ??= createSessionId(this.#clock());
    return writeState(state, {
      head: {
        version: this.sessionVersion,
        savedAt: new Date(this.#clock()).toISOString(),
        filePrefix: this.getSessionFilePrefix(),
        id: this.#id,
      },
      redactor,
      exact: createExactSecrets(secretValues),
      memory: this.#memory,
      describe: (masked) => this.describeSession(masked),
    });
  }

  async #write(written: WrittenState, pieces: Iterable<Uint8Array>, changes: number): Promise<boolean> {
    const { progress, messages } = written;
    const before = this.#file;
    try {
      const content = produceAhead(pieces, () => this.#tellProgress(progress.messages, messages));
      this.#file = await placeSession({
        known: before,
        newPath: () => this.#newPath(before),
        pieces: content,
        cleans: !this.#hasCleaned,
      });
      this.#hasCleaned = true;
    } catch (error) {
      this.#savedChanges = -1;
      return this.#fail(toFileError(error, before?.path ?? this.#options.directory));
    }
    this.#savedChanges = changes;
    this.#memory = written.memory;
    const { path } = this.#file;
    if (before && before.path !== path) this.#tell('warning', 'session-saved-beside', { path, other: before.path });
    const { masked, bytes } = progress;
    this.#tell('info', masked > 0 ? 'session-saved-masked' : 'session-saved', { path, messages, bytes, masked });
    return true;
  }

  /** A session that lost its file to somebody else begins anew, as another one. */
  #newPath(lost: KnownFile | undefined): string {
    if (lost) this.#beganAt = undefined;
    return resolve(this.#options.directory, this.getSessionFilePath());
  }

  async #restore(source: string | undefined): Promise<boolean> {
    try {
      const paths = await this.#choose(source);
      if (paths === undefined) {
        this.#tell('info', 'session-not-chosen', {});
        return false;
      }
      await this.#takeFirstWhole(paths, source);
      return true;
    } catch (error) {
      return this.#fail(toCoded(error, 'session-restore-failed', { path: source ?? this.#options.directory }));
    }
  }

  /** What looks whole in a list may turn out not to be when it is read. Throws why the first one cannot be had where none can. */
  async #takeFirstWhole(paths: readonly string[], source: string | undefined): Promise<void> {
    const damaged: ContinuoError[] = [];
    for (const path of paths) {
      try {
        return await this.#take(path, source, damaged);
      } catch (error) {
        if (!isContinuoError(error, 'session-damaged')) throw error;
        damaged.push(error);
      }
    }
    throw damaged[0];
  }

  async #take(path: string, source: string | undefined, passedOver: readonly ContinuoError[]): Promise<void> {
    const read = await this.#read(path, source);
    const { head, bytes, found } = read;
    const from = { path, savedAt: head.savedAt, version: found, bytes, messages: countMessages(read.state) };
    const fault = await this.validateSessionState(read.state, from);
    if (fault !== undefined) throw damagedAt(path)(fault);
    await this.#apply(read.state, from);
    this.#goOnWith(path, read);
    for (const problem of passedOver) this.notify(noticeOfError(problem, 'warning'));
    const version = head.version;
    if (found !== version) this.#tell('info', 'session-upgraded', { path, found, version });
    this.#tell('info', 'session-restored', { path, savedAt: from.savedAt, messages: from.messages, bytes });
  }

  async #read(path: string, source: string | undefined): Promise<ReadSession> {
    try {
      let total: number | undefined;
      let turn = performance.now();
      const read = await readSavedSession(path, this.#kind(), async (done, { summary }) => {
        total ??= isCount((summary as JsonObject | undefined)?.messages) ? ((summary as JsonObject).messages as number) : 0;
        this.#tellProgress(Math.min(done, total), total);
        if (performance.now() - turn < longestTurn) return;
        await nextTurn();
        turn = performance.now();
      });
      const count = countMessages(read.state);
      // Files that others laid out, and those whose head is wrong.
      if (count !== total) this.#tellProgress(count, count);
      return read;
    } catch (error) {
      if (isMissing((error as Error).cause)) throw this.#absent(source ?? basename(path));
      throw error;
    }
  }

  /** Either the new state or the one before, never something in between. */
  async #apply(state: JsonObject, from: RestoredFrom): Promise<void> {
    const before = this.#stateNow();
    this.#isApplying = true;
    try {
      await this.setSessionState(state, from);
    } catch (error) {
      const isBack = before !== undefined && (await this.#putBack(before, from));
      if (isBack) throw toCoded(error, 'session-restore-failed', { path: from.path });
      throw new ContinuoError('session-half-restored', { path: from.path, reason: reasonOf(error) }, { cause: error });
    } finally {
      this.#isApplying = false;
    }
  }

  #stateNow(): JsonObject | undefined {
    try {
      return structuredClone(this.getSessionState());
    } catch {
      return undefined;
    }
  }

  async #putBack(before: JsonObject, from: RestoredFrom): Promise<boolean> {
    try {
      await this.setSessionState(before, from);
      return true;
    } catch {
      return false;
    }
  }

  /** A file of another place, or of another program, was only read: what comes now is saved here. */
  #goOnWith(path: string, { head, stamp }: ReadSession): void {
    const isOwn = dirname(path) === join(this.#options.directory, sessionFolderName);
    this.#file = isOwn ? { path, stamp } : undefined;
    this.#id = isOwn ? head.id : undefined;
    this.#beganAt = undefined;
    this.#savedChanges = this.#changes;
  }

  /** Undefined where the person chose none; several where the newest that is whole is wanted. */
  async #choose(source: string | undefined): Promise<string[] | undefined> {
    if (source !== undefined) return [await this.#find(source)];
    const { directory, interactive = false, pick } = this.#options;
    const sessions = await listSavedSessions(directory, this.#kind());
    if (interactive && pick && sessions.length > 1) {
      const picked = await pick(sessions);
      return picked && [picked.path];
    }
    const whole = sessions.filter(({ problem }) => problem === undefined);
    if (whole.length === 0) throw sessions[0]?.problem ?? new ContinuoError('no-saved-session', { path: directory });
    // What is taken may be older than what cannot be read.
    for (const { problem } of sessions) if (problem) this.notify(noticeOfError(problem, 'warning'));
    return whole.map(({ path }) => path);
  }

  async #find(source: string): Promise<string> {
    const { directory } = this.#options;
    if (basename(source) === source) {
      const sessions = await listSavedSessions(directory, this.#kind());
      const named = sessions.find(({ path }) => basename(path) === source) ?? sessions.find(({ id }) => id === source);
      if (named) return named.path;
    }
    const path = resolve(directory, source);
    // A name that is no file is more likely a wrong id than a wrong path.
    if (!source.endsWith('.json') && (await describeFile(path, this.#kind(), false)) === undefined) throw this.#absent(source);
    return path;
  }

  #kind(): SavedSessionKind {
    return { filePrefix: this.getSessionFilePrefix(), version: this.sessionVersion, upgrades: this.sessionUpgrades };
  }

  #absent(id: string): ContinuoError {
    return new ContinuoError('saved-session-not-found', { id, path: this.#options.directory });
  }

  #tellProgress(done: number, total: number): void {
    if (total <= longSession) return;
    try {
      this.#options.progress?.(done, total);
    } catch {
      // As for notices.
    }
  }

  #tell(level: SessionNotice['level'], code: SessionNoticeCode, details: SessionNotice['details']): void {
    this.notify(createNotice(level, code, details));
  }

  #fail(error: ContinuoError): false {
    this.notify(noticeOfError(error));
    return false;
  }
}

/** Makes the next pieces while the disk takes those before, and gives others their turn in between. */
async function* produceAhead(pieces: Iterable<Uint8Array>, onPieces: () => void): AsyncGenerator<Uint8Array> {
  const source = pieces[Symbol.iterator]();
  const take = (): Uint8Array | undefined => {
    const taken: Uint8Array[] = [];
    const began = performance.now();
    try {
      for (let bytes = 0; bytes < batchBytes && performance.now() - began < longestTurn; ) {
        const { done, value } = source.next();
        if (done) break;
        taken.push(value);
        bytes += value.length;
      }
    } catch (error) {
      throw toCoded(error, 'session-state-failed');
    }
    onPieces();
    return taken.length === 0 ? undefined : Buffer.concat(taken);
  };
  let next = nextTurn().then(take);
  for (;;) {
    const batch = await next;
    if (batch === undefined) return;
    next = nextTurn().then(take);
    // A fault is met when its turn comes, which may be never.
    next.catch(() => undefined);
    yield batch;
  }
}
