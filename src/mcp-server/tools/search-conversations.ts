// search_conversations: passages of every conversation that answer a question, by words and by meaning, best first.
import * as z from 'zod';
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { EmptyReason, IncompleteReason, RecallHit } from '../../model/ports/recall.ts';
import { cleanQuote } from '../../recall/context/clean-quote.ts';
import { quoteHistory, quoteLines } from '../../recall/context/quote-history.ts';
import type { QuotedPassage } from '../../recall/context/quoted-passage.ts';
import { detectLanguage } from '../../recall/summary/language.ts';
import { digestOf, formatCursorOf, parseCursorOf } from '../cursor.ts';
import { findFields } from '../seen-projects.ts';
import { type Call, notice, type ReadTool, Refusal } from '../server-tool.ts';
import { findSeen, formatTime, type ShownConversation, showConversation, toLine } from '../shown-conversation.ts';
import { agentField, cursorField, projectField, readSince, sinceField } from './tool-schemas.ts';

const name = 'search_conversations';
const defaultLimit = 8;
const mostHits = 20;
/** Whoever did not find it among so many asks another question. */
const mostPaged = 100;
/** Letters a passage is known by inside of a cursor. */
const markLength = 4;

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(2000)
    .describe('What to look for, in any language: words, a question, an identifier, an error message.'),
  project: projectField.optional(),
  agent: agentField.optional(),
  since: sinceField.optional(),
  limit: z.int().min(1).max(mostHits).optional().describe(`Passages at most; ${defaultLimit} if left out.`),
  cursor: cursorField.optional(),
});

const output = z.object({
  notice: z.string(),
  hits: z.array(
    z.object({
      conversation_id: z.string(),
      entry_id: z.string(),
      title: z.string().optional(),
      project: z.string().optional(),
      project_name: z.string().optional(),
      agent: z.string().optional(),
      who: z.string(),
      at: z.string(),
      text: z.string(),
    }),
  ),
  searched: z.object({
    conversations: z.number(),
    entries: z.number(),
    complete: z.boolean(),
    incomplete_because: z.enum(['index-behind', 'newest-only', 'index-newer', 'index-unavailable']).optional(),
  }),
  empty_because: z.string().optional(),
  next_cursor: z.string().optional(),
  limit_reached: z.boolean().optional().describe(`More was found, but one question brings ${mostPaged} passages at most.`),
});

export const searchConversations: ReadTool<z.infer<typeof input>> = {
  kind: 'read',
  name,
  title: 'Search past conversations',
  description:
    'Search everything said in past conversations with any agent (Claude Code, Codex, Gemini and others), in every project: decisions, fixes, errors, commands, preferences. Use it before you solve something that may have been solved before, and when the user refers to earlier work. Returns quoted passages with conversation_id and entry_id for read_conversation.',
  input,
  output,
  run: search,
};

interface Found {
  hit: RecallHit;
  shown: ShownConversation;
  passage: QuotedPassage;
}

async function search(asked: z.infer<typeof input>, call: Call) {
  const { outlook, own, signal } = call;
  const { limit = defaultLimit } = asked;
  if (asked.query.trim() === '') throw new Refusal('query holds nothing to look for.');
  const question = [asked.query, asked.project ?? '', asked.agent ?? '', asked.since ?? ''];
  const passed = asked.cursor === undefined ? [] : readPassed(parseCursorOf(name, question, asked.cursor));
  const since = readSince(asked.since, outlook.now);
  const answer = await outlook.recall.find({
    text: asked.query,
    limit: Math.min(mostPaged, passed.length + limit) + 1,
    reach: 'wide',
    hereProject: outlook.here.key,
    signal,
    ...own.query,
    ...(asked.project !== undefined && { projects: await findFields(call, asked.project) }),
    ...(asked.agent !== undefined && { agent: asked.agent }),
    ...(since !== undefined && { since }),
  });
  // Not by their number: what is said between two pages moves the others on.
  const rest = answer.hits.filter((hit) => !passed.includes(markOf(hit)));
  const page = rest.slice(0, Math.min(limit, mostPaged - passed.length));
  const found = await describeHits(call, page);
  const isMore = rest.length > page.length;
  const marks = [...passed, ...page.map(markOf)];
  const isLast = isMore && marks.length >= mostPaged;
  const next = isMore && !isLast ? formatCursorOf(name, question, [marks.join('')]) : undefined;
  const { conversations, entries } = answer.searched;
  const complete = answer.searched.complete || outlook.isAbsent;
  const incomplete = complete ? undefined : answer.searched.incompleteBecause;
  const searched = { conversations, entries, complete, ...(incomplete && { incomplete_because: incomplete }) };
  const structured = {
    notice,
    hits: found.map(toStructured),
    searched,
    ...(found.length === 0 && answer.emptyBecause !== undefined && { empty_because: answer.emptyBecause }),
    ...(next !== undefined && { next_cursor: next }),
    ...(isLast && { limit_reached: true }),
  };
  const looked = `Looked through ${entries} entries of ${conversations} conversations${incomplete ? notAll[incomplete] : ''}.`;
  const more = [
    ...(next === undefined ? [] : [`There is more: call again with cursor "${next}".`]),
    ...(isLast
      ? [`There is more, but one question brings ${mostPaged} passages at most: ask more exactly, or with a filter.`]
      : []),
  ];
  if (found.length === 0) {
    const ended = isMore ? 'None of these may be seen any more.' : 'There are no more passages.';
    const why = passed.length > 0 || isMore ? ended : whyNothing(answer.emptyBecause, outlook.isAbsent);
    return { text: [`${why} ${looked}`, ...more].join('\n'), structured };
  }
  const text = [...quoteFound(call, found, asked.query), looked, 'Read on in any of them with read_conversation.', ...more];
  return { text: text.join('\n'), structured };
}

/** The same words are quoted once; below it stands where else they are. */
function quoteFound(call: Call, found: readonly Found[], query: string): string[] {
  const { offsetMinutes } = call.outlook;
  const language = detectLanguage(query);
  const passages = found.map(({ passage }) => passage);
  const { text, quoted } = quoteHistory(passages, { tokenBudget: Number.POSITIVE_INFINITY, language, offsetMinutes });
  const isQuoted = ({ hit }: Found) => quoted.some(({ entryId }) => entryId === hit.entryId);
  const others = found.filter((each) => !isQuoted(each));
  if (others.length === 0) return [text];
  const lines = others.map(({ hit, shown }) => `${toLine({ ...shown, activeAt: hit.at }, call)} · ${hit.entryId}`);
  return [text, 'The same words, or nearly the same, were also said in:', quoteLines(lines, language)];
}

/** What pages before this one brought, out of their cursor. */
function readPassed([marks]: readonly (string | number)[]): string[] {
  const passed =
    typeof marks === 'string' && /^[\w-]+$/.test(marks) ? (marks.match(new RegExp(`.{${markLength}}`, 'g')) ?? []) : [];
  if (passed.length > 0 && passed.length < mostPaged && passed.join('') === marks) return passed;
  throw new Refusal('The cursor is not valid. Start again without a cursor.');
}

function markOf({ entryId, kind }: RecallHit): string {
  return digestOf(kind === 'title' ? `title ${entryId}` : entryId, markLength);
}

const notAll: Record<IncompleteReason, string> = {
  'index-behind': '; not everything is indexed yet, ask again in a moment',
  'newest-only': '; these words stand in very many of them, and only the newest were compared: rarer words find older ones',
  'index-newer':
    '; by words alone and in the newest only, because a newer version of Continuo made the index: the user should update this server or start it again',
  'index-unavailable':
    '; by words alone and in the newest only, because the index cannot be used: the user should run "continuo doctor"',
};

/** The log is asked once more. */
async function describeHits(call: Call, hits: readonly RecallHit[]): Promise<Found[]> {
  const known = new Map<ConversationId, Promise<Describing | undefined>>();
  const found: Found[] = [];
  for (const hit of hits) {
    const asking = known.get(hit.conversationId) ?? describe(call, hit.conversationId);
    known.set(hit.conversationId, asking);
    const conversation = await asking;
    if (!conversation) continue;
    const passage = await toPassage(call, conversation, hit);
    if (passage) found.push({ hit, shown: conversation.shown, passage });
  }
  return found;
}

interface Describing {
  conversation: Conversation;
  shown: ShownConversation;
}

async function describe(call: Call, id: ConversationId): Promise<Describing | undefined> {
  const conversation = await call.outlook.store.find(id);
  const seen = conversation && (await findSeen(call, conversation));
  return seen && { conversation: seen.conversation, shown: await showConversation(call, seen) };
}

async function toPassage(call: Call, { conversation, shown }: Describing, hit: RecallHit): Promise<QuotedPassage | undefined> {
  const entry = await call.outlook.store.findEntry(hit.entryId);
  const [permitted] = entry ? await call.visibility.quotable([entry], conversation) : [];
  // Found by its title: that stands in the heading, and below it what was said first.
  const isTitle = hit.kind === 'title';
  if (!permitted && !isTitle) return undefined;
  const text = isTitle ? (permitted && 'text' in permitted ? permitted.text.slice(0, 400) : (shown.title ?? '')) : hit.text;
  const { title, projectName } = shown;
  return {
    conversationId: hit.conversationId,
    ...(title !== undefined && { title }),
    ...(projectName !== undefined && { projectName }),
    who: whoSaid(hit),
    at: hit.at,
    entryId: hit.entryId,
    text,
  };
}

function whoSaid({ kind, role }: RecallHit): QuotedPassage['who'] {
  if (kind === 'summary') return 'summary';
  if (kind === 'tool-result' || kind === 'tool-call') return 'tool';
  return role === 'assistant' ? 'assistant' : 'user';
}

function toStructured({ hit, shown, passage }: Found) {
  const { title, project, projectName, agent } = shown;
  return {
    conversation_id: hit.conversationId,
    entry_id: hit.entryId,
    ...(title !== undefined && { title }),
    ...(project !== undefined && { project }),
    ...(projectName !== undefined && { project_name: projectName }),
    ...(agent !== undefined && { agent }),
    who: hit.kind === 'title' ? 'title' : passage.who,
    at: formatTime(hit.at),
    text: cleanQuote(passage.text),
  };
}

function whyNothing(reason: EmptyReason | undefined, isAbsent: boolean): string {
  if (isAbsent) return 'Nothing is stored yet: there are no past conversations here.';
  if (reason === 'nothing-stored') return 'Nothing is stored that may be seen from here.';
  if (reason === 'filtered') return 'Nothing was found with these filters; without them there is something.';
  if (reason === 'nothing-asked') return 'These words alone are not searched for: name what it is about.';
  if (reason === 'index-behind') return 'Nothing was found in what is indexed so far.';
  return 'Nothing was found that is near enough to the question.';
}
