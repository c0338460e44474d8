// One search: question → candidates by words and by meaning, among what may be seen → one order → what is near enough → quotations
// from the log → by conversation. Where nothing is left it says why, speaking only of what may be seen.
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { EmptyReason, RecallAnswer, RecallHit, RecallQuery } from '../../model/ports/recall.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { listWithSubAgents } from '../index/conversation-catalogue.ts';
import { DocumentTable } from '../index/document-table.ts';
import type { IndexDatabase } from '../index/index-database.ts';
import type { LexicalFilters } from '../index/lexical-filters.ts';
import { rememberUnchanged } from '../index/remember-unchanged.ts';
import { keepings } from '../index/schema.ts';
import { statement } from '../index/statements.ts';
import { listExcept } from '../left-out.ts';
import { buildQuery } from '../tokens/build-query.ts';
import type { Visibility } from '../visibility.ts';
import { hasFilters, sharedWithAsker, withoutFilters, withProjectKeys } from './asked-for.ts';
import type { CandidateSource } from './candidates.ts';
import { fuse, type Ranked } from './fuse.ts';
import { groupHits } from './group-hits.ts';
import { Quoter } from './quote.ts';
import { isNearEnough, saysSomething } from './threshold.ts';
import {
  candidatesMost,
  candidatesPerHit,
  candidatesWanted,
  type RecallThresholds,
  type RecallWeights,
  recallThresholds,
  wideThresholds,
} from './weights.ts';

export interface SearchOptions {
  store: ConversationStore;
  index: IndexDatabase;
  source: CandidateSource;
  /** From where it is asked. */
  visibility: Visibility;
  now: number;
  /** Not everything is indexed yet. */
  isBehind: boolean;
  weights?: RecallWeights | undefined;
  thresholds?: RecallThresholds | undefined;
  /** A cosine that is near enough, in place of the likeness among the thresholds. */
  leastSimilarity?: number | undefined;
}

const defaultLimit = 10;

export async function searchConversations(asked: RecallQuery, options: SearchOptions): Promise<RecallAnswer> {
  const { query, shared } = await withSubAgents(withProjectKeys(asked), options);
  const { extent, hits } = await findHits(query, options, shared);
  const complete = extent.complete && !options.isBehind;
  const incompleteBecause = options.isBehind ? ('index-behind' as const) : ('newest-only' as const);
  const searched = { ...extent, complete, ...(!complete && { incompleteBecause }) };
  if (hits.length > 0) return { hits, groups: groupHits(hits, options.weights?.furtherHit), searched };
  return { hits, groups: [], searched, emptyBecause: await findReason(query, options, shared) };
}

type Shared = ReadonlyMap<ConversationId, number>;

/** Whoever asks is left out with the sub-agents it sent out, before anything is counted. */
async function withSubAgents(
  asked: RecallQuery,
  { store, index }: SearchOptions,
): Promise<{ query: RecallQuery; shared: Shared }> {
  const { except, exceptKeys = [], ...rest } = asked;
  const left = listWithSubAgents(index.database, listExcept(except), exceptKeys);
  const shared = await sharedWithAsker(store, except);
  for (const id of left) shared.set(id, Number.MAX_SAFE_INTEGER);
  return { query: left.length === 0 ? rest : { ...rest, except: left }, shared };
}

async function findHits(query: RecallQuery, options: SearchOptions, shared: Shared) {
  const { limit = defaultLimit, signal, hereProject } = query;
  const { store, visibility, now, weights } = options;
  const filters = toFilters(query, visibility.hidden);
  const extent = { ...countVisible(options, query), complete: true };
  const question = buildQuery(query.text);
  if (!saysSomething(query.text, question) || limit < 1) return { extent, hits: [] };
  const wanted = Math.min(candidatesMost, Math.max(candidatesWanted, limit * candidatesPerHit));
  const gathered = await options.source.gather({ text: query.text, question, filters, limit: wanted, now, signal });
  const { leastSimilarity, thresholds = query.reach === 'wide' ? wideThresholds : recallThresholds } = options;
  const likeness = leastSimilarity === undefined ? undefined : gathered.scale?.toLikeness(leastSimilarity);
  const least = likeness === undefined ? thresholds : { ...thresholds, likeness: Math.max(1e-6, likeness) };
  const ranked = fuse(gathered.candidates, { now, hereProject, hasSemantic: gathered.hasSemantic, ...(weights && { weights }) });
  const near = ranked.filter(({ candidate }) => isNearEnough(candidate, question, least));
  const terms = question.terms.map((term) => term.text);
  const quoter = new Quoter({
    store,
    query,
    visibility,
    shared,
    terms,
    isQuoted: question.terms.some(({ isRequired }) => isRequired),
  });
  const hits = await quoteBest(near, quoter, query, limit);
  return { extent: { ...extent, complete: gathered.complete }, hits };
}

async function quoteBest(near: readonly Ranked[], quoter: Quoter, query: RecallQuery, limit: number): Promise<RecallHit[]> {
  const hits: RecallHit[] = [];
  const reasons = new Map<RecallHit, Ranked['why']>();
  for (const ranked of near) {
    if (hits.length === limit) break;
    assertWanted(query.signal);
    const hit = await quoter.quote(ranked);
    if (!hit) continue;
    // Whoever is shown words of a conversation is told its title with them.
    const other = hits.findIndex(({ conversationId, kind }) => conversationId === hit.conversationId && kind === 'title');
    const isKnown = hit.kind === 'title' && hits.some(({ conversationId }) => conversationId === hit.conversationId);
    if (isKnown) continue;
    if (other >= 0) hits.splice(other, 1);
    hits.push(hit);
    reasons.set(hit, ranked.why);
  }
  if (query.answers === false) return hits;
  const known = new Set(hits.map(({ entryId }) => entryId));
  const answered: RecallHit[] = [];
  for (const hit of hits) {
    if (answered.length >= limit) break;
    answered.push(hit);
    const answer = await quoter.findAnswer(hit, reasons.get(hit) as Ranked['why']);
    if (!answer || known.has(answer.entryId)) continue;
    known.add(answer.entryId);
    answered.push(answer);
  }
  return answered.slice(0, limit);
}

/** One set of filters for each project that is asked for. */
function toFilters(query: RecallQuery, hidden: ReadonlySet<string>): LexicalFilters[] {
  const { agent, role, since, until, tag, conversation, except, project, projects } = query;
  const common: LexicalFilters = {
    ...(hidden.size > 0 && { projectsHidden: [...hidden] }),
    ...(agent !== undefined && { agent }),
    ...(role !== undefined && { role }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(tag !== undefined && { tag }),
    ...(conversation !== undefined && { conversation }),
    ...(except !== undefined && { except }),
  };
  if (projects === undefined) return [{ ...common, ...(project !== undefined && { project }) }];
  const wanted = [...new Set(projects)].filter((each) => project === undefined || each === project);
  return wanted.map((each) => ({ ...common, project: each }));
}

async function findReason(query: RecallQuery, options: SearchOptions, shared: Shared): Promise<EmptyReason> {
  if (!saysSomething(query.text, buildQuery(query.text))) return 'nothing-asked';
  if (options.isBehind) return 'index-behind';
  const open = withoutFilters(query);
  if (!hasVisible(options, open)) return 'nothing-stored';
  if (!hasFilters(query)) return 'below-threshold';
  const { hits } = await findHits({ ...open, limit: 1, answers: false }, options, shared);
  return hits.length > 0 ? 'filtered' : 'below-threshold';
}

/** How much may be seen and was asked for, as far as it is indexed: never a figure about what is hidden. */
function countVisible({ index, visibility, now }: SearchOptions, query: RecallQuery): Extent {
  const { condition, values } = visibleCondition(query, visibility.hidden);
  const { database } = index;
  // What is kept for good is counted without being looked at. What is kept for a time counts as far as it is not over, which changes
  // with the clock: what is over and was not taken out yet is another question.
  const expired = new DocumentTable(database).countExpired(now);
  return rememberUnchanged(database, JSON.stringify([condition, values, expired]), () => {
    const count = (figures: string, keeping: (typeof keepings)[number], more = '') =>
      statement<(string | number)[], Extent>(
        database,
        `SELECT ${figures} FROM conversations c${more} WHERE ${condition} AND keeps = ${keepings.indexOf(keeping)}`,
      );
    const allOf = 'count(*) AS conversations, coalesce(sum(watermark - coalesce(origin_seq, 0)), 0) AS entries';
    const forGood = count(allOf, 'for-good').get(...values) as Extent;
    const documents = ' JOIN documents d ON d.conversation = c.id AND d.seq > 0 AND d.expires_at > ?';
    const eachOf = 'count(DISTINCT c.id) AS conversations, count(*) AS entries';
    const forATime = count(eachOf, 'for-a-time', documents).get(now, ...values) as Extent;
    return {
      conversations: forGood.conversations + forATime.conversations,
      entries: forGood.entries + forATime.entries,
    };
  });
}

interface Extent {
  conversations: number;
  entries: number;
}

/** Whether there is anything at all that words could find. */
function hasVisible({ index, visibility, now }: SearchOptions, query: RecallQuery): boolean {
  const { condition, values } = visibleCondition(query, visibility.hidden);
  const document = 'SELECT 1 FROM documents d WHERE d.conversation = c.id AND (d.expires_at IS NULL OR d.expires_at > ?)';
  const sql = `SELECT 1 FROM conversations c WHERE ${condition} AND EXISTS (${document}) LIMIT 1`;
  return index.database.prepare(sql).get(...values, now) !== undefined;
}

function visibleCondition(query: RecallQuery, hidden: ReadonlySet<string>): { condition: string; values: string[] } {
  const { project, projects, agent, tag, conversation, except } = query;
  const values: string[] = [];
  const when = (condition: string, value: string | undefined) => {
    if (value === undefined) return [];
    values.push(value);
    return [condition];
  };
  const conditions = [
    'trashed = 0 AND excluded = 0 AND last_seq > 0',
    ...when('(project IS NULL OR project NOT IN (SELECT value FROM json_each(?)))', JSON.stringify([...hidden])),
    ...when('project = ?', project),
    ...when('project IN (SELECT value FROM json_each(?))', projects && JSON.stringify(projects)),
    ...when('agent = ?', agent),
    ...when('conversation_id = ?', conversation),
    ...when('conversation_id NOT IN (SELECT value FROM json_each(?))', except && JSON.stringify(listExcept(except))),
    ...when('EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)', tag),
  ];
  return { condition: conditions.join(' AND '), values };
}

function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
}
