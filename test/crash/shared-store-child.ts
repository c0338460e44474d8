// One of many processes on one store: a writer that appends to shared and to own conversations, or an observer that lists, reads,
// renames and verifies all the while. Any refusal ends the process with an error.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConversationId } from '../../src/model/id.ts';
import type { Problem } from '../../src/model/ports/store-driver.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { childInput, createInbox, tell } from '../support/child-side.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';
import { buildText, digest, parseMark, shortLengths } from './entry-mark.ts';

export interface SharedStoreInput {
  subject: SubjectName;
  folder: string;
  role: 'writer' | 'observer' | 'holder' | 'visitor';
  /** The number of this process. */
  process: number;
  shared: ConversationId[];
  appends: number;
}

export type SharedStoreLine =
  | { tells: 'ready' }
  | { tells: 'appended'; entries: [id: string, digest: string][] }
  | { tells: 'observed'; rounds: number; lists: number; renames: number }
  | { tells: 'problem'; problem: Problem };

const input = childInput<SharedStoreInput>();
const inbox = createInbox();

async function main(): Promise<void> {
  const onProblem = (problem: Problem) => tell({ tells: 'problem', problem } satisfies SharedStoreLine);
  if (input.role === 'visitor') return visit(onProblem);
  const store = await openSubject(input.subject, input.folder, { redactor: false, onProblem });
  if (input.role === 'writer') {
    tell({ tells: 'ready' } satisfies SharedStoreLine);
    // All begin together.
    await inbox();
    await write(store);
  } else if (input.role === 'observer') {
    tell({ tells: 'ready' } satisfies SharedStoreLine);
    await observe(store);
  } else {
    await store.acquireLease(input.shared[0] as ConversationId, { owner: 'the holder' });
    tell({ tells: 'ready' } satisfies SharedStoreLine);
    await inbox();
  }
  await store.close();
  process.exit(0);
}

/** Comes and goes, and leaves a word now and then. */
async function visit(onProblem: (problem: Problem) => void): Promise<void> {
  for (let i = 0; i < input.appends; i++) {
    const store = await openSubject(input.subject, input.folder, { redactor: false, onProblem });
    if (i % 3 === 0) {
      const { id } = await store.create({ title: `visit ${i} of ${input.process}` });
      await store.append(id, { kind: 'message', role: 'user', text: 'words '.repeat(500) });
    }
    await store.close();
  }
  process.exit(0);
}

async function write(store: ConversationStore): Promise<void> {
  const random = createSeededRandom(input.process);
  const own = await store.create({ title: `of process ${input.process}` });
  let counter = 0;
  const append = async () => {
    const size = random.chance(0.1) ? 5 : 1;
    const first = counter + 1;
    const id = random.chance(0.6) ? random.pick(input.shared) : own.id;
    const entries = Array.from({ length: size }, () => {
      const mark = { round: 1, writer: input.process, counter: ++counter, first, size };
      return { kind: 'message', role: 'user', text: buildText(mark, random, shortLengths) } as const;
    });
    const result = await store.append(id, entries);
    const told = result.entries.map((entry): [string, string] => [entry.id, digest((entry as { text: string }).text)]);
    tell({ tells: 'appended', entries: told } satisfies SharedStoreLine);
  };
  const lane = async () => {
    while (counter < input.appends) await append();
  };
  // Alone at first, then several calls at a time.
  for (let i = 0; i < 10; i++) await append();
  await Promise.all([lane(), lane(), lane()]);
}

async function observe(store: ConversationStore): Promise<void> {
  let isOver = false;
  void inbox().then(() => {
    isOver = true;
  });
  const counts = { rounds: 0, lists: 0, renames: 0 };
  const seen = new Map<ConversationId, number>();
  while (!isOver || counts.rounds < 3) {
    counts.rounds += 1;
    // What is read from memory comes at once; the word to stop comes by the event loop.
    await nextTurn();
    const { items } = await store.list({ limit: 50 });
    counts.lists += items.length;
    for (const id of input.shared) {
      const tail = await store.tail(id, 20);
      const positions = tail.map((entry) => entry.seq);
      const first = positions[0] ?? 1;
      if (!positions.every((seq, i) => seq === first + i)) throw new Error(`gaps in a tail: ${positions.join()}`);
      const last = positions.at(-1) ?? 0;
      if (last < (seen.get(id) ?? 0)) throw new Error(`the tail went back from ${seen.get(id)} to ${last}`);
      seen.set(id, last);
      for (const entry of tail)
        if (!parseMark((entry as { text: string }).text)) throw new Error(`not what was said: ${entry.id}`);
      await store.rename(id, `round ${counts.rounds}`);
      counts.renames += 1;
    }
    const { problems } = await store.verify();
    for (const problem of problems) tell({ tells: 'problem', problem } satisfies SharedStoreLine);
  }
  tell({ tells: 'observed', ...counts } satisfies SharedStoreLine);
}

await main();
