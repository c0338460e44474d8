// The one conversation of the store that a team's session is kept in. Made with the first word; held for writing while the session is
// open. What it gives back is what the store holds: masked where the gate masked.

import type { Clock } from '../base/clock.ts';
import { createUlid } from '../base/id.ts';
import type { JsonObject } from '../base/json.ts';
import type { NewConversation } from '../model/conversation.ts';
import type { Entry, NewEntry } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';
import type { StoragePolicy } from '../model/storage-policy.ts';
import { recoverDraft } from '../runtime/recover-interrupted.ts';
import type { ConversationMessage, SessionContext } from '../snapshot/session-snapshot.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { Lease } from '../store/lease.ts';
import { buildEntry, readMessage, type Saying, sessionKey, taskEvent } from './team-log.ts';

export interface SessionLogOptions {
  store: ConversationStore;
  clock: Clock;
  sessionId: string;
  /** What a new conversation is made with. */
  create: () => Promise<NewConversation>;
  /** How long to wait for another writer, in milliseconds. */
  waitForWriter?: number;
  owner: string;
}

export interface Recorded {
  message: ConversationMessage;
  /** As it is stored; undefined where none was set. */
  teamTask: string | undefined;
}

const largestBatch = 500;

export class SessionLog {
  readonly #options: SessionLogOptions;
  #id: ConversationId | undefined;
  #lease: Lease | undefined;
  #opening: Promise<ConversationId> | undefined;
  #lastSeq = 0;
  #policy: StoragePolicy | undefined;

  constructor(options: SessionLogOptions) {
    this.#options = options;
  }

  get conversationId(): ConversationId | undefined {
    return this.#id;
  }

  /** The position of the newest entry that is known here. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Whether the words are kept for good: only then may a file beside the store hold them. */
  get keepsWords(): boolean {
    return this.#policy === undefined || this.#policy.kind === 'full';
  }

  get policy(): StoragePolicy | undefined {
    return this.#policy;
  }

  /** Aborted when somebody else became the writer. */
  get lost(): AbortSignal | undefined {
    return this.#lease?.lost;
  }

  /** Takes up a stored conversation. What a process that died was saying is brought into the log first. */
  async open(id: ConversationId): Promise<void> {
    const { store, owner, waitForWriter } = this.#options;
    this.#lease = await store.acquireLease(id, { owner, ...(waitForWriter !== undefined && { wait: waitForWriter }) });
    await recoverDraft(store, id);
    const { policy, lastSeq } = await store.get(id);
    this.#id = id;
    this.#policy = policy;
    this.#lastSeq = lastSeq;
  }

  /** Makes the saying durable, with the task it sets, in one step. */
  async record(saying: Saying, teamTask: string | undefined, options: { endsDraft?: boolean } = {}): Promise<Recorded> {
    const entries: NewEntry[] = [];
    if (teamTask !== undefined) entries.push(this.#buildTask(teamTask, saying.speaker.id, saying.turnId));
    const entry = buildEntry(saying);
    entries.push(entry);
    const stored = await this.#append(entries, options);
    const kept = stored.find((each) => each.kind === 'message');
    return { message: (kept && readMessage(kept)) ?? this.#unkept(entry, saying), teamTask: storedTask(stored) ?? teamTask };
  }

  async recordEvent(entry: Extract<NewEntry, { kind: 'event' }>): Promise<void> {
    await this.#append([entry], {});
  }

  async recordDraft(saying: Saying): Promise<void> {
    const id = this.#id;
    if (id !== undefined) await this.#options.store.putDraft(id, { ...buildEntry(saying), interrupted: true });
  }

  async endDraft(): Promise<void> {
    const id = this.#id;
    if (id !== undefined && this.keepsWords) await this.#options.store.append(id, [], { endsDraft: true });
  }

  /** Brings in what was said elsewhere, and gives it as it is stored: masked where the gate masks. */
  async adopt(messages: readonly ConversationMessage[], teamTask: string | null): Promise<SessionContext> {
    const adopted: ConversationMessage[] = [];
    for (let first = 0; first < messages.length; first += largestBatch) {
      const batch = messages.slice(first, first + largestBatch).map(toEntry);
      for (const entry of await this.#append(batch, {}))
        adopted.push(...[readMessage(entry)].filter((message) => message !== undefined));
    }
    return { messages: adopted, teamTask: teamTask === null ? null : await this.#recordTask(teamTask, 'snapshot') };
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await this.#lease?.release();
    this.#lease = undefined;
  }

  async #append(entries: readonly NewEntry[], options: { endsDraft?: boolean }): Promise<Entry[]> {
    const id = this.#id ?? (await this.#create());
    const { entries: stored } = await this.#options.store.append(id, entries, options);
    this.#lastSeq = stored.at(-1)?.seq ?? this.#lastSeq;
    return stored;
  }

  async #recordTask(teamTask: string, by: string): Promise<string> {
    return storedTask(await this.#append([this.#buildTask(teamTask, by, undefined)], {})) ?? teamTask;
  }

  #create(): Promise<ConversationId> {
    this.#opening ??= (async () => {
      const { store, create, sessionId } = this.#options;
      const { id } = await store.create({ ...(await create()), key: sessionKey(sessionId) });
      await this.open(id);
      return id;
    })();
    return this.#opening;
  }

  #buildTask(text: string, by: string, turnId: string | undefined): NewEntry {
    const meta: JsonObject = { team: { by } };
    return { kind: 'event', name: taskEvent, text, meta, ...(turnId !== undefined && { turnId }) };
  }

  /** Where the policy keeps no words, the team knows them for as long as it sits together. */
  #unkept(entry: NewEntry, { speaker, next = [], interrupted }: Saying): ConversationMessage {
    const now = this.#options.clock();
    return {
      id: `msg_${createUlid(now)}`,
      timestamp: new Date(now).toISOString(),
      speaker,
      content: 'text' in entry ? entry.text : '',
      ...(next.length > 0 && { routing: { next: [...next] } }),
      ...(interrupted && { interrupted: true }),
    };
  }
}

/** Undefined where the policy keeps no words: then the team knows the task for as long as it sits together. */
function storedTask(stored: readonly Entry[]): string | undefined {
  const task = stored.find((each) => each.kind === 'event');
  return task?.kind === 'event' && task.withheld === undefined && task.text !== '' ? task.text : undefined;
}

function toEntry({ speaker, content, timestamp, interrupted, routing }: ConversationMessage): NewEntry {
  const at = Date.parse(timestamp);
  const next = Array.isArray(routing?.next) ? routing.next.filter((id): id is string => typeof id === 'string') : [];
  return buildEntry({ speaker, text: content, next, ...(at >= 0 && { at }), ...(interrupted && { interrupted }) });
}
