// Damages copies of a store one case after the other, opens each as a user would, and tells what came of it. Says which case it
// begins, so that a crash or a hang names its cause.
import { closeSync, cpSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Conversation } from '../../src/model/conversation.ts';
import { ContinuoError } from '../../src/model/error.ts';
import type { ConversationId } from '../../src/model/id.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { childInput, tell } from '../support/child-side.ts';
import { openSubject } from '../support/store-subjects.ts';
import type { DamageCase, DamageInput, DamageLine, Original } from './damage-case.ts';

const input = childInput<DamageInput>();
const cases = JSON.parse(readFileSync(input.cases, 'utf8')) as DamageCase[];
const original = JSON.parse(readFileSync(input.original, 'utf8')) as Original;

async function main(): Promise<void> {
  for (const [i, damage] of cases.entries()) {
    tell({ begins: i } satisfies DamageLine);
    rmSync(input.work, { recursive: true, force: true });
    cpSync(input.pristine, input.work, { recursive: true });
    inflict(damage);
    const trial = new Trial();
    await trial.run();
    tell({ ends: i, ...trial.outcome() } satisfies DamageLine);
  }
}

function inflict(damage: DamageCase): void {
  const path = join(input.work, damage.file);
  if ('length' in damage) {
    truncateSync(path, damage.length);
    return;
  }
  const bytes = readFileSync(join(input.pristine, damage.file));
  const changed = Buffer.from([(bytes[damage.offset] as number) ^ damage.mask]);
  const file = openSync(path, 'r+');
  writeSync(file, changed, 0, 1, damage.offset);
  closeSync(file);
}

class Trial {
  readonly #faults: string[] = [];
  readonly #reports: string[] = [];
  readonly #missing: string[] = [];
  #isPrefix = true;

  async run(): Promise<void> {
    const onProblem = (problem: { code: string }) => this.#reports.push(problem.code);
    const store = await this.#attempt('open', () => openSubject(input.subject, input.work, { redactor: false, onProblem }));
    if (!store) {
      this.#missing.push('everything');
      return;
    }
    const listed = await this.#attempt('list', () => listAll(store));
    if (!listed) this.#missing.push('the list');
    for (const conversation of listed ?? []) this.#compareConversation(conversation);
    for (const { id, states, entries, drafts } of original.conversations) {
      if (listed && !listed.some((conversation) => conversation.id === id)) this.#missing.push(`${id} in the list`);
      await this.#compareEntries(store, id as ConversationId, states, entries);
      await this.#compareDraft(store, id as ConversationId, drafts);
    }
    const report = await this.#attempt('verify', () => store.verify());
    for (const problem of report?.problems ?? []) this.#reports.push(problem.code);
    for (const { id } of original.conversations) await this.#goOn(store, id as ConversationId);
    await this.#attempt('close', () => store.close());
  }

  outcome() {
    return { faults: this.#faults, reports: [...new Set(this.#reports)], missing: this.#missing, isPrefix: this.#isPrefix };
  }

  #compareConversation(conversation: Conversation): void {
    const states = original.conversations.find((each) => each.id === conversation.id)?.states;
    if (!states) this.#faults.push(`there is a conversation ${conversation.id} that nobody made`);
    else if (!states.some((state) => ownData(state) === ownData(conversation))) {
      this.#faults.push(`conversation ${conversation.id} is not what it was: ${ownData(conversation)}`);
    }
  }

  async #compareEntries(store: ConversationStore, id: ConversationId, states: Conversation[], entries: string[]): Promise<void> {
    const conversation = await this.#attempt('get', () => store.find(id));
    if (conversation) this.#compareConversation(conversation);
    const lastSeq = states.at(-1)?.lastSeq;
    if (conversation?.lastSeq !== lastSeq) this.#missing.push(`${id} lastSeq ${conversation?.lastSeq} of ${lastSeq}`);
    const read = await this.#attempt('read', () => readEverything(store, id));
    const tail = await this.#attempt('tail', () => store.tail(id, 10));
    for (const entry of [...(read ?? []), ...(tail ?? [])]) {
      const [expected, found] = [entries[entry.seq - 1], JSON.stringify(entry)];
      if (expected !== found) this.#faults.push(`entry ${entry.seq} of ${id} was ${expected} and reads ${found}`);
    }
    if (read?.length !== entries.length) this.#missing.push(`${id} has ${read?.length} of ${entries.length} entries`);
    if (!read?.every((entry, i) => entry.seq === i + 1)) this.#isPrefix = false;
    if (read && new Set(read.map((entry) => entry.seq)).size !== read.length) this.#faults.push(`${id} has an entry twice`);
  }

  async #compareDraft(store: ConversationStore, id: ConversationId, versions: string[]): Promise<void> {
    const found = JSON.stringify(await this.#attempt('findDraft', () => store.findDraft(id)));
    if (found !== undefined && !versions.includes(found)) this.#faults.push(`the draft of ${id} reads ${found}`);
    if (found !== versions.at(-1)) this.#missing.push(`the draft of ${id}`);
  }

  /** Damage is no reason to stop: what can be appended is there afterwards, and what cannot is refused with a reason. */
  async #goOn(store: ConversationStore, id: ConversationId): Promise<void> {
    const said = { kind: 'message', role: 'user', text: 'said after the damage' } as const;
    const reports = [...this.#reports];
    const result = await this.#attempt('append', () => store.append(id, said));
    const entry = result?.entries[0];
    const appended = this.#reports.length;
    const found = entry && (await this.#attempt('findEntry', () => store.findEntry(entry.id)));
    const wasRefused = this.#reports.length > appended;
    // A refusal to append reports nothing about what was there before.
    this.#reports.splice(0, Infinity, ...reports);
    if (!entry || wasRefused || isDeepStrictEqual(found, entry)) return;
    this.#faults.push(`the new entry of ${id} ${found ? `reads ${JSON.stringify(found)}` : 'is not there'}`);
  }

  async #attempt<Result>(what: string, act: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ContinuoError)) this.#faults.push(`${what} threw without a code: ${(error as Error)?.stack}`);
      else if (error.code === 'internal')
        this.#faults.push(`${what} failed inside: ${error.message} ${(error.cause as Error)?.stack}`);
      // That something is not there says nothing about damage.
      else if (error.code !== 'conversation-not-found') this.#reports.push(error.code);
      return undefined;
    }
  }
}

async function listAll(store: ConversationStore): Promise<Conversation[]> {
  return (await store.list({ trash: 'include', limit: 1000 })).items;
}

async function readEverything(store: ConversationStore, id: ConversationId) {
  const entries = [];
  for await (const entry of store.readAll(id)) entries.push(entry);
  return entries;
}

/** What people wrote; the counters follow the log and are looked at by themselves. */
function ownData({ lastSeq: _seq, activeAt: _at, ...own }: Conversation): string {
  return JSON.stringify(Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1)));
}

await main();
