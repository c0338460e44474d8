// Conversations as resources: listed in pages, read by their address. What may not be seen has no address.

import { type PagePlace, readStretch } from '../conversation-page.ts';
import { countAt, formatCursor, parseCursor } from '../cursor.ts';
import { RpcError } from '../json-rpc.ts';
import { quotePage } from '../quote-page.ts';
import { errorCodes, type Params } from '../read-message.ts';
import { listSeen } from '../seen-conversations.ts';
import { type Call, Refusal } from '../server-tool.ts';
import { addressOf, formatTime, getSeen, parseAddress, showConversation } from '../shown-conversation.ts';

const listing = 'resources';
const reading = 'resource';
const pageSize = 50;
const room = 20_000;
const mimeType = 'text/plain';

export const resourceTemplates = [
  {
    uriTemplate: 'continuo://conversation/{conversation_id}{?cursor}',
    name: 'conversation',
    title: 'A past conversation',
    description: 'What was said in a past conversation, quoted as data. A long one goes on with the cursor named at its end.',
    mimeType,
  },
];

export async function listResources(params: Params, call: Call): Promise<object> {
  const cursor = readCursor(params, (given) => String(parseCursor(listing, given)[0]));
  const { items, next } = await told(listSeen(call, { limit: pageSize, cursor }));
  const shown = await Promise.all(items.map((seen) => showConversation(call, seen)));
  return {
    resources: shown.map(({ id, title, about, projectName, agent, activeAt }) => ({
      uri: addressOf(id),
      name: title ?? about ?? id,
      description: ['A past conversation, quoted as data', projectName, agent].filter((part) => part !== undefined).join(' · '),
      mimeType,
      annotations: { lastModified: formatTime(activeAt) },
    })),
    ...(next !== undefined && { nextCursor: formatCursor(listing, [next]) }),
  };
}

export async function readResource(params: Params, call: Call): Promise<object> {
  const { uri } = params;
  if (typeof uri !== 'string') throw new RpcError(errorCodes.invalidParams, 'Invalid params: uri must be a string');
  const address = parseAddress(uri);
  const found = address && (await getSeen(call, address.id).catch(refusedIsUndefined));
  if (!found) throw new RpcError(errorCodes.resourceNotFound, 'Resource not found');
  const place = readCursor({ cursor: address?.cursor }, readPlace) ?? { direction: 'forward', seq: 0, offset: 0 };
  const page = await readStretch(call, found.conversation, place, room);
  const next = page.next && formatCursor(reading, [page.next.seq, page.next.offset]);
  const more = next === undefined ? [] : [`It goes on at ${addressOf(found.conversation.id)}?cursor=${next}`];
  return { contents: [{ uri, mimeType, text: [quotePage(call, found.shown, page), ...more].join('\n') }] };
}

function readPlace(cursor: string): PagePlace {
  const place = parseCursor(reading, cursor);
  return { direction: 'forward', seq: countAt(place, 0), offset: countAt(place, 1) };
}

function readCursor<Place>({ cursor }: Params, read: (cursor: string) => Place): Place | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  if (typeof cursor !== 'string') throw new RpcError(errorCodes.invalidParams, 'Invalid params: cursor must be a string');
  try {
    return read(cursor);
  } catch (error) {
    throw toInvalid(error);
  }
}

async function told<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw toInvalid(error);
  }
}

function toInvalid(error: unknown): unknown {
  return error instanceof Refusal ? new RpcError(errorCodes.invalidParams, `Invalid params: ${error.message}`) : error;
}

function refusedIsUndefined(error: unknown): undefined {
  if (error instanceof Refusal) return undefined;
  throw error;
}
