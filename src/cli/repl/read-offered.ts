// Which stored conversations a person is offered to go on with, newest first: of this project or of all; none in which nothing was
// said, none of a sub-agent, and none of a private project that is not this one.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationPage } from '../../model/list-query.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { type Here, listPageOfProject } from '../recall/here.ts';
import { isSubAgent } from '../transcripts/sub-agents.ts';

export type OfferedScope = 'here' | 'everywhere';

/** The next that can be offered, one at least where there is any: those that cannot are passed over, however many they are. */
export async function readOffered(
  store: ConversationStore,
  here: Here,
  { scope, limit, cursor }: { scope: OfferedScope; limit: number; cursor?: string | undefined },
): Promise<ConversationPage> {
  let next = cursor;
  for (;;) {
    const query = { limit, ...(next !== undefined && { cursor: next }) };
    const page = scope === 'here' ? await listPageOfProject(store, here.fields, query) : await store.list(query);
    const items = page.items.filter((conversation) => isOffered(conversation, here));
    next = page.nextCursor;
    if (next === undefined) return { items };
    if (items.length > 0) return { items, nextCursor: next };
  }
}

function isOffered(conversation: Conversation, { hidden }: Here): boolean {
  const { lastSeq, project } = conversation;
  return lastSeq > 0 && !hidden.includes(project ?? '') && !isSubAgent(conversation);
}
