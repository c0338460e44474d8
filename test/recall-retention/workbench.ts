// Stores whose conversations have an age, for the tests of retention.
import { onTestFinished } from 'vitest';
import type { Conversation, NewConversation } from '../../src/model/conversation.ts';
import { defaultRetention, type RetentionSettings } from '../../src/recall/retention/retention-settings.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';

export const day = 24 * 60 * 60 * 1000;

/** Ids are made in order of time by one process: each test lives later than those before it. */
let latest = 1_800_000_000_000;

export interface Workbench {
  folder: string;
  store: ConversationStore;
  /** The present of the store. */
  clock: { (): number; set(moment: number): void };
  /** Stores a conversation so many days before `now`, with these messages. Call with the oldest first. */
  keep(daysAgo: number, texts: readonly string[], input?: NewConversation): Promise<Conversation>;
  now: number;
  open(): Promise<ConversationStore>;
}

export async function createWorkbench(subject: SubjectName): Promise<Workbench> {
  const folder = createQuickFolder('retention');
  latest += 2000 * day;
  const now = latest;
  let moment = now;
  const clock = Object.assign(() => moment, {
    set(to: number) {
      moment = to;
    },
  });
  const open = async () => {
    const store = await openSubject(subject, folder, { clock });
    onTestFinished(() => store.close());
    return store;
  };
  const store = await open();
  const keep: Workbench['keep'] = async (daysAgo, texts, input = {}) => {
    moment = now - daysAgo * day;
    const { id } = await store.create(input);
    for (const text of texts) await store.append(id, { kind: 'message', role: 'user', text });
    moment = now;
    return store.get(id);
  };
  return { folder, store, clock, keep, now, open };
}

export function settingsWith(changes: Partial<RetentionSettings> = {}): RetentionSettings {
  return { ...defaultRetention, ...changes };
}
