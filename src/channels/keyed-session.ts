// Everything that is asked of one key, done in the order it was asked. Messages that wait together are written with one append.
// Invariant: nothing is kept here alone. What is shown comes from the log, and what was changed is known to be unsaved.
import type { Clock } from '../base/clock.ts';
import type { Conversation, NewConversation } from '../model/conversation.ts';
import type { NewEntry } from '../model/entry.ts';
import { ContinuoError, isContinuoError } from '../model/error.ts';
import { type ConversationId, isConversationId } from '../model/id.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { ChannelSession, ChatMessage } from './channel-session.ts';
import { formatState, isSameState, lastActivity, mergeStates, ownerMark, parseState } from './session-state.ts';
import { baseState, notedState, noteState, type Opened, openView, putState } from './session-view.ts';
import { SessionWindow } from './session-window.ts';
import { StepQueue } from './step-queue.ts';
import { clearedLabel, clearUndoneLabel, findClearMark } from './visible-entries.ts';

/** How often a race with another process is run again before it is reported. */
const maxAttempts = 10;

export interface KeyedSessionOptions {
  store(): Promise<ConversationStore>;
  clock: Clock;
  windowSize: number;
  /** Goes into the mark of conversations made here. */
  owner: string;
  /** What new conversations are made with. */
  defaults: Omit<NewConversation, 'key' | 'meta' | 'createdAt'>;
}

export class KeyedSession {
  readonly key: string;
  /** When a caller last asked for anything. */
  usedAt: number;
  readonly #options: KeyedSessionOptions;
  readonly #steps = new StepQueue<NewEntry>((entries) => this.#noting(() => this.#appendAll(entries)));
  #opened: Opened | undefined;
  /** The first message since the last save that could not be written: callers who did not wait for it learn it from `save`. */
  #failure: { error: unknown } | undefined;

  constructor(key: string, options: KeyedSessionOptions) {
    this.key = key;
    this.usedAt = options.clock();
    this.#options = options;
  }

  /** Whether something asked for is not done yet. */
  get isBusy(): boolean {
    return this.#steps.isBusy;
  }

  /** Whether dropping it now would lose a change or hide a failure. */
  get isUnsaved(): boolean {
    const session = this.#opened?.session;
    return this.#failure !== undefined || (session !== undefined && !isSameState(session, notedState(session)));
  }

  /** The caller's view where the conversation has been looked up already. */
  get session(): ChannelSession | undefined {
    return this.#opened?.session;
  }

  /** About how much memory it takes. */
  get bytes(): number {
    const own = 500 + 2 * this.key.length;
    return this.#opened ? own + this.#opened.window.bytes + 2 * JSON.stringify(this.#opened.stored).length : own;
  }

  open(): Promise<ChannelSession> {
    return this.#steps.run(async () => (await this.#openOrCreate()).session);
  }

  append(entry: NewEntry): Promise<void> {
    return this.#steps.write(entry);
  }

  recent(count: number): Promise<ChatMessage[]> {
    return this.#steps.run(async () => {
      const opened = await this.#openExisting();
      if (!opened) return [];
      const messages = await opened.window.recent(await this.#options.store(), opened.conversation.id, count);
      const oldest = this.#oldestKept(opened.conversation);
      return messages.filter((message) => message.timestamp >= oldest);
    });
  }

  /** Writes what the caller changed in this session (default: in the one handed out last), then reports earlier failures. */
  save(session?: ChannelSession): Promise<void> {
    return this.#steps.run(async () => {
      const opened = session ? await this.#openOrCreate() : this.#opened;
      if (opened) await this.#saveState(opened, session ?? opened.session);
      const failure = this.#failure;
      this.#failure = undefined;
      if (failure) throw failure.error;
    });
  }

  clear(): Promise<void> {
    const write = async () => {
      if (await this.#openExisting()) await this.#appendAll([clearedLabel]);
    };
    return this.#steps.run(() => this.#noting(write));
  }

  unclear(): Promise<boolean> {
    return this.#steps.run(async () => {
      const store = await this.#options.store();
      for (let attempt = 1; ; attempt++) {
        const opened = await this.#openExisting();
        if (!opened) return false;
        const { id, lastSeq } = opened.conversation;
        if ((await findClearMark(store, id, lastSeq + 1)) === undefined) return false;
        try {
          await store.append(id, clearUndoneLabel, { expectedSeq: lastSeq });
        } catch (error) {
          if (isContinuoError(error, 'seq-conflict') && attempt < maxAttempts) continue;
          throw error;
        }
        opened.window = await SessionWindow.load(store, id, lastSeq + 1, this.#options.windowSize);
        return true;
      }
    });
  }

  /** Puts the conversation into the trash and gives its key up. */
  delete(): Promise<boolean> {
    return this.#steps.run(async () => {
      const found = await this.#find();
      this.#opened = undefined;
      this.#failure = undefined;
      if (!found || found.trashedAt !== undefined) return false;
      const store = await this.#options.store();
      await store.trash(found.id, { releaseKey: true });
      return true;
    });
  }

  /** Puts the conversation into the trash unless it was used or pinned since; it keeps its key until somebody needs it. */
  trashUnused(id: ConversationId, updatedAt: number): Promise<boolean> {
    return this.#steps.run(async () => {
      const store = await this.#options.store();
      const found = await store.find(id);
      if (!found || found.trashedAt !== undefined || found.pinned || this.isUnsaved) return false;
      if (lastActivity(found) > updatedAt || (await store.findLease(id))) return false;
      const trashed = await store.trash(id);
      if (trashed.lastSeq === found.lastSeq) {
        this.#opened = undefined;
        return true;
      }
      // Somebody wrote between the look and the trashing.
      await store.restore(id);
      return false;
    });
  }

  async #appendAll(entries: readonly NewEntry[]): Promise<void> {
    const store = await this.#options.store();
    for (let attempt = 1; ; attempt++) {
      const { conversation, window } = this.#opened ?? (await this.#openOrCreate());
      try {
        const stored = (await store.append(conversation.id, entries)).entries;
        for (const { at } of stored) conversation.activeAt = Math.max(conversation.activeAt, at);
        if (!window.extend(stored)) await this.#refresh().catch(() => undefined);
        return;
      } catch (error) {
        // Another process deleted the session meanwhile: what is said now begins the next one.
        const isGone = isContinuoError(error, 'conversation-trashed') || isContinuoError(error, 'conversation-not-found');
        if (!isGone || attempt >= maxAttempts) throw error;
        this.#opened = undefined;
      }
    }
  }

  /** The window after a foreign append. Its own failure does not matter: the next access looks again. */
  async #refresh(): Promise<void> {
    const opened = this.#opened;
    if (opened) await this.#follow(opened, await (await this.#options.store()).get(opened.conversation.id));
  }

  async #openOrCreate(): Promise<Opened> {
    const store = await this.#options.store();
    for (let attempt = 1; ; attempt++) {
      const found = await this.#find();
      if (found && found.trashedAt === undefined) return this.#enter(found);
      if (found) await store.trash(found.id, { releaseKey: true });
      const { owner, defaults } = this.#options;
      try {
        return await this.#enter(await store.create({ ...defaults, key: this.key, meta: ownerMark(owner) }));
      } catch (error) {
        if (!isContinuoError(error, 'key-taken') || attempt >= maxAttempts) throw error;
      }
    }
  }

  async #openExisting(): Promise<Opened | undefined> {
    const found = await this.#find();
    if (found && found.trashedAt === undefined) return this.#enter(found);
    this.#opened = undefined;
    return undefined;
  }

  async #find(): Promise<Conversation | undefined> {
    const store = await this.#options.store();
    if (!isConversationId(this.key)) return store.find(this.key);
    // A key that looks like an id would find somebody else's conversation.
    return (await store.list({ key: this.key, trash: 'include', limit: 1 })).items[0];
  }

  async #enter(conversation: Conversation): Promise<Opened> {
    if (this.#opened?.conversation.id === conversation.id) {
      await this.#follow(this.#opened, conversation);
      return this.#opened;
    }
    const store = await this.#options.store();
    const window = await SessionWindow.load(store, conversation.id, conversation.lastSeq, this.#options.windowSize);
    const opened = openView({ key: this.key, conversation, window, stored: parseState(conversation) });
    window.forgetBefore(this.#oldestKept(conversation));
    this.#opened = opened;
    return opened;
  }

  /** Takes over what other processes appended and saved. */
  async #follow(opened: Opened, conversation: Conversation): Promise<void> {
    const { session, window } = opened;
    if (conversation.lastSeq > window.lastSeq) {
      const store = await this.#options.store();
      const canContinue = await window.catchUp(store, conversation.id, conversation.lastSeq);
      const size = this.#options.windowSize;
      if (!canContinue) opened.window = await SessionWindow.load(store, conversation.id, conversation.lastSeq, size);
    }
    const state = parseState(conversation);
    if (!isSameState(state, opened.stored)) {
      putState(session, mergeStates(notedState(session), session, state));
      noteState(session, conversation.id, state);
      opened.stored = state;
    }
    opened.conversation = conversation;
    opened.window.forgetBefore(this.#oldestKept(conversation));
  }

  async #saveState(opened: Opened, session: ChannelSession): Promise<void> {
    if (typeof session.metadata !== 'object' || session.metadata === null) {
      throw new ContinuoError('invalid-input', { what: 'session', reason: 'metadata must be an object' });
    }
    const base = baseState(session, opened);
    if (isSameState(session, base)) return;
    const store = await this.#options.store();
    const { id } = opened.conversation;
    const { meta } = await this.#getOpened(store, id);
    const theirs = parseState({ ...opened.conversation, meta });
    const merged = mergeStates(base, session, theirs);
    const saved = await store.mergeMeta(id, formatState(meta, merged, this.#options.clock()));
    noteState(session, id, session);
    // What the store masked stays readable for the caller who set it, and does not count as a change made elsewhere.
    if (session === opened.session) opened.stored = parseState(saved);
    await this.#follow(opened, saved);
  }

  /** One that was purged elsewhere is let go, or its changes would never be done with; the failure is the caller's to hear. */
  async #getOpened(store: ConversationStore, id: ConversationId): Promise<Conversation> {
    const found = await store.find(id);
    if (found) return found;
    this.#opened = undefined;
    throw new ContinuoError('conversation-not-found', { id });
  }

  /** Under a ttl policy, text whose time is up is not shown although no sweep has taken it away yet. */
  #oldestKept({ policy }: Conversation): number {
    return policy.kind === 'ttl' ? this.#options.clock() - policy.milliseconds : 0;
  }

  /** Remembers a failure for the next `save`: the caller may not be waiting for the write itself. */
  async #noting(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}
