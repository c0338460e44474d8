// read_conversation: one conversation from its beginning, from its end, or around what a search found, a page at a time.
import * as z from 'zod';
import type { Conversation } from '../../model/conversation.ts';
import { parseEntryId } from '../../model/id.ts';
import { type PagePlace, readStretch } from '../conversation-page.ts';
import { countAt, formatCursor, parseCursor } from '../cursor.ts';
import { quotePage } from '../quote-page.ts';
import { type Call, notice, type ReadTool, Refusal } from '../server-tool.ts';
import { formatTime, getSeen, toStructured } from '../shown-conversation.ts';
import { conversationShape, cursorField } from './tool-schemas.ts';

const name = 'read_conversation';
const defaultRoom = 10_000;
/** What was said before a passage that was found, so that it can be understood. */
const entriesBefore = 4;

const input = z.strictObject({
  conversation_id: z.string().min(1).max(200).describe('The conversation, as cnv_01h…'),
  start: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Where to begin: "beginning" (default), "end" for the newest part, or an entry_id of a search hit to read around it.',
    ),
  max_characters: z
    .int()
    .min(500)
    .max(20_000)
    .optional()
    .describe(`Characters of text at most; ${defaultRoom} if left out. The rest comes with the cursor.`),
  cursor: cursorField.optional(),
});

const output = z.object({
  notice: z.string(),
  conversation: conversationShape,
  entries: z.array(
    z.object({ entry_id: z.string(), who: z.string(), at: z.string(), text: z.string(), partial: z.boolean().optional() }),
  ),
  next_cursor: z.string().optional(),
});

export const readConversation: ReadTool<z.infer<typeof input>> = {
  kind: 'read',
  name,
  title: 'Read a past conversation',
  description:
    'Read what was said in one past conversation, in pages: the whole discussion behind a search hit, how a problem was solved, where the work stopped. Give the conversation_id from search_conversations or list_conversations.',
  input,
  output,
  run: read,
};

async function read(asked: z.infer<typeof input>, call: Call) {
  const { conversation, shown } = await getSeen(call, asked.conversation_id);
  const place = asked.cursor === undefined ? readStart(asked.start, conversation) : readPlace(conversation, asked.cursor);
  const page = await readStretch(call, conversation, place, asked.max_characters ?? defaultRoom);
  const next = page.next && formatCursor(name, [conversation.id, page.next.direction, page.next.seq, page.next.offset]);
  const structured = {
    notice,
    conversation: toStructured(shown),
    entries: page.entries.map(({ entry, who, text, isPartial }) => ({
      entry_id: entry.id,
      who,
      at: formatTime(entry.at),
      text,
      ...(isPartial && { partial: true }),
    })),
    ...(next !== undefined && { next_cursor: next }),
  };
  const further = place.direction === 'forward' ? 'It goes on' : 'There is an earlier part';
  const more = next === undefined ? [] : [`${further}: call again with the same conversation_id and cursor "${next}".`];
  return { text: [quotePage(call, shown, page), ...more].join('\n'), structured };
}

function readStart(start: string | undefined, { lastSeq }: Conversation): PagePlace {
  if (start === undefined || start === 'beginning') return { direction: 'forward', seq: 0, offset: 0 };
  if (start === 'end') return { direction: 'backward', seq: 0, offset: 0 };
  try {
    const { seq } = parseEntryId(start);
    return { direction: 'forward', seq: Math.min(Math.max(0, seq - 1 - entriesBefore), lastSeq), offset: 0 };
  } catch {
    throw new Refusal('start must be "beginning", "end", or an entry_id as ent_01h… that a search returned.');
  }
}

function readPlace({ id }: Conversation, cursor: string): PagePlace {
  const place = parseCursor(name, cursor);
  if (place[0] !== id) throw new Refusal('The cursor belongs to another conversation. Start again without a cursor.');
  const direction = place[1] === 'backward' ? 'backward' : 'forward';
  return { direction, seq: countAt(place, 2), offset: countAt(place, 3) };
}
