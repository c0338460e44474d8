// Conversations that hold what was asked for: the hits of recall, checked once more against the store and grouped by conversation.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { Recall, RecallHit } from '../../model/ports/recall.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { TimeRange } from '../intent/zoned-day.ts';
import { LeftOut, type LeftOutQuery } from '../left-out.ts';
import { recallThresholds } from '../search/weights.ts';
import { toProjectKey, type Visibility } from '../visibility.ts';
import { nameProject, titleOf } from './context-source.ts';
import { isAbout, tellingWords } from './telling-words.ts';

export interface RelatedConversation {
  conversation: Conversation;
  /** Higher is better; comparable within one answer only. */
  score: number;
  /** When the newest of the passages was said. */
  at: number;
  /** Best first. */
  passages: RecallHit[];
}

export interface RelatedQuery extends LeftOutQuery {
  store: ConversationStore;
  recall: Recall;
  visibility: Visibility;
  text: string;
  /** Where the person is: what was said there is preferred. */
  hereProject?: string | undefined;
  /** Only passages said then. */
  when?: TimeRange | undefined;
  /** Leave the conversations of this project out. */
  exceptProject?: string | undefined;
  /** At most so many conversations. */
  limit?: number;
  signal?: AbortSignal | undefined;
}

/** The beginning of a longer question says what it is about. */
const maxQuestion = 4000;
/** More than is wanted, because some may not be seen from here. */
const hitsAskedFor = 60;
/** Several passages say more than one, but not much. */
const furtherShare = 0.1;
const furtherCounted = 3;

export async function findRelated(query: RelatedQuery): Promise<RelatedConversation[]> {
  const { recall, text, except, exceptKeys, when, hereProject, signal, limit = 5 } = query;
  if (text.trim() === '') return [];
  const { hits } = await recall.find({
    text: text.slice(0, maxQuestion),
    limit: hitsAskedFor,
    explain: true,
    ...(hereProject !== undefined && { hereProject }),
    ...(when && { since: when.from, until: when.to }),
    ...(except !== undefined && { except }),
    ...(exceptKeys !== undefined && { exceptKeys }),
    ...(signal && { signal }),
  });
  const leftOut = await LeftOut.find(query.store, query);
  const groups = new Map<ConversationId, { conversation: Conversation; passages: RecallHit[] }>();
  for (const hit of hits) {
    if (when && (hit.at < when.from || hit.at >= when.to)) continue;
    const found = groups.get(hit.conversationId)?.conversation ?? (await query.store.find(hit.conversationId));
    if (!found || (await leftOut.has(found)) || !(await maySee(query, hit, found))) continue;
    const conversation = await query.visibility.shown(found);
    const group = groups.get(conversation.id);
    if (group) group.passages.push(hit);
    else groups.set(conversation.id, { conversation, passages: [hit] });
  }
  const ranked = [...groups.values()]
    .map(({ conversation, passages }) => ({
      conversation,
      passages,
      score: scoreOf(passages),
      at: Math.max(...passages.map(({ at }) => at)),
    }))
    .sort((a, b) => b.score - a.score || b.at - a.at);
  const words = tellingWords(text);
  const related: RelatedConversation[] = [];
  for (const each of ranked) {
    if (related.length === limit) break;
    if (await sharesSubject(query, words, each)) related.push(each);
  }
  return related;
}

const tailLength = 100;

/** What is near enough by its meaning alone needs no word in common. */
async function sharesSubject(query: RelatedQuery, words: readonly string[], found: RelatedConversation): Promise<boolean> {
  const { conversation, passages } = found;
  if (passages.some(({ why }) => (why?.likeness ?? 0) >= recallThresholds.likeness)) return true;
  // What was said in a folder is about what the folder is called, and what it is called itself, whether somebody said it or not.
  const texts = [nameProject(conversation) ?? '', titleOf(conversation) ?? '', ...passages.map(({ text }) => text)];
  if (isAbout(words, texts)) return true;
  const said = await query.visibility.quotable(await query.store.tail(conversation.id, tailLength), conversation);
  return isAbout(words, [...texts, ...said.map((entry) => ('text' in entry ? entry.text : ''))]);
}

/** An index may be a moment behind: what the store does not permit any more is not shown. */
async function maySee({ store, visibility, exceptProject }: RelatedQuery, hit: RecallHit, found: Conversation): Promise<boolean> {
  if (!visibility.sees(found) || (exceptProject !== undefined && toProjectKey(found.project) === toProjectKey(exceptProject)))
    return false;
  const entry = await store.findEntry(hit.entryId);
  return entry !== undefined && (await visibility.quotable([entry], found)).length > 0;
}

function scoreOf(passages: readonly RecallHit[]): number {
  const [best = 0, ...further] = passages.map(({ score }) => score).sort((a, b) => b - a);
  return further.slice(0, furtherCounted).reduce((sum, score) => sum + score * furtherShare, best);
}
