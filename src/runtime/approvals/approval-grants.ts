// What a person has allowed with "and do not ask again": for one conversation or for the whole session, for ever or for a while.
// Invariant: a grant counts only if it is still kept at the moment of use and its time is not over. What can be stored is read
// again at every use, so that a revocation by another process counts at once; the rest is kept in memory and ends with the session.
import { type Clock, systemClock } from '../../base/clock.ts';
import { createUlid } from '../../base/id.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import { allows, type Words } from './approval-rule.ts';

const defaultSweepInterval = 60_000;

export interface CommandKey {
  /** Words from the general to the particular. */
  path: string[];
  /** For these words alone, not for what begins with them. */
  exact?: boolean;
  /** The one conversation it is for; absent for the whole session. */
  conversation?: ConversationId;
  /** When it ends, in milliseconds since 1970; absent for never. */
  expiresAt?: number;
}

export interface Grant {
  id: string;
  key: CommandKey;
  createdAt: number;
  /** The conversation that keeps it: its own, or the root of the session it was given to. */
  heldBy: ConversationId;
}

/** Keeps grants with the conversation that holds them. */
export interface GrantStore {
  load(conversationId: ConversationId): Promise<Grant[]>;
  /** False where the conversation's policy does not let anything be kept. */
  save(conversationId: ConversationId, grant: Grant): Promise<boolean>;
  /** False where there was no such grant. */
  remove(conversationId: ConversationId, grantId: string): Promise<boolean>;
}

export interface ApprovalGrantsOptions {
  /** The conversation that holds what was allowed for the whole session. */
  root: ConversationId;
  /** Without one everything ends with the session. */
  store?: GrantStore;
  clock?: Clock;
  /** Milliseconds between two clearings of what has expired. Default one minute. */
  sweepInterval?: number;
  /** Told when the sweep, or keeping a grant, failed. The grant counts until the session ends. */
  onProblem?: (error: unknown) => void;
}

export class ApprovalGrants {
  readonly #root: ConversationId;
  readonly #store: GrantStore | undefined;
  readonly #clock: Clock;
  readonly #onProblem: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Grants that are kept nowhere else. */
  readonly #unstored = new Map<string, Grant>();
  /** Conversations of this session that may hold grants. */
  readonly #holders: Set<ConversationId>;

  constructor(options: ApprovalGrantsOptions) {
    this.#root = options.root;
    this.#store = options.store;
    this.#clock = options.clock ?? systemClock;
    this.#onProblem = options.onProblem ?? (() => {});
    this.#holders = new Set([options.root]);
    this.#timer = setInterval(() => {
      this.sweep().catch(this.#onProblem);
    }, options.sweepInterval ?? defaultSweepInterval);
    this.#timer.unref();
  }

  async grant(key: CommandKey): Promise<Grant> {
    if (key.path.length === 0) {
      throw new ContinuoError('invalid-input', { what: 'approval rule', reason: 'it must have at least one word' });
    }
    const now = this.#clock();
    const grant: Grant = { id: `apv_${createUlid(now)}`, key, createdAt: now, heldBy: key.conversation ?? this.#root };
    this.#holders.add(grant.heldBy);
    if (!(await this.#save(grant))) this.#unstored.set(grant.id, grant);
    return grant;
  }

  /** The grant that allows the need in this conversation at this moment, if there is one. */
  async check(need: Words, conversationId: ConversationId, now: number = this.#clock()): Promise<Grant | undefined> {
    this.#holders.add(conversationId);
    const holders = new Set([conversationId, this.#root]);
    const kept = await Promise.all([...holders].map((holder) => this.#load(holder)));
    const usable = (grant: Grant) =>
      this.#isFor(grant, conversationId) && !hasExpired(grant, now) && allows(grant.key.path, need, grant.key.exact);
    return [...kept.flat(), ...this.#unstored.values()].find(usable);
  }

  /** Every grant of the conversations of this session that still counts, oldest first. */
  async list(now: number = this.#clock()): Promise<Grant[]> {
    const kept = await Promise.all([...this.#holders].map((holder) => this.#load(holder)));
    const grants = [...kept.flat(), ...this.#unstored.values()].filter((grant) => !hasExpired(grant, now));
    return grants.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  }

  /** `approval-not-found` where no conversation of this session has it. */
  async revoke(id: string): Promise<void> {
    if (this.#unstored.delete(id)) return;
    for (const holder of this.#holders) {
      if (await this.#store?.remove(holder, id)) return;
    }
    throw new ContinuoError('approval-not-found', { id });
  }

  /** Clears away what has expired; it did not count any more. Returns how many. */
  async sweep(now: number = this.#clock()): Promise<number> {
    let swept = 0;
    for (const grant of this.#unstored.values()) {
      if (hasExpired(grant, now) && this.#unstored.delete(grant.id)) swept += 1;
    }
    for (const holder of this.#holders) {
      const expired = (await this.#load(holder)).filter((grant) => hasExpired(grant, now));
      for (const grant of expired) if (await this.#store?.remove(holder, grant.id)) swept += 1;
    }
    return swept;
  }

  /** A conversation was closed: what it alone was allowed and is kept in memory only, ends. */
  forget(conversationId: ConversationId): void {
    if (conversationId === this.#root) return;
    this.#holders.delete(conversationId);
    for (const grant of this.#unstored.values()) if (grant.heldBy === conversationId) this.#unstored.delete(grant.id);
  }

  /** Ends the sweeping. What is stored stays. */
  close(): void {
    clearInterval(this.#timer);
    this.#unstored.clear();
  }

  async #save(grant: Grant): Promise<boolean> {
    try {
      return (await this.#store?.save(grant.heldBy, grant)) ?? false;
    } catch (error) {
      this.#onProblem(error);
      return false;
    }
  }

  async #load(holder: ConversationId): Promise<Grant[]> {
    return (await this.#store?.load(holder)) ?? [];
  }

  /** What another session was allowed counts for its own conversations only, although one of them is open here. */
  #isFor({ key, heldBy }: Grant, conversationId: ConversationId): boolean {
    return key.conversation === undefined ? heldBy === this.#root : key.conversation === conversationId;
  }
}

/** Whether the grant's time is over at the moment. */
export function hasExpired({ key }: Grant, now: number): boolean {
  return key.expiresAt !== undefined && !(key.expiresAt > now);
}
