// What is put before a model together with a request: what the person means, which earlier conversations that is, and the section
// that quotes them. Says why in every case, also where nothing is recalled.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { Recall } from '../../model/ports/recall.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { type Intent, readIntent } from '../intent/continue-intent.ts';
import { LeftOut, type LeftOutQuery } from '../left-out.ts';
import { detectLanguage } from '../summary/language.ts';
import { Visibility } from '../visibility.ts';
import { type ContextSource, toSource } from './context-source.ts';
import { readEnd, readHits, readRecalled } from './conversation-passages.ts';
import { quoteHistory } from './quote-history.ts';
import { quoteWords } from './quote-words.ts';
import type { QuotedPassage } from './quoted-passage.ts';
import { findRelated, type RelatedConversation } from './related-conversations.ts';
import { resolveContinue } from './resolve-continue.ts';

export interface PrepareRequest extends LeftOutQuery {
  store: ConversationStore;
  recall: Recall;
  now: number;
  asked: string;
  tokenBudget: number;
  /** At most so many conversations. */
  maxResults: number;
  /** Of what was found, only what is at least so near to the best; from 0 to 1. */
  similarityThreshold: number;
  offsetMinutes: number;
  /** What the model reads anyway. */
  present: readonly string[];
  hereProject?: string | undefined;
  privateProjects?: Iterable<string> | undefined;
  signal?: AbortSignal | undefined;
}

export type ContextReason =
  /** One conversation is gone on with, or two are offered. */
  | 'continues'
  | 'two-candidates'
  /** Found by its content. */
  | 'found'
  /** Nothing was said anywhere that may be seen; nothing at that time; nothing about what was named. */
  | 'nothing-said'
  | 'nothing-then'
  | 'nothing-about-it'
  /** The request says nothing that could be looked for. */
  | 'nothing-asked'
  /** All of it is in the present conversation already, or the budget is too small. */
  | 'already-present'
  | 'does-not-fit';

export interface PreparedContext {
  /** What to send: the section and the request, or the request alone. */
  prompt: string;
  /** The quoted history; empty where nothing is quoted. */
  section: string;
  why: ContextReason;
  intent: Intent;
  /** The conversations that are quoted, best first. */
  sources: ContextSource[];
  quoted: QuotedPassage[];
}

export async function prepareContext(request: PrepareRequest): Promise<PreparedContext> {
  const { asked, now, offsetMinutes } = request;
  const intent = readIntent(asked, { now, offsetMinutes });
  const found = intent.kind === 'search' && !intent.when ? await findByContent(request, intent) : await goOn(request, intent);
  const language = detectLanguage(asked);
  const words = quoteWords[language];
  const { text, quoted, leftOut } = quoteHistory(found.passages, {
    tokenBudget: request.tokenBudget,
    language,
    present: request.present,
    offsetMinutes,
    offersTwo: found.why === 'two-candidates',
  });
  const used = new Set(quoted.map(({ conversationId }) => conversationId));
  const sources = found.sources.filter(({ conversationId }) => used.has(conversationId));
  const isEmpty = found.passages.length > 0 && quoted.length === 0;
  const why = isEmpty ? (leftOut > 0 ? 'does-not-fit' : 'already-present') : found.why;
  // Somebody who wants to go on must be told that there is nothing; who asks something new must not be bothered with it.
  const isLost = intent.kind !== 'search' && found.passages.length === 0;
  const section = text === '' && isLost ? `${words.heading}\n${words.nothingFound}` : text;
  const prompt = section === '' ? asked : `${section}\n\n${words.question}\n${asked}`;
  return { prompt, section: text, why, intent, sources, quoted };
}

interface Found {
  why: ContextReason;
  sources: ContextSource[];
  passages: QuotedPassage[];
}

const passagesEach = 4;

async function findByContent(request: PrepareRequest, intent: Intent): Promise<Found> {
  if (intent.content === '') return { why: 'nothing-asked', sources: [], passages: [] };
  const visibility = new Visibility(request);
  const related = nearOnly(
    await findRelated({ ...request, visibility, text: intent.content, limit: request.maxResults }),
    request.similarityThreshold,
  );
  const passages: QuotedPassage[] = [];
  for (const { conversation, passages: hits } of related) {
    passages.push(...(await readHits({ store: request.store, visibility }, conversation, hits.slice(0, passagesEach))));
  }
  const sources = related.map(({ conversation, at }) => toSource(conversation, { at, why: ['content'], open: [] }));
  return { why: related.length > 0 ? 'found' : 'nothing-about-it', sources, passages };
}

/** What is far behind the best is there because something has to come second. */
export function nearOnly(related: readonly RelatedConversation[], similarityThreshold: number): RelatedConversation[] {
  const best = related[0]?.score ?? 0;
  return related.filter(({ score }) => score >= best * similarityThreshold);
}

async function goOn(request: PrepareRequest, intent: Intent): Promise<Found> {
  const answer = await resolveContinue({ ...request, intent });
  if (answer.kind === 'none') return { why: answer.why, sources: [], passages: [] };
  const sources = answer.kind === 'one' ? [answer.source] : answer.sources;
  const reader = { store: request.store, visibility: new Visibility(request) };
  const piles: QuotedPassage[][] = [];
  const origins: Conversation[] = [];
  for (const { conversationId, why } of sources) {
    const found = await request.store.find(conversationId);
    if (!found || !reader.visibility.sees(found)) continue;
    const conversation = await reader.visibility.shown(found);
    const hits = why.includes('content') ? await hitsIn(request, reader.visibility, intent, conversationId) : [];
    piles.push([...(await readHits(reader, conversation, hits)), ...(await readEnd(reader, conversation))]);
    // Who goes on a second time means what was gone on with the first time.
    if (answer.kind === 'one') origins.push(...(await readRecalled(reader, conversation)));
  }
  const passages = inTurn(piles);
  const all = [...sources];
  const leftOut = await LeftOut.find(request.store, request);
  for (const origin of origins) {
    if (await leftOut.has(origin)) continue;
    passages.push(...(await readEnd(reader, origin)));
    all.push(toSource(origin, { at: origin.activeAt, why: ['went-on-from'], open: [] }));
  }
  return { why: answer.kind === 'one' ? 'continues' : 'two-candidates', sources: all, passages };
}

async function hitsIn(request: PrepareRequest, visibility: Visibility, intent: Intent, id: ConversationId) {
  const related = await findRelated({
    ...request,
    visibility,
    text: intent.content,
    when: intent.when,
    limit: request.maxResults,
  });
  return related.find(({ conversation }) => conversation.id === id)?.passages.slice(0, passagesEach) ?? [];
}

/** One of each after the other, so that a small budget serves both. */
function inTurn(piles: readonly QuotedPassage[][]): QuotedPassage[] {
  const longest = Math.max(0, ...piles.map(({ length }) => length));
  const places = Array.from({ length: longest }, (_, i) => i);
  return places.flatMap((i) => piles.map((pile) => pile[i])).filter((passage) => passage !== undefined);
}
