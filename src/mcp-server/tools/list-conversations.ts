// list_conversations: what was talked about lately, newest first.
import * as z from 'zod';
import { quoteLines } from '../../recall/context/quote-history.ts';
import { formatCursorOf, parseCursorOf } from '../cursor.ts';
import { listSeen } from '../seen-conversations.ts';
import { findFields } from '../seen-projects.ts';
import { type Call, notice, type ReadTool } from '../server-tool.ts';
import { showConversation, toLine, toStructured } from '../shown-conversation.ts';
import { agentField, conversationShape, cursorField, projectField, readSince, sinceField } from './tool-schemas.ts';

const name = 'list_conversations';
const defaultLimit = 20;
const most = 50;

const input = z.strictObject({
  project: projectField.optional(),
  agent: agentField.optional(),
  since: sinceField.optional(),
  limit: z.int().min(1).max(most).optional().describe(`Conversations at most; ${defaultLimit} if left out.`),
  cursor: cursorField.optional(),
});

const output = z.object({
  notice: z.string(),
  conversations: z.array(conversationShape),
  next_cursor: z.string().optional(),
});

export const listConversations: ReadTool<z.infer<typeof input>> = {
  kind: 'read',
  name,
  title: 'List past conversations',
  description:
    'List past conversations with any agent, newest first: title, project, agent, time and conversation_id. Use it to see what was worked on lately, here or elsewhere; search_conversations finds by content.',
  input,
  output,
  run: list,
};

async function list(asked: z.infer<typeof input>, call: Call) {
  const { outlook } = call;
  const question = [asked.project ?? '', asked.agent ?? '', asked.since ?? ''];
  const { items, next } = await listSeen(call, {
    limit: asked.limit ?? defaultLimit,
    agent: asked.agent,
    since: readSince(asked.since, outlook.now),
    fields: asked.project === undefined ? undefined : await findFields(call, asked.project),
    cursor: asked.cursor === undefined ? undefined : String(parseCursorOf(name, question, asked.cursor)[0]),
  });
  const shown = await Promise.all(items.map((seen) => showConversation(call, seen)));
  const cursor = next === undefined ? undefined : formatCursorOf(name, question, [next]);
  const structured = {
    notice,
    conversations: shown.map(toStructured),
    ...(cursor !== undefined && { next_cursor: cursor }),
  };
  if (shown.length === 0) {
    const text = outlook.isAbsent
      ? 'Nothing is stored yet: there are no past conversations here.'
      : asked.cursor === undefined
        ? 'There are no such conversations that may be seen from here.'
        : 'There are no more conversations.';
    return { text, structured };
  }
  const lines = quoteLines(shown.map((each) => toLine(each, call)));
  return { text: cursor === undefined ? lines : `${lines}\nThere are more: call again with cursor "${cursor}".`, structured };
}
