// What a store must hold after a crash: everything that was acknowledged, and beyond that only what may have been under way.
import type { Conversation } from '../../src/model/conversation.ts';
import type { Change, CrashLine, FoundEntry } from './crash-writer.ts';

interface Expectation {
  /** The newest acknowledged value, and those that were announced after it. */
  titles: (string | undefined)[];
  tags: Set<string>;
  trashed: boolean[];
  mayBePurged: boolean;
}

export interface Finding {
  conversation: Conversation;
  entries: FoundEntry[];
}

export class CrashLedger {
  /** Acknowledged entries by conversation, then by id. */
  readonly #entries = new Map<string, Map<string, string>>();
  readonly #conversations = new Map<string, Expectation>();
  /** The highest acknowledged counter of each writer of each round. */
  readonly #acknowledgedUpTo = new Map<string, number>();
  readonly #fleeting = new Set<string>();
  readonly #purged = new Set<string>();
  /** Whether the medium may keep the first entries of a batch that was cut off by the kill, and so never acknowledged. */
  readonly #batchesMayTear: boolean;
  acknowledged = 0;
  changes = 0;

  constructor({ batchesMayTear = false } = {}) {
    this.#batchesMayTear = batchesMayTear;
  }

  /** Takes in what a writer told. */
  note(line: CrashLine, round: number): void {
    if (line.tells === 'appended') {
      for (const [id, digest, counter] of line.entries) {
        const conversation = `cnv_${id.slice(4, 30)}`;
        let known = this.#entries.get(conversation);
        if (!known) {
          known = new Map();
          this.#entries.set(conversation, known);
        }
        known.set(id, digest);
        this.#acknowledgedUpTo.set(`${round}.${line.writer}`, counter);
        this.acknowledged += 1;
      }
    } else if (line.tells === 'created') {
      this.#expect(line.conversation);
      this.changes += 1;
    } else if (line.tells === 'intent' || line.tells === 'done') {
      this.#noteChange(line.id, line.change, line.tells === 'done');
      if (line.tells === 'done') this.changes += 1;
    }
  }

  /** One sentence for everything that is not as it must be. */
  check(findings: readonly Finding[]): string[] {
    const faults: string[] = [];
    const byId = new Map<string, Finding>(findings.map((finding) => [finding.conversation.id, finding]));
    for (const [id, expected] of this.#conversations) {
      const finding = byId.get(id);
      if (finding) faults.push(...this.#checkConversation(finding, expected));
      else if (!expected.mayBePurged) faults.push(`conversation ${id} is gone`);
      if (!finding) this.#forget(id);
    }
    for (const [id, entries] of this.#entries) {
      if (this.#fleeting.has(id)) continue;
      const held = new Map(byId.get(id)?.entries.map(([entryId, digest]) => [entryId, digest]));
      for (const [entryId, digest] of entries) {
        const found = held.get(entryId);
        if (found !== digest) faults.push(`entry ${entryId} was acknowledged and is ${found === undefined ? 'gone' : 'changed'}`);
      }
    }
    for (const { conversation } of findings) {
      if (this.#purged.has(conversation.id)) faults.push(`conversation ${conversation.id} came back after it was purged`);
      if (!this.#conversations.has(conversation.id)) this.#expect(conversation);
    }
    faults.push(...checkPositions(findings, byId), ...this.#checkOrder(findings));
    return faults;
  }

  #expect(conversation: Conversation): void {
    const { id, title, tags, trashedAt, policy } = conversation;
    if (policy.kind === 'ttl') this.#fleeting.add(id);
    this.#conversations.set(id, { titles: [title], tags: new Set(tags), trashed: [trashedAt !== undefined], mayBePurged: false });
  }

  #forget(id: string): void {
    this.#conversations.delete(id);
    this.#entries.delete(id);
  }

  #noteChange(id: string, change: Change, isDone: boolean): void {
    const expected = this.#conversations.get(id);
    if (!expected) return;
    if ('title' in change) expected.titles = isDone ? [change.title] : [...expected.titles, change.title];
    else if ('trashed' in change) expected.trashed = isDone ? [change.trashed] : [...expected.trashed, change.trashed];
    else if ('purged' in change) {
      expected.mayBePurged = true;
      if (isDone) this.#purged.add(id);
      if (isDone) this.#forget(id);
    } else if (isDone) expected.tags.add(change.tag);
  }

  #checkConversation({ conversation }: Finding, expected: Expectation): string[] {
    const { id, title, tags, trashedAt } = conversation;
    const faults: string[] = [];
    if (!expected.titles.includes(title))
      faults.push(`conversation ${id} is called ${title}, not ${expected.titles.join(' or ')}`);
    for (const tag of expected.tags) if (!tags.includes(tag)) faults.push(`conversation ${id} lost its tag ${tag}`);
    if (!expected.trashed.includes(trashedAt !== undefined)) faults.push(`conversation ${id} is on the wrong side of the trash`);
    this.#expect(conversation);
    return faults;
  }

  /** Counters grow along each conversation, nothing is there twice, batches are whole, and only the last breath is unacknowledged. */
  #checkOrder(findings: readonly Finding[]): string[] {
    const faults: string[] = [];
    const seen = new Map<string, { size: number; found: number }>();
    const counters = new Set<string>();
    for (const { conversation, entries } of findings) {
      const last = new Map<string, number>();
      const acknowledged = this.#entries.get(conversation.id);
      for (const [id, , mark] of entries) {
        if (!mark || !id.startsWith(`ent_${conversation.id.slice(4)}`)) continue;
        const writer = `${mark.round}.${mark.writer}`;
        if (mark.counter <= (last.get(writer) ?? 0)) faults.push(`entry ${id} is out of order`);
        last.set(writer, mark.counter);
        const name = `${writer}.${mark.counter}`;
        if (counters.has(name)) faults.push(`entry ${id} is there twice`);
        counters.add(name);
        if (!this.#fleeting.has(conversation.id)) {
          if (!acknowledged?.has(id) && mark.counter <= (this.#acknowledgedUpTo.get(writer) ?? 0)) {
            faults.push(`entry ${id} was never acknowledged although a later one was`);
          }
          const batch = `${writer}.${mark.first}`;
          seen.set(batch, { size: mark.size, found: (seen.get(batch)?.found ?? 0) + 1 });
        }
      }
    }
    for (const [batch, { size, found }] of seen)
      if (size !== found && !this.#batchesMayTear) faults.push(`batch ${batch} has ${found} of ${size} entries`);
    return faults;
  }
}

/** Positions run from 1 without gaps, and a fork shares exactly its origin's beginning. */
function checkPositions(findings: readonly Finding[], byId: ReadonlyMap<string, Finding>): string[] {
  const faults: string[] = [];
  for (const { conversation, entries } of findings) {
    const { id, forkedFrom, lastSeq, policy } = conversation;
    const mayHaveGaps = policy.kind === 'ttl';
    const positions = entries.map(([entryId]) => Number.parseInt(entryId.slice(30), 32));
    if (!mayHaveGaps && !positions.every((seq, i) => seq === i + 1)) faults.push(`conversation ${id} has gaps in its positions`);
    if (!mayHaveGaps && entries.length !== lastSeq)
      faults.push(`conversation ${id} says ${lastSeq} entries and has ${entries.length}`);
    if (!forkedFrom) continue;
    const origin = byId.get(forkedFrom.id)?.entries ?? [];
    const shared = JSON.stringify(origin.slice(0, forkedFrom.seq));
    if (JSON.stringify(entries.slice(0, forkedFrom.seq)) !== shared)
      faults.push(`fork ${id} does not share its origin's beginning`);
  }
  return faults;
}
