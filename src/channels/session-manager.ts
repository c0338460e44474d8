// The keyed sessions of chat platforms, on the conversation store: one key, one conversation. Keeps the names and the fields the
// channels use; what touches the disk is asynchronous, and a message counts as added when it is durable.
import { resolve } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { type NewEntry, newEntrySchema, type Role } from '../model/entry.ts';
import { ContinuoError } from '../model/error.ts';
import type { Page } from '../model/list-query.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { validate } from '../store/gate.ts';
import type { ChannelSession, ChatMessage } from './channel-session.ts';
import { KeyedSession, type KeyedSessionOptions } from './keyed-session.ts';
import { SessionCache } from './session-cache.ts';
import {
  type CleanupReport,
  type CleanupSchedule,
  type CleanupScheduleOptions,
  carryOut,
  planCleanup,
  scheduleRuns,
} from './session-cleanup.ts';
import { checkSessionKey } from './session-key.ts';
import { listAllSessions, listSessionPage, type SessionListQuery, type SessionSummary } from './session-list.ts';

export type { ChannelSession, ChatMessage, SessionMessage } from './channel-session.ts';

const defaultMaxMessages = 20;
const mostMessages = 10_000;

/** Where the sessions are kept: an open store, which stays the caller's to close, or a way to open one on first use. */
export type SessionStoreSource =
  | { store: ConversationStore; open?: never; home?: never }
  | {
      open: () => Promise<ConversationStore>;
      /** Names the place for {@link getSessionManager}: the same home gives the same manager. */
      home?: string;
      store?: never;
    };

export type SessionManagerOptions = SessionStoreSource & {
  /** How many of the newest messages a session keeps in memory. Default 200. */
  windowSize?: number;
  /** How many sessions stay in memory. Default 1000. */
  maxSessions?: number;
  /** About how many bytes of sessions stay in memory, one session at least. Default 64 MiB. */
  maxBytes?: number;
  /** Marks the conversations this manager makes; it lists and cleans up only those. Default `sessions`. */
  owner?: string;
  /** What new sessions are made with: storage policy, agent, project and the like. */
  defaults?: KeyedSessionOptions['defaults'];
  clock?: Clock;
  /** Told what fails while nobody waits: saving on eviction, a scheduled cleanup. Default: a process warning. */
  onError?(error: unknown, context: { during: 'eviction' | 'cleanup'; key?: string }): void;
};

export interface AddMessageOptions {
  /** When it was said, in milliseconds since 1970. Default: now. */
  timestamp?: number;
  /** Who said it, in a group. */
  author?: { id?: string; name: string };
}

export class SessionManager {
  readonly #options: SessionManagerOptions;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #cache: SessionCache;
  readonly #sessionOptions: KeyedSessionOptions;
  readonly #schedules = new Set<CleanupSchedule>();
  #store: Promise<ConversationStore> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: SessionManagerOptions) {
    if (!options?.store && typeof options?.open !== 'function') {
      throw new ContinuoError('invalid-input', {
        what: 'session manager',
        reason: 'it needs an open store, or a way to open one',
      });
    }
    const { windowSize = 200, maxSessions = 1000, maxBytes = 64 * 1024 * 1024 } = options;
    for (const [what, value] of Object.entries({ windowSize, maxSessions, maxBytes })) checkCount(what, value, 1);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#owner = options.owner ?? 'sessions';
    this.#cache = new SessionCache({ maxSessions, maxBytes }, (key, error) => this.#report(error, { during: 'eviction', key }));
    this.#sessionOptions = {
      store: () => this.#openStore(),
      clock: this.#clock,
      windowSize: Math.min(windowSize, mostMessages),
      owner: this.#owner,
      defaults: options.defaults ?? {},
    };
  }

  /** The session of the key; a new one where there is none. Asynchronous because it reads and, the first time, writes. */
  async getOrCreate(key: string): Promise<ChannelSession> {
    return this.#with(key, (session) => session.open());
  }

  /**
   * Adds a message and resolves when it is durable. Messages of one key are stored in the order of the calls, also when nobody
   * waits in between. A caller need not wait at all: a message that could not be written then rejects the next `save`.
   */
  addMessage(key: string, role: Role, content: string, options: AddMessageOptions = {}): Promise<void> {
    let entry: NewEntry;
    try {
      this.#check(key);
      const { timestamp: at = this.#clock(), author } = options;
      entry = validate('message', newEntrySchema, { kind: 'message', role, text: content, at, ...(author && { author }) });
    } catch (error) {
      return Promise.reject(error);
    }
    return unattended(this.#with(key, (session) => session.append(entry)));
  }

  /**
   * The last user and assistant messages, oldest first; system messages do not count. Sees every message added before, by this
   * process or another. Asynchronous because it asks the store for what is new; a key without a session has no messages.
   */
  async getMessages(key: string, maxMessages: number = defaultMaxMessages): Promise<ChatMessage[]> {
    checkCount('maxMessages', maxMessages, 0, mostMessages);
    return this.#with(key, (session) => session.recent(maxMessages));
  }

  /**
   * Makes changes of `metadata` and `activeSkill` durable. Resolves when every message added before is durable too, and rejects
   * with the first failure since the last save. Fields that another process changed and this session did not are kept.
   */
  async save(session: ChannelSession): Promise<void> {
    return this.#with(session.key, (keyed) => keyed.save(session));
  }

  /**
   * Empties the session for all who read it later. Nothing is lost: the text stays in the log, can be brought back with
   * {@link unclear}, and goes for good only when the conversation is purged.
   */
  clear(key: string): Promise<void> {
    try {
      this.#check(key);
    } catch (error) {
      return Promise.reject(error);
    }
    return unattended(this.#with(key, (session) => session.clear()));
  }

  /** Takes the newest `clear` back; false where none stands. */
  async unclear(key: string): Promise<boolean> {
    return this.#with(key, (session) => session.unclear());
  }

  /** Saves the session and drops it from memory. The next access reads it again. */
  async unload(key: string): Promise<void> {
    this.#check(key);
    const session = this.#cache.peek(key);
    if (!session) return;
    await session.save();
    this.#cache.drop(session);
  }

  /** The sessions in memory, least recently used first. `listSessions` gives all that are stored. */
  getAllSessions(): ChannelSession[] {
    return [...this.#cache.sessions()].flatMap(({ session }) => session ?? []);
  }

  /**
   * Puts the session into the trash; false where there is none. The key is free for a new session at once. The old one can be
   * restored by its conversation id during the store's grace period; it comes back without its key.
   */
  async delete(key: string): Promise<boolean> {
    return this.#with(key, (session) => session.delete());
  }

  /** Every stored session, newest activity first; one page of them where a query is given. */
  listSessions(): Promise<SessionSummary[]>;
  listSessions(query: SessionListQuery): Promise<Page<SessionSummary>>;
  async listSessions(query?: SessionListQuery): Promise<SessionSummary[] | Page<SessionSummary>> {
    this.#assertOpen();
    const store = await this.#openStore();
    return query ? listSessionPage(store, this.#owner, query) : listAllSessions(store, this.#owner);
  }

  /**
   * Puts sessions into the trash that were not active for `maxAge` milliseconds, and tells which and why. Pinned, leased and used
   * sessions stay, and so does every conversation this manager did not make. What went keeps its key until a new session needs it,
   * so that restoring it brings the session back whole.
   */
  async cleanup(maxAge: number, options: { dryRun?: boolean } = {}): Promise<CleanupReport> {
    const plan = await this.previewCleanup(maxAge);
    return options.dryRun ? plan : this.#carryOut(plan);
  }

  /** What {@link cleanup} would do now. */
  async previewCleanup(maxAge: number): Promise<CleanupReport> {
    this.#assertOpen();
    const usedAt = (key: string) => this.#usedAt(key);
    return planCleanup(await this.#openStore(), { owner: this.#owner, now: this.#clock(), maxAge, usedAt });
  }

  /** Cleans up again and again until it is stopped or the manager is closed. Removes only what the preview showed. */
  scheduleCleanup(options: CleanupScheduleOptions): CleanupSchedule {
    this.#assertOpen();
    checkCount('maxAge', Math.ceil(options.maxAge), 0);
    const run = async () => {
      const plan = await this.previewCleanup(options.maxAge);
      if ((await options.onPreview?.(plan)) === false) return undefined;
      const report = await this.#carryOut(plan);
      options.onDone?.(report);
      return report;
    };
    const schedule = scheduleRuns(options.every, run, (error) => this.#report(error, { during: 'cleanup' }));
    this.#schedules.add(schedule);
    return {
      run: schedule.run,
      stop: () => {
        this.#schedules.delete(schedule);
        return schedule.stop();
      },
    };
  }

  /** How full the memory is. */
  get cached(): { sessions: number; bytes: number } {
    return { sessions: this.#cache.size, bytes: this.#cache.bytes };
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** Waits for what is under way, saves every session and stops the schedules; closes the store if the manager opened it. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    forget(this);
    await Promise.all([...this.#schedules].map((schedule) => schedule.stop()));
    const saved = await Promise.allSettled([...this.#cache.sessions()].map((session) => session.save()));
    if (this.#options.open && this.#store) await (await this.#store).close();
    for (const outcome of saved) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #with<Result>(key: string, task: (session: KeyedSession) => Promise<Result>): Promise<Result> {
    this.#check(key);
    const session = this.#obtain(key);
    session.usedAt = this.#clock();
    try {
      return await task(session);
    } finally {
      this.#cache.settle(session);
    }
  }

  #obtain(key: string): KeyedSession {
    return this.#cache.obtain(key, () => new KeyedSession(key, this.#sessionOptions));
  }

  #carryOut(plan: CleanupReport): Promise<CleanupReport> {
    return carryOut(plan, async ({ key, id, updated_at }) => {
      if ((this.#usedAt(key) ?? 0) > plan.at) return false;
      const session = this.#obtain(key);
      try {
        return await session.trashUnused(id, updated_at);
      } finally {
        this.#cache.settle(session);
      }
    });
  }

  #usedAt(key: string): number | undefined {
    const session = this.#cache.peek(key);
    return session && (session.isBusy || session.isUnsaved) ? Number.POSITIVE_INFINITY : session?.usedAt;
  }

  #openStore(): Promise<ConversationStore> {
    const { store, open } = this.#options;
    if (store) return Promise.resolve(store);
    if (!this.#store) {
      this.#store = open();
      // A store that could not be opened may open the next time.
      this.#store.catch(() => {
        this.#store = undefined;
      });
    }
    return this.#store;
  }

  #report(error: unknown, context: { during: 'eviction' | 'cleanup'; key?: string }): void {
    if (this.#options.onError) this.#options.onError(error, context);
    else process.emitWarning(`Session ${context.during} failed: ${error instanceof Error ? error.message : String(error)}`);
  }

  #check(key: string): void {
    this.#assertOpen();
    checkSessionKey(key);
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new ContinuoError('store-closed');
  }
}

const managers = new Map<unknown, SessionManager>();

/**
 * The one manager of a place: of the same store, home or `open` function it is always the same, made with the options of the first
 * call. Without options it is the one made first.
 */
export function getSessionManager(options?: SessionManagerOptions): SessionManager {
  const home = options?.home === undefined ? undefined : resolve(options.home);
  const place = options ? (options.store ?? home ?? options.open) : [...managers.keys()][0];
  const known = managers.get(place);
  if (known) return known;
  if (!options) throw new ContinuoError('invalid-input', { what: 'session manager', reason: 'no store was given yet' });
  const manager = new SessionManager(options);
  managers.set(place, manager);
  return manager;
}

function forget(manager: SessionManager): void {
  for (const [place, known] of managers) if (known === manager) managers.delete(place);
}

/** The same promise, for callers who may drop it: its failure is told by `save` as well. */
function unattended<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

function checkCount(what: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new ContinuoError('invalid-input', { what, reason: `it must be a whole number from ${least} to ${most}` });
}
