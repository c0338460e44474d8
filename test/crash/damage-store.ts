// Small stores of every shape worth damaging, with a record of all they return: closed, or copied while open with half of the
// content still in the write-ahead log, or with a log that was begun anew over its older frames.
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import type { Conversation } from '../../src/model/conversation.ts';
import type { NewEntry } from '../../src/model/entry.ts';
import type { ConversationId } from '../../src/model/id.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';
import type { Original } from './damage-case.ts';
import { buildText, shortLengths } from './entry-mark.ts';

export type Shape = 'closed' | 'running' | 'begun-anew';

export interface DamageStore {
  pristine: string;
  original: string;
  /** The data files, relative to the store's folder, with their sizes. */
  files: { file: string; size: number }[];
}

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

export async function buildDamageStore(
  subject: SubjectName,
  shape: Shape,
  folder: string,
  random: SeededRandom,
): Promise<DamageStore> {
  const live = join(folder, 'live');
  const pristine = join(folder, 'pristine');
  const builder = new Builder(await openSubject(subject, live, { redactor: false }), random);
  await builder.makeConversations();
  await builder.append(200);
  if (subject.startsWith('sqlite')) await builder.store.compressCold(start + 100 * hour);
  if (shape !== 'closed') {
    await builder.store.close();
    builder.store = await openSubject(subject, live, { redactor: false });
  }
  await builder.append(shape === 'closed' ? 100 : 60);
  if (shape === 'begun-anew') {
    restartLog(join(live, 'log.db'));
    await builder.append(20);
  }
  await builder.change();
  await builder.append(10);
  const original = await builder.describe();
  if (shape === 'closed') await builder.store.close();
  // The -shm file is a view of the log that belongs to the running processes; a copy of a store never has it.
  cpSync(live, pristine, { recursive: true, filter: (path) => !path.endsWith('-shm') });
  if (shape !== 'closed') await builder.store.close();
  rmSync(live, { recursive: true });
  const originalPath = join(folder, 'original.json');
  writeFileSync(originalPath, JSON.stringify(original));
  return { pristine, original: originalPath, files: listDataFiles(pristine) };
}

/** Where a cut leaves only whole commits: nothing can tell that there was more. */
export function walBoundaries(path: string): Set<number> {
  const bytes = readFileSync(path);
  const frame = 24 + bytes.readUInt32BE(8);
  const boundaries = new Set([0, 32]);
  for (let offset = 32; offset + frame <= bytes.length; offset += frame) {
    if (bytes.readUInt32BE(offset + 4) !== 0) boundaries.add(offset + frame);
  }
  return boundaries;
}

class Builder {
  store: ConversationStore;
  readonly #random: SeededRandom;
  readonly #states = new Map<string, Conversation[]>();
  readonly #drafts = new Map<string, string[]>();
  #ids: ConversationId[] = [];
  #counter = 0;

  constructor(store: ConversationStore, random: SeededRandom) {
    this.store = store;
    this.#random = random;
  }

  async makeConversations(): Promise<void> {
    const { store } = this;
    const main = await store.create({ title: '长对话 long', key: 'chat:长 one', tags: ['a', 'b'], project: 'p', meta: { n: 1 } });
    const side = await store.create({ title: 'side', agent: 'helper', team: 't' });
    const brief = await store.create({ policy: { kind: 'headers-only' }, pinned: true });
    const fleeting = await store.create({ policy: { kind: 'ttl', milliseconds: 10 * 365 * 24 * hour, afterwards: 'delete' } });
    for (const conversation of [main, side, brief, fleeting]) this.#note(conversation);
    await this.append(20);
    // Its text is taken away in place when the time comes; its headers stay.
    const forgotten = await store.create({ policy: { kind: 'ttl', milliseconds: 1, afterwards: 'headers-only' } });
    this.#note(forgotten);
    for (let i = 0; i < 5; i++) await store.append(forgotten.id, this.#entry());
    await store.sweep();
    const fork = await store.fork(main.id, { at: 5, title: 'what if' });
    this.#note(fork);
    await this.draft(main.id, 200);
    for (const words of [5, 100, 1000]) await this.draft(side.id, words);
  }

  async draft(id: ConversationId, words: number): Promise<void> {
    await this.store.putDraft(id, {
      kind: 'message',
      role: 'assistant',
      text: 'a draft of words '.repeat(words),
      meta: { words },
    });
    const versions = this.#drafts.get(id) ?? [];
    this.#drafts.set(id, [...versions, JSON.stringify(await this.store.findDraft(id))]);
  }

  /** Mostly to the first conversation. */
  async append(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const id = this.#random.chance(0.7) ? (this.#ids[0] as ConversationId) : this.#random.pick(this.#ids);
      const size = this.#random.chance(0.1) ? 5 : 1;
      await this.store.append(
        id,
        Array.from({ length: size }, () => this.#entry()),
      );
    }
  }

  async change(): Promise<void> {
    const [main, side] = this.#ids as [ConversationId, ConversationId];
    this.#note(await this.store.rename(main, 'a new name for the long one'));
    this.#note(await this.store.tag(side, { add: ['late'] }));
    await this.draft(main, 300);
    const scrap = await this.store.create({ title: 'scrap' });
    this.#note(scrap);
    await this.store.append(scrap.id, this.#entry());
    this.#note(await this.store.trash(scrap.id));
    // A trashed conversation takes no more entries.
    this.#ids = this.#ids.filter((id) => id !== scrap.id);
  }

  async describe(): Promise<Original> {
    const conversations: Original['conversations'] = [];
    for (const [id, states] of this.#states) {
      const entries: string[] = [];
      for await (const entry of this.store.readAll(id as ConversationId)) entries.push(JSON.stringify(entry));
      const drafts = this.#drafts.get(id) ?? [];
      conversations.push({ id, states: [...states, await this.store.get(id)], entries, drafts });
    }
    return { conversations };
  }

  #note(conversation: Conversation): void {
    const states = this.#states.get(conversation.id);
    if (states) states.push(conversation);
    else {
      this.#states.set(conversation.id, [conversation]);
      this.#ids.push(conversation.id);
    }
  }

  #entry(): NewEntry {
    const counter = ++this.#counter;
    const text = buildText(
      { round: 0, writer: 0, counter, first: counter, size: 1 },
      this.#random,
      counter % 50 === 0 ? undefined : shortLengths,
    );
    const at = start + counter * hour;
    if (counter % 7 === 0) return { kind: 'tool-call', callId: `call ${counter}`, tool: 'search', input: { text, counter }, at };
    if (counter % 11 === 0) return { kind: 'tool-result', callId: `call ${counter}`, text, output: [counter], failed: true, at };
    return { kind: 'message', role: counter % 2 === 0 ? 'assistant' : 'user', text, meta: { counter }, at };
  }
}

/** The next writer begins the write-ahead log again at its top; the older frames stay behind it. */
function restartLog(path: string): void {
  const database = new Database(path);
  database.pragma('wal_checkpoint(RESTART)');
  database.close();
}

function listDataFiles(folder: string): { file: string; size: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: relative(folder, path), size: statSync(path).size }))
    .filter(({ size }) => size > 0);
}
