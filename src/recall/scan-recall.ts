// Recall without an index: it reads the newest conversations, the tail of each, and scores every entry against the question. Good
// for hundreds of conversations and honest about what it did not read; an index over the whole log is meant to take its place.
// Invariant: text that a policy withholds, text in the trash and text of the asking conversation is never returned.
import { type Clock, systemClock } from '../base/clock.ts';
import type { Conversation } from '../model/conversation.ts';
import type { Entry } from '../model/entry.ts';
import { ContinuoError, isContinuoError } from '../model/error.ts';
import type { ConversationId } from '../model/id.ts';
import type { EmptyReason, Recall, RecallAnswer, RecallHit, RecallQuery } from '../model/ports/recall.ts';
import type { ConversationStore, EntryPage } from '../store/conversation-store.ts';
import { asksIn, bringsAnswer, findQuotedTurns, isBareGoOn } from './echoes.ts';
import { LeftOut } from './left-out.ts';
import { cutPassage } from './passages/cut-passage.ts';
import { findMatches } from './passages/find-matches.ts';
import { type Candidate, type Ranked, rankCandidates } from './scan-recall-rank.ts';
import { buildTerms, countTerm, toSearchText } from './scan-recall-terms.ts';
import { hasFilters, isAskedFor, isEntryAskedFor, sharedWithAsker, withoutFilters, withProjectKeys } from './search/asked-for.ts';
import { groupHits } from './search/group-hits.ts';
import { passageLength } from './search/weights.ts';
import type { QueryTerm } from './tokens/build-query.ts';
import { isQuotable, openVisibility, type PrivateProjects, type Visibility } from './visibility.ts';

export interface ScanRecallOptions {
  /** At most so many conversations, newest first. Default 200. */
  maxConversations?: number;
  /** Of each at most so many entries, newest first. Default 500. */
  maxEntries?: number;
  /** Projects that are shown only to who asks from themselves, by key or by plain path. */
  privateProjects?: PrivateProjects;
  clock?: Clock;
}

const defaultLimit = 10;
const pageSize = 50;
const entriesAtOnce = 200;
/** Longer than this nobody else in the program waits. */
const sliceMilliseconds = 10;

/** A query with an empty text asks for the newest exchanges; one of nothing but stop words finds nothing. */
export function createScanRecall(store: ConversationStore, options: ScanRecallOptions = {}): Recall {
  const scan = async (query: RecallQuery) => {
    const { clock = systemClock, privateProjects } = options;
    const visibility = await openVisibility({ store, now: clock(), hereProject: query.hereProject, privateProjects });
    return new Scan(store, options, query, { visibility, leftOut: await LeftOut.find(store, query) }).run();
  };
  return {
    find: async (asked) => {
      const query = withProjectKeys(asked);
      const found = await scan(query);
      const incompleteBecause = 'newest-only' as const;
      const answer = found.searched.complete ? found : { ...found, searched: { ...found.searched, incompleteBecause } };
      const groups = groupHits(answer.hits);
      if (groups.length > 0) return { ...answer, groups };
      const emptyBecause = await findReason(query, answer, async () => (await scan({ ...withoutFilters(query), limit: 1 })).hits);
      return { ...answer, groups, emptyBecause };
    },
  };
}

/** Speaks only of what may be seen. */
async function findReason(
  query: RecallQuery,
  { searched }: RecallAnswer,
  findAnywhere: () => Promise<RecallHit[]>,
): Promise<EmptyReason> {
  const isAsked = query.text.trim() !== '';
  if (isAsked && buildTerms(query.text).length === 0) return 'nothing-asked';
  if (hasFilters(query) && (await findAnywhere()).length > 0) return 'filtered';
  return !isAsked || (searched.entries === 0 && searched.complete) ? 'nothing-stored' : 'below-threshold';
}

type Searched = RecallAnswer['searched'];

interface Known {
  visibility: Visibility;
  leftOut: LeftOut;
}

class Scan {
  readonly #store: ConversationStore;
  readonly #query: RecallQuery;
  readonly #maxConversations: number;
  readonly #maxEntries: number;
  readonly #visibility: Visibility;
  readonly #leftOut: LeftOut;
  readonly #searched: Searched = { conversations: 0, entries: 0, complete: true };
  readonly #counted = new Set<ConversationId>();
  #sliceEnd = Date.now() + sliceMilliseconds;

  constructor(store: ConversationStore, options: ScanRecallOptions, query: RecallQuery, known: Known) {
    this.#store = store;
    this.#query = query;
    this.#visibility = known.visibility;
    this.#leftOut = known.leftOut;
    this.#maxConversations = options.maxConversations ?? 200;
    this.#maxEntries = options.maxEntries ?? 500;
  }

  async run(): Promise<RecallAnswer> {
    const text = this.#query.text.trim();
    const limit = this.#query.limit ?? defaultLimit;
    this.#assertWanted();
    if (text === '') return { hits: await this.#findNewest(limit), searched: this.#searched };
    const terms = buildTerms(text);
    if (terms.length === 0) return { hits: [], searched: { ...this.#searched, complete: false } };
    const shared = await sharedWithAsker(this.#store, this.#query.except);
    const candidates = new Map<string, Candidate>();
    const isQuoted = terms.some(({ isRequired }) => isRequired);
    for await (const conversation of this.#conversations()) {
      let answer: Entry | undefined;
      for await (const entries of this.#pagesOf(conversation, shared)) {
        for (const entry of entries) {
          const candidate = candidates.has(entry.id) ? undefined : toCandidate(entry, terms, conversation.id, answer);
          if (candidate && (isQuoted || !isBareGoOn(entry))) candidates.set(entry.id, candidate);
          // Newest first, so the last word of the assistant comes before what it answers.
          if (entry.kind === 'message') answer = entry.role === 'user' ? undefined : (answer ?? entry);
        }
      }
    }
    const ranked = withAnswers(rankCandidates([...candidates.values()], terms, this.#searched.entries));
    const hits: RecallHit[] = [];
    const words = terms.map((term) => term.text);
    for (const { id, foundIn, score } of ranked) {
      if (hits.length >= limit) break;
      const hit = await this.#toHit(id, foundIn, words, score);
      if (hit) hits.push(hit);
    }
    return { hits, searched: this.#searched };
  }

  /** The last question and the last answer of each of the newest conversations. */
  async #findNewest(limit: number): Promise<RecallHit[]> {
    const shared = await sharedWithAsker(this.#store, this.#query.except);
    const hits: RecallHit[] = [];
    for await (const conversation of this.#conversations()) {
      const last = new Map<string, Entry>();
      for await (const entries of this.#pagesOf(conversation, shared)) {
        for (const entry of entries) {
          if (entry.kind !== 'message' || last.has(entry.role)) continue;
          if (entry.role === 'assistant' || saysSomething(entry.text, last.has('assistant'))) last.set(entry.role, entry);
        }
        if (last.size === 2) break;
      }
      for (const { id } of [...last.values()].sort((a, b) => a.seq - b.seq)) {
        const hit = hits.length < limit ? await this.#toHit(id, conversation.id, [], limit - hits.length) : undefined;
        if (hit) hits.push(hit);
      }
      if (hits.length < limit) continue;
      this.#searched.complete = false;
      break;
    }
    return hits;
  }

  /** What may be quoted of a conversation, newest first, page by page. */
  async *#pagesOf(conversation: Conversation, shared: ReadonlyMap<ConversationId, number>): AsyncGenerator<Entry[]> {
    const quotedTurns = new Set<string>();
    let left = this.#maxEntries;
    let before: number | undefined;
    do {
      this.#assertWanted();
      const place = before === undefined ? {} : { before };
      const options = { order: 'backward', limit: Math.min(left, entriesAtOnce), ...place } as const;
      const page = await this.#store.read(conversation.id, options).catch(noneIfGone);
      // Newest first, so an answer comes before what it answers.
      for (const turn of findQuotedTurns(page.items)) quotedTurns.add(turn);
      const quotable = page.items.filter((entry) => {
        const isShared = entry.seq <= (shared.get(entry.conversationId) ?? 0);
        const isMeant = !this.#visibility.isExpired(entry, conversation) && isEntryAskedFor(entry, this.#query);
        return isMeant && !isShared && isQuotable(entry) && !asksIn(entry, quotedTurns);
      });
      this.#count(conversation, quotable);
      yield quotable;
      await this.#breathe();
      left -= page.items.length;
      before = page.next?.before;
    } while (before !== undefined && left > 0);
    if (before !== undefined) this.#searched.complete = false;
  }

  /** One whose text is all over is not there for anybody. */
  #count({ id, policy }: Conversation, entries: readonly Entry[]): void {
    this.#searched.entries += entries.length;
    if (policy.kind === 'ttl' && entries.length === 0) return;
    this.#counted.add(id);
    this.#searched.conversations = this.#counted.size;
  }

  async *#conversations(): AsyncGenerator<Conversation> {
    const { project } = this.#query;
    // A path stands in older conversations without its mark: both are gone through.
    const isOneSpelling = project !== undefined && !project.startsWith('path:');
    let cursor: string | undefined;
    let gone = 0;
    do {
      this.#assertWanted();
      const narrowed = { limit: pageSize, ...(isOneSpelling && { project }), ...(cursor !== undefined && { cursor }) };
      const page = await this.#store.list(narrowed);
      for (const conversation of page.items) {
        if (conversation.lastSeq === 0 || !(await this.#isWanted(conversation))) continue;
        if (gone >= this.#maxConversations) {
          this.#searched.complete = false;
          return;
        }
        gone += 1;
        yield conversation;
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /** Read again at the end: what was taken away meanwhile is not returned. */
  async #toHit(
    id: Entry['id'],
    foundIn: ConversationId,
    words: readonly string[],
    score: number,
  ): Promise<RecallHit | undefined> {
    this.#assertWanted();
    const entry = await this.#store.findEntry(id);
    if (!entry || !isQuotable(entry)) return undefined;
    // A shared entry belongs to the conversation it was said in, unless that is in the trash or was not asked for.
    const said = await this.#store.find(entry.conversationId);
    if (said && !this.#visibility.permits(said)) return undefined;
    const conversation = said && (await this.#isWanted(said)) ? said : await this.#store.find(foundIn);
    if (!conversation || !(await this.#isWanted(conversation))) return undefined;
    if (this.#visibility.isExpired(entry, conversation) || !isEntryAskedFor(entry, this.#query)) return undefined;
    const { title, project, agent } = await this.#visibility.shown(conversation);
    return {
      conversationId: conversation.id,
      entryId: entry.id,
      at: entry.at,
      kind: entry.kind,
      ...(entry.kind === 'message' && { role: entry.role }),
      ...(title !== undefined && { title }),
      ...(project !== undefined && { project }),
      ...(agent !== undefined && { agent }),
      ...cutPassage(textOf(entry), findMatches(textOf(entry), words), { maxLength: passageLength }),
      score,
    };
  }

  async #isWanted(conversation: Conversation): Promise<boolean> {
    if (!this.#visibility.sees(conversation) || !isAskedFor(conversation, this.#query)) return false;
    return !(await this.#leftOut.has(conversation));
  }

  #assertWanted(): void {
    const { signal } = this.#query;
    if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
  }

  /** Some drivers answer without ever waiting. */
  async #breathe(): Promise<void> {
    if (Date.now() < this.#sliceEnd) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#sliceEnd = Date.now() + sliceMilliseconds;
    this.#assertWanted();
  }
}

/** A conversation may be purged while the scan goes on. */
function noneIfGone(error: unknown): EntryPage {
  if (isContinuoError(error, 'conversation-not-found')) return { items: [] };
  throw error;
}

function textOf(entry: Entry): string {
  return 'text' in entry ? entry.text : '';
}

/** "Go on" as the last word of a conversation says nothing about it, nor does a question that got no answer. */
function saysSomething(text: string, isAnswered: boolean): boolean {
  return buildTerms(text).length > 0 && (isAnswered || !isQuestion(text));
}

function isQuestion(text: string): boolean {
  return /[?？]\s*$/.test(text);
}

/** Whoever finds a question wants to know what was answered: its answer follows it. */
function withAnswers(ranked: readonly Ranked[]): { id: Entry['id']; foundIn: ConversationId; score: number }[] {
  const known = new Set(ranked.map(({ candidate }) => candidate.id));
  return ranked.flatMap(({ candidate: { id, foundIn, answer }, score }) => {
    const found = { id, foundIn, score };
    if (answer === undefined || known.has(answer)) return [found];
    known.add(answer);
    return [found, { id: answer, foundIn, score }];
  });
}

function toCandidate(
  entry: Entry,
  terms: readonly QueryTerm[],
  foundIn: ConversationId,
  answer: Entry | undefined,
): Candidate | undefined {
  const text = toSearchText(textOf(entry));
  const counts = terms.map((term) => countTerm(text, term));
  if (counts.every((count) => count === 0)) return undefined;
  const { id, at, seq, kind } = entry;
  const candidate: Candidate = { id, at, seq, kind, foundIn, counts, length: textOf(entry).length };
  if (entry.kind === 'message' && entry.role === 'user') {
    if (answer && bringsAnswer(entry.text)) candidate.answer = answer.id;
    if (!answer && isQuestion(entry.text)) candidate.isUnanswered = true;
  }
  return candidate;
}
