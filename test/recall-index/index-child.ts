// A process that indexes a store, for tests that kill it or run several at once. `catch-up` ends when nothing is missing; `follow`
// also appends, and goes on until it is told to stop.
import { join } from 'node:path';
import { IndexDatabase } from '../../src/recall/index/index-database.ts';
import { RecallIndexer } from '../../src/recall/index/indexer.ts';
import { searchLexical } from '../../src/recall/index/lexical-search.ts';
import { childInput, createInbox, tell } from '../support/child-side.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';

export interface IndexChildInput {
  subject: SubjectName;
  folder: string;
  does: 'catch-up' | 'follow';
  name: string;
  appends: number;
}

export type IndexChildLine =
  | { tells: 'ready' }
  | { tells: 'progress'; done: number; total: number }
  | { tells: 'done'; documents: number }
  | { tells: 'searched'; found: number };

const input = childInput<IndexChildInput>();
const store = await openSubject(input.subject, join(input.folder, 'store'), { redactor: false });
const index = await IndexDatabase.open({ path: join(input.folder, 'index.db') });
const indexer = new RecallIndexer({ store, index, debounce: 20 });
const inbox = createInbox();
tell({ tells: 'ready' } satisfies IndexChildLine);
await inbox();

if (input.does === 'catch-up') {
  const onProgress = (done: number, total: number) => tell({ tells: 'progress', done, total } satisfies IndexChildLine);
  const { documents } = await indexer.catchUp({ onProgress, wait: 60_000 });
  tell({ tells: 'done', documents } satisfies IndexChildLine);
} else {
  indexer.start();
  const { id } = await store.create({ title: input.name });
  for (let i = 0; i < input.appends; i++) {
    await store.append(id, { kind: 'message', role: 'user', text: `finch ${input.name} ${i} 共同的词` });
    if (i % 20 === 0) searchLexical(index.database, 'finch');
  }
  await inbox();
  tell({ tells: 'searched', found: searchLexical(index.database, `finch ${input.name}`).candidates.length });
  await indexer.stop();
}
index.close();
await store.close();
process.exit(0);
