// A home with a store and recall over it, in a folder of the test's own.
import { onTestFinished } from 'vitest';
import type { NewConversation } from '../../src/model/conversation.ts';
import type { NewEntry } from '../../src/model/entry.ts';
import type { ConversationId } from '../../src/model/id.ts';
import type { RecallQuery } from '../../src/model/ports/recall.ts';
import { type OpenRecallOptions, openRecall } from '../../src/open-recall.ts';
import { openStore, type StoreKey } from '../../src/open-store.ts';
import type { RecallProblem } from '../../src/recall/recall-engine.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';

export const start = Date.UTC(2026, 0, 1);
export const minute = 60_000;
export const day = 24 * 60 * minute;

export interface BenchOptions extends Partial<Omit<OpenRecallOptions, 'store' | 'clock' | 'onProblem'>> {
  driver?: 'sqlite' | 'jsonl';
  key?: StoreKey;
}

export async function createBench(options: BenchOptions = {}) {
  const { driver = 'sqlite', home = createQuickFolder('recall-search'), key, ...more } = options;
  const time = { now: start };
  const clock = () => time.now;
  const keyed = key ? { key } : {};
  const store = await openStore({ home, driver, clock, redactor: false, ...keyed });
  const problems: RecallProblem[] = [];
  const open = (others: Partial<OpenRecallOptions> = {}) =>
    openRecall({
      home,
      store,
      clock,
      embedder: null,
      // Machines that do much else at once: long enough for a few entries anywhere.
      patience: 5000,
      onProblem: (problem) => problems.push(problem),
      ...keyed,
      ...more,
      ...others,
    });
  const engine = await open();
  onTestFinished(async () => {
    await engine.close();
    await store.close();
  });
  /** A conversation of these texts, user and assistant in turn, a minute apart. */
  const say = async (texts: readonly (string | NewEntry)[], given: NewConversation | ConversationId = {}) => {
    const id = typeof given === 'string' ? given : (await store.create(given)).id;
    for (const [i, text] of texts.entries()) {
      time.now += minute;
      const role = i % 2 === 0 ? ('user' as const) : ('assistant' as const);
      await store.append(id, typeof text === 'string' ? { kind: 'message', role, text } : text);
    }
    return id;
  };
  const find = (text: string, query: Partial<RecallQuery> = {}) => engine.find({ text, ...query });
  const texts = async (text: string, query: Partial<RecallQuery> = {}) => (await find(text, query)).hits.map((hit) => hit.text);
  return { home, store, engine, time, problems, say, find, texts, open };
}
