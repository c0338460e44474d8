// A process with a store and recall of its own over a home that others use at the same time.
import { openRecall } from '../../src/open-recall.ts';
import { openStore } from '../../src/open-store.ts';
import { childInput, createInbox, tell } from '../support/child-side.ts';

export interface RecallChildInput {
  home: string;
  name: string;
  appends: number;
}

export type RecallChildLine = { tells: 'ready' } | { tells: 'found'; own: number; others: number; problems: number };

const { home, name, appends } = childInput<RecallChildInput>();
const store = await openStore({ home });
let problems = 0;
const engine = await openRecall({ home, store, embedder: null, patience: 10_000, onProblem: () => (problems += 1) });
engine.start();
const inbox = createInbox();
tell({ tells: 'ready' } satisfies RecallChildLine);
await inbox();
const { id } = await store.create({ title: name });
let own = 0;
for (let i = 0; i < appends; i++) {
  await store.append(id, { kind: 'message', role: 'user', text: `${name} 说 finch ${i}` });
  const { hits } = await engine.find({ text: `finch ${i}`, conversation: id, limit: 1, answers: false });
  if (hits[0]?.text.endsWith(` ${i}`)) own += 1;
}
tell({ tells: 'ready' } satisfies RecallChildLine);
await inbox();
await engine.catchUp({ wait: 20_000 });
const { hits } = await engine.find({ text: 'finch', except: id, limit: 50 });
tell({ tells: 'found', own, others: hits.length, problems } satisfies RecallChildLine);
await engine.close();
await store.close();
process.exit(0);
