// Turns what was found into quotations. The text comes from the log, never from an index, and the log is asked once more whether it may
// be shown: what was purged, trashed, excluded, withheld or has expired meanwhile is dropped.
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import { isContinuoError } from '../../model/error.ts';
import { type ConversationId, type EntryId, formatEntryId } from '../../model/id.ts';
import type { RecallHit, RecallQuery, RecallReason } from '../../model/ports/recall.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { asksIn, bringsAnswer, findQuotedTurns, isBareGoOn, mayEcho } from '../echoes.ts';
import { documentText } from '../index/document-text.ts';
import { searchableTitle, titlePlace } from '../index/title-document.ts';
import { cutPassage } from '../passages/cut-passage.ts';
import { findMatches } from '../passages/find-matches.ts';
import type { Visibility } from '../visibility.ts';
import { isAskedFor, isEntryAskedFor, rolesOf } from './asked-for.ts';
import type { Ranked } from './fuse.ts';
import { passageLength } from './weights.ts';

export interface QuoterOptions {
  store: ConversationStore;
  query: RecallQuery;
  visibility: Visibility;
  shared: ReadonlyMap<ConversationId, number>;
  /** The terms to highlight where nothing says which of them were found. */
  terms: readonly string[];
  /** Asked in quotation marks: whatever holds the words is meant. */
  isQuoted: boolean;
}

/** Entries after a question among which its answer is looked for. */
const answerWithin = 30;
const firstWordsWithin = 10;

export class Quoter {
  readonly #options: QuoterOptions;
  readonly #conversations = new Map<ConversationId, Promise<Conversation | undefined>>();
  readonly #after = new Map<EntryId, Promise<Entry[]>>();

  constructor(options: QuoterOptions) {
    this.#options = options;
  }

  async quote({ candidate, why }: Ranked): Promise<RecallHit | undefined> {
    const { holderId, seq, conversationId } = candidate;
    if (seq === titlePlace) return this.#quoteTitle(conversationId, why);
    const entry = await this.#options.store.findEntry(formatEntryId(holderId, seq));
    if (!entry || (await this.#isEcho(entry, conversationId))) return undefined;
    return this.#toHit(entry, conversationId, why);
  }

  /** Its name as it is now, with the first words of the conversation as the place to begin reading. */
  async #quoteTitle(id: ConversationId, why: RecallReason): Promise<RecallHit | undefined> {
    const { store, query, shared } = this.#options;
    const conversation = await this.#find(id);
    const title = conversation && searchableTitle(conversation);
    if (!conversation || title === undefined || shared.has(id) || !this.#isWanted(conversation)) return undefined;
    const { role, since = 0, until = Number.POSITIVE_INFINITY } = query;
    const { activeAt: at } = conversation;
    if (at < since || at >= until || (role !== undefined && !rolesOf(role).includes('title'))) return undefined;
    const highlights = findMatches(title, why.terms);
    const { items } = await store.read(id, { limit: firstWordsWithin }).catch(nothingIfGone);
    const first = items.find(({ kind }) => kind === 'message') ?? items[0];
    if (!first || highlights.length === 0) return undefined;
    return {
      ...factsOf(conversation),
      entryId: first.id,
      at,
      kind: 'title',
      ...toPassage(title, highlights),
      ...scored(why, query),
    };
  }

  /** Whoever finds a question wants to know what was answered: the last word on it before the next one. */
  async findAnswer(question: RecallHit, why: RecallReason): Promise<RecallHit | undefined> {
    if (question.kind !== 'message' || question.role !== 'user') return undefined;
    const asked = await this.#options.store.findEntry(question.entryId);
    if (asked?.kind !== 'message' || !bringsAnswer(asked.text)) return undefined;
    let answer: Entry | undefined;
    for (const entry of await this.#readAfter(asked, question.conversationId)) {
      if (entry.kind !== 'message') continue;
      if (entry.role === 'user') break;
      if (entry.role === 'assistant') answer = entry;
    }
    return answer && this.#toHit(answer, question.conversationId, { ...why, answers: question.entryId });
  }

  /** A question that the offline provider answered, or "go on" and nothing else. */
  async #isEcho(entry: Entry, foundIn: ConversationId): Promise<boolean> {
    if (isBareGoOn(entry) && !this.#options.isQuoted) return true;
    if (entry.turnId === undefined || !mayEcho(entry)) return false;
    return asksIn(entry, findQuotedTurns(await this.#readAfter(entry, foundIn)));
  }

  #readAfter({ id, seq }: Entry, conversationId: ConversationId): Promise<Entry[]> {
    let read = this.#after.get(id);
    if (!read) {
      const page = this.#options.store.read(conversationId, { after: seq, limit: answerWithin });
      // The conversation may be purged while the search goes on.
      read = page.then(({ items }) => items).catch(noneIfGone);
      this.#after.set(id, read);
    }
    return read;
  }

  async #toHit(entry: Entry, foundIn: ConversationId, why: RecallReason): Promise<RecallHit | undefined> {
    const { query, visibility, shared, terms } = this.#options;
    const document = documentText(entry);
    if (!document || entry.seq <= (shared.get(entry.conversationId) ?? 0)) return undefined;
    const origin = await this.#find(entry.conversationId);
    const conversation = await this.#find(foundIn);
    // What its own conversation hides no fork brings back.
    if (!origin || !conversation || !visibility.permits(origin) || !this.#isWanted(conversation)) return undefined;
    if (visibility.isExpired(entry, origin) || visibility.isExpired(entry, conversation)) return undefined;
    if (!isEntryAskedFor(entry, query)) return undefined;
    const matches = findMatches(document.text, why.terms.length > 0 ? why.terms : terms);
    const { id: entryId, at, kind } = entry;
    const said = entry.kind === 'message' ? { role: entry.role } : {};
    return { entryId, at, kind, ...said, ...factsOf(conversation), ...toPassage(document.text, matches), ...scored(why, query) };
  }

  #isWanted(conversation: Conversation): boolean {
    const { visibility, query } = this.#options;
    return visibility.sees(conversation) && isAskedFor(conversation, query);
  }

  #find(id: ConversationId): Promise<Conversation | undefined> {
    let found = this.#conversations.get(id);
    if (!found) {
      const { store, visibility } = this.#options;
      found = store.find(id).then((conversation) => conversation && visibility.shown(conversation));
      this.#conversations.set(id, found);
    }
    return found;
  }
}

function factsOf({ id, title, project, agent }: Conversation): Pick<RecallHit, 'conversationId' | 'title' | 'project' | 'agent'> {
  return {
    conversationId: id,
    ...(title !== undefined && { title }),
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
  };
}

function toPassage(whole: string, matches: Parameters<typeof cutPassage>[1]): Pick<RecallHit, 'text' | 'highlights'> {
  const { text, highlights } = cutPassage(whole, matches, { maxLength: passageLength });
  return { text, highlights };
}

function scored(why: RecallReason, { explain }: RecallQuery): Pick<RecallHit, 'score' | 'why'> {
  return { score: why.total, ...(explain && { why }) };
}

function nothingIfGone(error: unknown): { items: Entry[] } {
  return { items: noneIfGone(error) };
}

function noneIfGone(error: unknown): Entry[] {
  if (isContinuoError(error, 'conversation-not-found')) return [];
  throw error;
}
