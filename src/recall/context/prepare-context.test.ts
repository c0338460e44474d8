import { expect, it, onTestFinished } from 'vitest';
import type { StoragePolicy } from '../../model/storage-policy.ts';
import { ConversationStore } from '../../store/conversation-store.ts';
import { MemoryDriver } from '../../store/drivers/memory/memory-driver.ts';
import { createScanRecall } from '../scan-recall.ts';
import { prepareContext } from './prepare-context.ts';

const now = Date.UTC(2026, 2, 4, 12);

/** Somebody asked, and the program was killed in the middle of its answer. */
async function goOnAfterKill(policy: StoragePolicy, later = 0, privateProjects: string[] = []) {
  let time = now;
  const store = await ConversationStore.open({ driver: new MemoryDriver(), clock: () => time });
  onTestFinished(() => store.close());
  const { id } = await store.create({ project: 'git:a', policy });
  await store.append(id, { kind: 'message', role: 'user', text: 'Write the letter.', turnId: 't1' });
  await store.putDraft(id, { kind: 'message', role: 'assistant', text: 'Dear Ms Walrus, as', turnId: 't1', interrupted: true });
  time += later;
  const more = { tokenBudget: 1500, maxResults: 5, similarityThreshold: 0.7, offsetMinutes: 0, present: [] };
  const recall = createScanRecall(store, { clock: () => time, privateProjects });
  return prepareContext({ store, recall, now: time, asked: 'where were we?', hereProject: 'git:b', privateProjects, ...more });
}

it('quotes the answer that was cut off, marked as interrupted, after what it answers', async () => {
  const { section, quoted } = await goOnAfterKill({ kind: 'full' });
  expect(quoted.map(({ text, isInterrupted }) => [text, isInterrupted])).toEqual([
    ['Dear Ms Walrus, as', true],
    ['Write the letter.', undefined],
  ]);
  expect(section).toMatch(/> Write the letter\.\nAssistant, interrupted \(2026-03-04 12:00\):\n> Dear Ms Walrus, as\n/);
});

it('does not quote it from a private project, nor after its time', async () => {
  expect((await goOnAfterKill({ kind: 'full' }, 0, ['git:a'])).section).toBe('');
  expect((await goOnAfterKill({ kind: 'ttl', milliseconds: 1000, afterwards: 'delete' }, 2000)).section).toBe('');
});
