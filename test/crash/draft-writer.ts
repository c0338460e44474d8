// A process that lives to be killed while answers are being written: drafts grow step by step until an append ends them, in several
// conversations at once, and every acknowledgement is told the moment it is there.
import type { NewEntry } from '../../src/model/entry.ts';
import type { ConversationId } from '../../src/model/id.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { childInput, tell } from '../support/child-side.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';
import { draftEntry, draftSteps } from './draft-mark.ts';

export interface DraftInput {
  subject: SubjectName;
  folder: string;
  ids: ConversationId[];
  round: number;
}

export type DraftLine = { id: ConversationId; answer: number; step: number };

const input = childInput<DraftInput>();

async function main(): Promise<void> {
  const store = await openSubject(input.subject, input.folder, { redactor: false });
  await Promise.all(input.ids.map((id) => answerForEver(store, id)));
}

async function answerForEver(store: ConversationStore, id: ConversationId): Promise<void> {
  for (let answer = input.round * 1_000_000; ; answer++) {
    for (let step = 1; step <= draftSteps; step++) {
      await store.putDraft(id, draftEntry(answer, step) as NewEntry);
      tell({ id, answer, step } satisfies DraftLine);
    }
    const step = draftSteps + 1;
    await store.append(id, draftEntry(answer, step) as NewEntry, { endsDraft: true });
    tell({ id, answer, step } satisfies DraftLine);
  }
}

await main();
