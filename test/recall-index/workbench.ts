// A store, its index and an indexer, in a folder of the test's own.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { NewConversation } from '../../src/model/conversation.ts';
import type { NewEntry } from '../../src/model/entry.ts';
import type { ConversationId } from '../../src/model/id.ts';
import { IndexDatabase, type IndexNotice } from '../../src/recall/index/index-database.ts';
import { RecallIndexer, type RecallIndexerOptions } from '../../src/recall/index/indexer.ts';
import type { LexicalFilters } from '../../src/recall/index/lexical-filters.ts';
import { searchLexical } from '../../src/recall/index/lexical-search.ts';
import { isEncrypted, openSubject, type SubjectName, subjectKey } from '../support/store-subjects.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';

export const start = Date.UTC(2026, 0, 1);

export interface WorkbenchOptions extends Partial<RecallIndexerOptions> {
  subject?: SubjectName;
  folder?: string;
}

export async function createWorkbench(options: WorkbenchOptions = {}) {
  const { subject = 'sqlite', folder = createQuickFolder('recall-index'), ...more } = options;
  const time = { now: start };
  const store = await openSubject(subject, join(folder, 'store'), { redactor: false, clock: () => time.now });
  const path = join(folder, 'index.db');
  const notices: IndexNotice[] = [];
  const open = () =>
    IndexDatabase.open({ path, ...(isEncrypted(subject) && { key: subjectKey }), onNotice: (notice) => notices.push(notice) });
  const index = await open();
  const indexer = new RecallIndexer({ store, index, clock: () => time.now, ...more });
  onTestFinished(async () => {
    await indexer.stop();
    index.close();
    await store.close();
  });
  /** A conversation of these texts, user and assistant in turn, a minute apart. */
  const say = async (texts: (string | NewEntry)[], given: NewConversation | ConversationId = {}) => {
    const id = typeof given === 'string' ? given : (await store.create(given)).id;
    for (const [i, text] of texts.entries()) {
      time.now += 60_000;
      const role = i % 2 === 0 ? ('user' as const) : ('assistant' as const);
      await store.append(id, typeof text === 'string' ? { kind: 'message', role, text } : text);
    }
    return id;
  };
  /** Where the words are found: conversation and position. */
  const find = (words: string, filters: LexicalFilters = {}) =>
    searchLexical(index.database, words, { filters, now: time.now })
      .candidates.filter(({ coverage }) => coverage >= 0.5)
      .map(({ conversationId, seq }) => [conversationId, seq] as [ConversationId, number]);
  return { store, index, indexer, folder, path, notices, time, say, find, open };
}
