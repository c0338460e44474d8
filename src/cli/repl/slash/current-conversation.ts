// The stored conversation a command works on.
import type { Conversation } from '../../../model/conversation.ts';
import { findCurrent, type ReplHost } from '../repl-host.ts';

/** Undefined, and said so, where nothing was said yet. */
export async function currentConversation(host: ReplHost): Promise<Conversation | undefined> {
  const conversation = await findCurrent(host);
  if (!conversation) host.say(host.context.text.slash.nothingSaid, 'warning');
  return conversation;
}
