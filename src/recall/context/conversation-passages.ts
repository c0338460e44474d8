// What is quoted of one conversation: of one to go on with its end, its summary and what is open; of one that was found, what matched
// and what was answered to it.
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import { isConversationId, parseEntryId } from '../../model/id.ts';
import type { RecallHit } from '../../model/ports/recall.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { summariseEntries } from '../summary/extractive.ts';
import { openWork } from '../summary/open-work.ts';
import type { Visibility } from '../visibility.ts';
import { nameProject, titleOf } from './context-source.ts';
import type { QuotedPassage } from './quoted-passage.ts';

export interface PassageReader {
  store: ConversationStore;
  visibility: Visibility;
}

const tailLength = 200;
/** Below this many messages the messages themselves are the summary. */
const shortConversation = 8;
/** The last exchange before everything else, then what it was all about. */
const lastExchange = 2;

/** Most telling first. */
export async function readEnd({ store, visibility }: PassageReader, conversation: Conversation): Promise<QuotedPassage[]> {
  const tail = await store.tail(conversation.id, tailLength);
  const quotable = await visibility.quotable(tail, conversation);
  const said = quotable.filter(({ kind }) => kind === 'message');
  const passages = said.map((entry) => toPassage(entry, conversation)).reverse();
  const draft = await readDraft({ store, visibility }, conversation, tail);
  if (draft) passages.unshift(draft);
  const summary = summaryOf(quotable, said, conversation);
  const open = openWork(quotable).filter(({ kind }) => kind === 'todo' || kind === 'next-step');
  const opened = open.map(({ text, at, entryId }) => ({ ...named(conversation), who: 'open-work' as const, text, at, entryId }));
  return [...passages.slice(0, lastExchange), ...(summary ? [summary] : []), ...passages.slice(lastExchange), ...opened];
}

/** What a process that died had said of its answer, and nobody took into the log yet. */
async function readDraft(
  { store, visibility }: PassageReader,
  conversation: Conversation,
  tail: readonly Entry[],
): Promise<QuotedPassage | undefined> {
  const draft = await store.findDraft(conversation.id);
  if (draft?.kind !== 'message' || draft.role !== 'assistant' || draft.model === 'offline' || draft.text.trim() === '')
    return undefined;
  const { after, turnId, text, at = conversation.activeAt } = draft;
  const wasRecorded = tail.some((entry) => entry.seq > after && isAnswerIn(entry, turnId));
  if (wasRecorded || visibility.hasExpired(at, conversation)) return undefined;
  return { ...named(conversation), who: 'assistant', text, at, isInterrupted: true };
}

function isAnswerIn(entry: Entry, turnId: string | undefined): boolean {
  return entry.kind === 'message' && entry.role === 'assistant' && entry.turnId === turnId;
}

/** The conversations that were quoted when the newest requests of this one were made, the newest first. */
export async function readRecalled({ store, visibility }: PassageReader, conversation: Conversation): Promise<Conversation[]> {
  const said = await visibility.quotable(await store.tail(conversation.id, tailLength), conversation);
  const ids = said.flatMap(({ meta }) => (Array.isArray(meta?.recalled) ? meta.recalled : [])).filter(isText);
  const recalled: Conversation[] = [];
  for (const id of new Set(ids.reverse().filter(isConversationId))) {
    const found = recalled.length < maxRecalled ? await store.find(id) : undefined;
    if (found && found.id !== conversation.id && visibility.sees(found)) recalled.push(await visibility.shown(found));
  }
  return recalled;
}

const maxRecalled = 3;

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** What matched, each question with its answer. */
export async function readHits(
  { store, visibility }: PassageReader,
  conversation: Conversation,
  hits: readonly RecallHit[],
): Promise<QuotedPassage[]> {
  const found = hits.filter(({ kind }) => kind !== 'title');
  // Found by its name alone: what it came to says what it is about.
  if (found.length === 0 && hits.length > 0) return readEnd({ store, visibility }, conversation);
  const passages: QuotedPassage[] = [];
  for (const hit of found) {
    const { kind, role, text, at, entryId } = hit;
    const who = kind === 'tool-result' ? 'tool' : kind === 'summary' ? 'summary' : role === 'assistant' ? 'assistant' : 'user';
    passages.push({ ...named(conversation), who, text, at, entryId });
    if (who !== 'user') continue;
    const page = await store.read(conversation.id, { after: parseEntryId(entryId).seq, limit: 10 });
    const next = page.items.find(({ kind }) => kind === 'message');
    const [answer] = next?.kind === 'message' && next.role === 'assistant' ? await visibility.quotable([next], conversation) : [];
    if (answer) passages.push(toPassage(answer, conversation));
  }
  return passages;
}

/** The one that was written, or where there is none and much was said, one made now. */
function summaryOf(quotable: readonly Entry[], said: readonly Entry[], conversation: Conversation): QuotedPassage | undefined {
  if (said.length <= shortConversation && conversation.lastSeq <= tailLength) return undefined;
  const written = quotable.findLast(({ kind }) => kind === 'summary');
  if (written) return toPassage(written, conversation);
  const { text } = summariseEntries(said);
  return text === '' ? undefined : { ...named(conversation), who: 'summary', text, at: said.at(-1)?.at ?? conversation.activeAt };
}

function toPassage(entry: Entry, conversation: Conversation): QuotedPassage {
  const who =
    entry.kind === 'summary' ? 'summary' : entry.kind === 'message' && entry.role === 'assistant' ? 'assistant' : 'user';
  const isCutOff = entry.kind === 'message' && entry.interrupted;
  const text = 'text' in entry ? entry.text : '';
  return { ...named(conversation), who, text, at: entry.at, entryId: entry.id, ...(isCutOff && { isInterrupted: true }) };
}

function named(conversation: Conversation): Pick<QuotedPassage, 'conversationId' | 'title' | 'projectName'> {
  const { id } = conversation;
  const title = titleOf(conversation);
  const projectName = nameProject(conversation);
  return {
    conversationId: id,
    ...(title !== undefined && { title }),
    ...(projectName !== undefined && { projectName }),
  };
}
