// Another process on the store during a purge: it reads and appends, or it is the one that purges and gets killed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConversationId } from '../../src/model/id.ts';
import { childInput, createInbox, tell } from '../support/child-side.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';

export interface BystanderInput {
  subject: SubjectName;
  folder: string;
  /** Trashed conversations to purge; without them it only reads and appends. */
  purges?: ConversationId[];
}

const input = childInput<BystanderInput>();

async function main(): Promise<void> {
  const store = await openSubject(input.subject, input.folder, { redactor: false });
  if (input.purges) {
    tell({ ready: true });
    for (const id of input.purges) await store.purge(id);
    return new Promise(() => setInterval(() => undefined, 1000));
  }
  const { id } = await store.create({ title: 'of the bystander' });
  let isOver = false;
  void createInbox()().then(() => {
    isOver = true;
  });
  tell({ ready: true });
  while (!isOver) {
    await store.append(id, { kind: 'message', role: 'user', text: 'busy' });
    await store.list();
    await store.tail(id, 10);
    await nextTurn();
  }
  await store.close();
  process.exit(0);
}

await main();
