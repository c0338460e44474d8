// A team's messages as entries of one conversation in the store, and back. Who spoke and who was addressed is data of the entry; the
// task is an event of its own, so that the end of the log tells it without what lies before.
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Entry, NewEntry } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';
import type { TokenUsage } from '../model/ports/text-model.ts';
import type { ConversationMessage, SessionSpeaker } from '../snapshot/session-snapshot.ts';
import type { ConversationStore, ReadOptions } from '../store/conversation-store.ts';
import { readSpeaker } from './legacy-speaker.ts';

type MessageEntry = Extract<NewEntry, { kind: 'message' }>;

export interface Saying {
  speaker: SessionSpeaker;
  text: string;
  /** Who is addressed, by id. */
  next?: readonly string[];
  unknown?: readonly string[];
  turnId?: string;
  /** When it was said; now if left out. */
  at?: number;
  model?: string;
  usage?: TokenUsage;
  interrupted?: boolean;
  /** The session of the member's own program. */
  programSession?: string;
}

export const taskEvent = 'team-task';
export const failureEvent = 'member-failed';

/** The key of the conversation that holds a session. */
export function sessionKey(sessionId: string): string {
  return `team-session:${sessionId}`;
}

export function buildEntry(saying: Saying): MessageEntry {
  const { speaker, text, turnId, at, model, usage, interrupted, next = [], unknown = [], programSession } = saying;
  const team: JsonObject = { speaker: { ...speaker } as JsonObject };
  if (next.length > 0) team.next = [...next];
  if (unknown.length > 0) team.unknown = [...unknown];
  if (programSession !== undefined) team.programSession = programSession;
  const counted = usage && Object.keys(usage).length > 0;
  return {
    kind: 'message',
    role: speaker.type === 'human' ? 'user' : speaker.type === 'system' ? 'system' : 'assistant',
    text,
    author: { id: speaker.id, name: speaker.displayName ?? speaker.name },
    ...(turnId !== undefined && { turnId }),
    ...(at !== undefined && { at }),
    ...(model !== undefined && { model }),
    ...(counted && { usage }),
    ...(interrupted && { interrupted }),
    meta: { team },
  };
}

/** The message an entry holds; undefined for everything else. What others appended to the conversation is a message, too. */
export function readMessage(entry: Entry): ConversationMessage | undefined {
  if (entry.kind !== 'message' || entry.withheld !== undefined) return undefined;
  const team = readTeam(entry);
  const speaker = readSpeaker({ speaker: (team.speaker ?? guessSpeaker(entry)) as unknown as SessionSpeaker });
  const routing: JsonObject = {};
  for (const name of ['next', 'unknown'] as const) if (team[name] !== undefined) routing[name] = team[name] as JsonValue;
  return {
    id: entry.id,
    timestamp: new Date(entry.at).toISOString(),
    speaker,
    content: entry.text,
    ...(Object.keys(routing).length > 0 && { routing }),
    seq: entry.seq,
    ...(entry.interrupted && { interrupted: true }),
  };
}

export interface LogTail {
  messages: ConversationMessage[];
  /** The last task that was set; undefined where none was. */
  teamTask: string | undefined;
  programSessions: Record<string, string>;
  /** The position of the last entry that was read. */
  lastSeq: number;
}

/** What was said after the position. */
export async function readTail(store: ConversationStore, id: ConversationId, after: number): Promise<LogTail> {
  const tail: LogTail = { messages: [], teamTask: undefined, programSessions: {}, lastSeq: after };
  let options: ReadOptions | undefined = { after, limit: 1000 };
  while (options) {
    const page = await store.read(id, options);
    for (const entry of page.items) take(tail, entry);
    options = page.next;
  }
  return tail;
}

function take(tail: LogTail, entry: Entry): void {
  tail.lastSeq = entry.seq;
  if (entry.kind === 'event' && entry.name === taskEvent && entry.withheld === undefined) tail.teamTask = entry.text;
  const message = readMessage(entry);
  if (!message) return;
  tail.messages.push(message);
  const session = readTeam(entry).programSession;
  if (typeof session === 'string') tail.programSessions[message.speaker.id] = session;
}

function readTeam({ meta }: Entry): JsonObject {
  const team = meta?.team;
  return typeof team === 'object' && team !== null && !Array.isArray(team) ? team : {};
}

/** Whoever spoke in the conversation without being of the team. No member has such an id. */
const guest = 'guest:';

export function isGuest({ id }: SessionSpeaker): boolean {
  return id.startsWith(guest);
}

function guessSpeaker({ role, author, model }: Extract<Entry, { kind: 'message' }>): JsonObject {
  const type = role === 'user' ? 'human' : role === 'system' ? 'system' : 'ai';
  const name = author?.name ?? (type === 'ai' ? model : undefined) ?? role;
  return { id: author?.id ?? author?.name ?? guest + role, name, type };
}
