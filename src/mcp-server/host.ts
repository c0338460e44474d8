// What the server stands on. Whoever is above opens the home and knows its settings; the server asks anew with every call, because a
// server lives for days: meanwhile the store may be made, a project become private, the client move to another folder.
import type { NewConversation } from '../model/conversation.ts';
import type { ConversationPage, ListQuery } from '../model/list-query.ts';
import type { Recall } from '../model/ports/recall.ts';
import type { ConversationStore } from '../store/conversation-store.ts';

export interface McpHost {
  /** Everything a call needs to read; `folder` is where the client says it works, where it does. */
  open(folder: string | undefined): Promise<Outlook>;
  /** A store to write to, and what a new conversation of the folder is made with. Each remark is told in one line. */
  begin(folder: string | undefined, fresh: NewConversation): Promise<Beginning>;
  /** A sentence for whoever reads the answer, and what to do about it. */
  describe(error: unknown): string;
  /** Worth knowing for who looks after the server; never part of an answer. */
  log(line: string): void;
}

export interface Outlook {
  store: ConversationStore;
  recall: Recall;
  /** There is no store yet: everything is empty. */
  isAbsent: boolean;
  /** The project of the client's folder: its key, what its conversations are filed under, and what people call it. */
  here: { key: string; fields: readonly string[]; name: string };
  /** What private projects are filed under that may not be seen from here. */
  hidden: readonly string[];
  now: number;
  /** Minutes the person's clock is ahead of UTC. */
  offsetMinutes: number;
  settings: { tokenBudget: number; maxResults: number; similarityThreshold: number };
  /** A page of the conversations filed under any of these names, newest first. */
  listOf(fields: readonly string[], query: ListQuery & { limit: number }): Promise<ConversationPage>;
}

export interface Beginning {
  store: ConversationStore;
  conversation: NewConversation;
  remarks: string[];
}
