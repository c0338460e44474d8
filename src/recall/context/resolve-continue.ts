// Which conversation somebody means who wants to go on. A request without content is resolved by recency, open work, project and time;
// one that names something is searched for first, and the same signs break ties. Where two are close both are offered.
import type { Recall } from '../../model/ports/recall.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Intent } from '../intent/continue-intent.ts';
import { hour, minute, type TimeRange } from '../intent/zoned-day.ts';
import type { LeftOutQuery } from '../left-out.ts';
import { Visibility } from '../visibility.ts';
import { type ContextSource, type SourceReason, toSource } from './context-source.ts';
import { listRecentWork, type RecentWork, readWork } from './recent-work.ts';
import { findRelated, type RelatedConversation } from './related-conversations.ts';

export interface ResolveContinueRequest extends LeftOutQuery {
  store: ConversationStore;
  recall: Recall;
  now: number;
  intent: Intent;
  /** The request as it was written. */
  asked?: string | undefined;
  /** The project the person is in. */
  hereProject?: string | undefined;
  privateProjects?: Iterable<string> | undefined;
  signal?: AbortSignal | undefined;
}

export type ContinueAnswer =
  | { kind: 'one'; source: ContextSource }
  | { kind: 'two'; sources: [ContextSource, ContextSource] }
  | { kind: 'none'; why: 'nothing-said' | 'nothing-then' | 'nothing-about-it' };

export async function resolveContinue(request: ResolveContinueRequest): Promise<ContinueAnswer> {
  const { intent } = request;
  const visibility = new Visibility(request);
  const named = intent.content === '' ? [] : await findNamed(request, visibility);
  if (named.length > 0) return choose(named);
  if (intent.content !== '' && !pointsWithoutWords(request)) return { kind: 'none', why: 'nothing-about-it' };
  const works = await findByRecency(request, visibility, intent.content === '' ? undefined : justNow);
  if (works.length > 0) return choose(works);
  if (intent.content !== '') return { kind: 'none', why: 'nothing-about-it' };
  return { kind: 'none', why: intent.when ? 'nothing-then' : 'nothing-said' };
}

const togetherness = /聊|讨论|说过|说的|提到|我们|咱们|\b(?:we|you (?:said|told|suggested|recommended))\b|話した|얘기/iu;

/** Something was named and is nowhere: only a time, or "just now", still tells what is meant, and only where a talk is meant. */
function pointsWithoutWords({ intent, asked = '' }: ResolveContinueRequest): boolean {
  if (intent.kind === 'search') return intent.when !== undefined && togetherness.test(asked);
  return intent.when !== undefined || intent.deixis.reach === 'just-now';
}

interface Candidate {
  source: ContextSource;
  /** In doublings of age: a conversation half as old is one better. */
  score: number;
}

/** Closer than this nobody can tell which is meant. */
const closeness = 0.4;

function choose(candidates: readonly Candidate[]): ContinueAnswer {
  const [first, second] = [...candidates].sort((a, b) => b.score - a.score || b.source.at - a.source.at);
  if (!first) return { kind: 'none', why: 'nothing-said' };
  if (second && first.score - second.score < closeness) return { kind: 'two', sources: [first.source, second.source] };
  return { kind: 'one', source: first.source };
}

const justNow = 2 * hour;
/** People are not exact: after midnight, yesterday is still today. */
const timeSlack = 4 * hour;

async function findByRecency(request: ResolveContinueRequest, visibility: Visibility, within?: number): Promise<Candidate[]> {
  const { when } = request.intent;
  const list = (range: TimeRange | undefined) => listRecentWork({ ...request, visibility, when: range });
  let works = await list(when);
  if (when && works.length === 0) works = await list({ from: when.from - timeSlack, to: when.to + timeSlack });
  const elsewhere = works.filter(({ conversation }) => !visibility.isHere(conversation));
  if (request.intent.deixis.elsewhere && elsewhere.length > 0) works = elsewhere;
  if (!when && within !== undefined) works = works.filter(({ at }) => request.now - at <= within);
  return works.map((work) => scoreWork(work, request, visibility));
}

/** What stopped in the middle calls louder than a list of next steps. */
const openWeights = { 'interrupted-answer': 1, 'failed-turn': 1, unanswered: 1, todo: 0.6, 'next-step': 0.6 } as const;
/** Here wins over elsewhere unless it is about three times as old. */
const hereWeight = 1.6;
/** A talk younger than this is as new as any. */
const freshness = 5 * minute;

function scoreWork(work: RecentWork, { now, intent }: ResolveContinueRequest, visibility: Visibility): Candidate {
  const { conversation, at, open } = work;
  const isHere = visibility.isHere(conversation);
  const newest = intent.when ? intent.when.to : now;
  const recency = -Math.log2(1 + Math.max(0, newest - at) / freshness);
  const openWeight = Math.max(0, ...open.map(({ kind }) => openWeights[kind]));
  const here = isHere && !intent.deixis.elsewhere ? (intent.deixis.reach === 'just-now' ? hereWeight / 2 : hereWeight) : 0;
  const why: SourceReason[] = [];
  if (intent.when) why.push('time');
  else why.push(isHere ? 'newest-here' : 'newest');
  if (openWeight > 0) why.push('open-work');
  return { source: toSource(conversation, { at, why, open }), score: recency + openWeight + here };
}

/** How much better a hit must be to stand above everything else: half as good is six doublings of age worse. */
const contentWeight = 6;
/** Recency, open work and project only break ties. */
const tieWeight = 0.25;
const namedLimit = 5;

async function findNamed(request: ResolveContinueRequest, visibility: Visibility): Promise<Candidate[]> {
  const { intent } = request;
  const search = (when?: TimeRange) =>
    findRelated({ ...request, visibility, text: intent.content, limit: namedLimit, ...(when && { when }) });
  let found = intent.when ? await search(intent.when) : [];
  if (found.length === 0 && !intent.when) found = await search();
  const best = found[0]?.score ?? 1;
  const candidates: Candidate[] = [];
  for (const related of found) candidates.push(await scoreNamed(related, best, request, visibility));
  return candidates;
}

async function scoreNamed(
  { conversation, score, at }: RelatedConversation,
  best: number,
  request: ResolveContinueRequest,
  visibility: Visibility,
): Promise<Candidate> {
  const work = await readWork({ ...request, visibility, when: undefined }, conversation);
  const { source, score: tie } = scoreWork(work ?? { conversation, at, open: [] }, request, visibility);
  const why: SourceReason[] = ['content', ...source.why.filter((reason) => reason === 'time' || reason === 'open-work')];
  return { source: { ...source, why }, score: contentWeight * Math.log2(Math.max(score, 1e-9) / best) + tieWeight * tie };
}
