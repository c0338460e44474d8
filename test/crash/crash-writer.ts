// A process that lives to be killed: it tells what it finds in the store, then writes with one or many writers and tells every
// acknowledgement the moment it has it. Metadata changes are announced before they are made, since the kill may fall in between.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation } from '../../src/model/conversation.ts';
import type { Entry, NewEntry } from '../../src/model/entry.ts';
import type { ConversationId } from '../../src/model/id.ts';
import type { Problem, VerifyReport } from '../../src/model/ports/store-driver.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { childInput, tell } from '../support/child-side.ts';
import { createSeededRandom, type SeededRandom } from '../support/seeded-random.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';
import { buildText, digest, parseMark } from './entry-mark.ts';

export interface CrashInput {
  subject: SubjectName;
  folder: string;
  seed: number;
  round: number;
  /** 0 only looks. */
  writers: number;
}

/** One entry as found: its id, the digest of its text (null where a policy took it away) and who wrote it. */
export type FoundEntry = [id: string, digest: string | null, mark: ReturnType<typeof parseMark>];

export type CrashLine =
  | { tells: 'found'; conversation: Conversation; entries: FoundEntry[] }
  | { tells: 'verified'; report: VerifyReport; met: Problem[] }
  | { tells: 'appended'; writer: number; entries: [id: string, digest: string, counter: number][] }
  | { tells: 'created'; conversation: Conversation }
  | { tells: 'intent' | 'done'; id: ConversationId; change: Change };

export type Change = { title: string } | { tag: string } | { trashed: boolean } | { purged: true };

const pooled = 4;
const ttl = 40;

const input = childInput<CrashInput>();
const met: Problem[] = [];
const store = await openSubject(input.subject, input.folder, { redactor: false, onProblem: (problem) => met.push(problem) });

async function main(): Promise<void> {
  await tellFindings();
  if (input.writers > 0) {
    const pool: Conversation[] = [];
    for (let i = 0; i < pooled; i++) pool.push(await findOrCreate(`pool-${i}`));
    await Promise.all(Array.from({ length: input.writers }, (_, writer) => new Writer(store, pool, writer).run()));
  }
  await store.close();
}

async function tellFindings(): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ trash: 'include', limit: 200, ...(cursor !== undefined && { cursor }) });
    for (const conversation of page.items) {
      const entries: FoundEntry[] = [];
      for await (const entry of store.readAll(conversation.id)) entries.push(describeEntry(entry));
      tell({ tells: 'found', conversation, entries } satisfies CrashLine);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  tell({ tells: 'verified', report: await store.verify(), met } satisfies CrashLine);
}

function describeEntry(entry: Entry): FoundEntry {
  const text = 'text' in entry ? entry.text : '';
  return entry.withheld ? [entry.id, null, undefined] : [entry.id, digest(text), parseMark(text)];
}

async function findOrCreate(key: string, more: Parameters<ConversationStore['create']>[0] = {}): Promise<Conversation> {
  const found = await store.find(key);
  if (found) return found;
  const conversation = await store.create({ key, ...more });
  tell({ tells: 'created', conversation } satisfies CrashLine);
  return conversation;
}

class Writer {
  readonly #store: ConversationStore;
  readonly #pool: Conversation[];
  readonly #number: number;
  readonly #random: SeededRandom;
  #counter = 0;
  #forks: { id: ConversationId; trashed: boolean }[] = [];

  constructor(target: ConversationStore, pool: Conversation[], number: number) {
    this.#store = target;
    this.#pool = pool;
    this.#number = number;
    this.#random = createSeededRandom(input.seed * 1000 + input.round * 17 + number);
  }

  async run(): Promise<void> {
    const own = await findOrCreate(`own-${this.#number}`);
    const afterwards = this.#random.pick(['delete', 'headers-only'] as const);
    const fleeting = await findOrCreate(`fleeting-${this.#number}`, {
      policy: { kind: 'ttl', milliseconds: ttl, afterwards },
    });
    for (;;) await this.#step(own, fleeting);
  }

  async #step(own: Conversation, fleeting: Conversation): Promise<void> {
    const random = this.#random;
    const { id } = random.pick(this.#pool);
    const dice = random();
    if (dice < 0.6) await this.#append(id, 1);
    else if (dice < 0.7) await this.#append(id, random.between(2, 20));
    else if (dice < 0.76) await this.#pipeline(id);
    else if (dice < 0.82) await this.#append(random.chance(0.5) ? own.id : fleeting.id, 1);
    else if (dice < 0.87) await this.#rename(own.id);
    else if (dice < 0.91) await this.#tag(own.id);
    else if (dice < 0.94) await this.#fork(id);
    else if (dice < 0.97) await this.#toggleTrash();
    else if (dice < 0.98) await this.#purge();
    else if (dice < 0.988) await this.#store.sweep();
    else if (dice < 0.992) await this.#compress();
    else await sleep(random.between(0, 10));
  }

  async #append(id: ConversationId, count: number): Promise<void> {
    const first = this.#counter + 1;
    const entries = Array.from({ length: count }, () => this.#say(count, first));
    this.#acknowledge(await this.#store.append(id, entries));
  }

  /** Calls that do not wait for each other; their order is still the order of the calls. */
  async #pipeline(id: ConversationId): Promise<void> {
    const calls = Array.from({ length: 6 }, () => this.#store.append(id, this.#say(1, this.#counter + 1)));
    for (const call of calls) this.#acknowledge(await call);
  }

  #say(size: number, first: number): NewEntry {
    const mark = { round: input.round, writer: this.#number, counter: ++this.#counter, first, size };
    return { kind: 'message', role: 'user', text: buildText(mark, this.#random) };
  }

  #acknowledge({ entries }: { entries: Entry[] }): void {
    const told = entries.map((entry): [string, string, number] => {
      const text = (entry as { text: string }).text;
      return [entry.id, digest(text), parseMark(text)?.counter as number];
    });
    tell({ tells: 'appended', writer: this.#number, entries: told } satisfies CrashLine);
  }

  #rename(id: ConversationId): Promise<void> {
    const title = `title ${input.round}.${this.#number}.${this.#random.between(0, 1e6)}`;
    return this.#change(id, { title }, () => this.#store.rename(id, title));
  }

  #tag(id: ConversationId): Promise<void> {
    const tag = `tag-${this.#random.between(0, 40)}`;
    return this.#change(id, { tag }, () => this.#store.tag(id, { add: [tag] }));
  }

  async #fork(id: ConversationId): Promise<void> {
    const { lastSeq } = await this.#store.get(id);
    const fork = await this.#store.fork(id, { at: this.#random.between(0, Math.min(lastSeq, 50) + 1) });
    tell({ tells: 'created', conversation: fork } satisfies CrashLine);
    this.#forks.push({ id: fork.id, trashed: false });
    await this.#append(fork.id, 2);
  }

  async #toggleTrash(): Promise<void> {
    const fork = this.#forks.length > 0 && this.#random.pick(this.#forks);
    if (!fork) return;
    const trashed = !fork.trashed;
    await this.#change(fork.id, { trashed }, () => (trashed ? this.#store.trash(fork.id) : this.#store.restore(fork.id)));
    fork.trashed = trashed;
  }

  async #purge(): Promise<void> {
    const fork = this.#forks.find((each) => each.trashed);
    if (!fork) return;
    await this.#change(fork.id, { purged: true }, () => this.#store.purge(fork.id));
    this.#forks = this.#forks.filter((each) => each !== fork);
  }

  async #compress(): Promise<void> {
    if (input.subject.startsWith('sqlite')) await this.#store.compressCold(Date.now());
  }

  async #change(id: ConversationId, change: Change, act: () => Promise<unknown>): Promise<void> {
    tell({ tells: 'intent', id, change } satisfies CrashLine);
    await act();
    tell({ tells: 'done', id, change } satisfies CrashLine);
  }
}

await main();
