// Gathers what may answer a question: by words, by meaning where there is an embedder, and for what words found also how near its
// meaning is, so that both can be weighed. The index's filters have been applied to everything that comes out.
import { isContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import type { EmbedderSlot } from '../embedders/embedder-slot.ts';
import { findConversation } from '../index/conversation-catalogue.ts';
import type { IndexDatabase } from '../index/index-database.ts';
import { DocumentFilter, type LexicalFilters } from '../index/lexical-filters.ts';
import { type LexicalCandidate, searchLexical } from '../index/lexical-search.ts';
import { roles } from '../index/schema.ts';
import { listExcept } from '../left-out.ts';
import type { LexicalQuery } from '../tokens/build-query.ts';
import type { AllowedDocuments } from '../vectors/document-filter.ts';
import type { SimilarDocument } from '../vectors/exact-distance.ts';
import { SemanticSearch } from '../vectors/semantic-search.ts';
import { VectorModels } from '../vectors/vector-models.ts';
import { findAllowed } from './allowed-documents.ts';
import type { Candidate } from './fuse.ts';
import { measureScale, type SimilarityScale } from './similarity-scale.ts';
import { longestQuestion } from './weights.ts';

export interface GatherOptions {
  text: string;
  question: LexicalQuery;
  /** One set for each project that is asked for; what passes any of them is a candidate. */
  filters: readonly LexicalFilters[];
  limit: number;
  now: number;
  signal?: AbortSignal | undefined;
}

export interface Gathered {
  candidates: Candidate[];
  /** False where a common word was followed through the newest documents only. */
  complete: boolean;
  hasSemantic: boolean;
  scale?: SimilarityScale;
}

export interface CandidateSourceOptions {
  index: IndexDatabase;
  /** Not opened while there are no vectors. */
  embedder?: EmbedderSlot | undefined;
  /** The one whose vectors answer until the new one's are complete. */
  former?: EmbedderSlot | undefined;
  /** Told where the embedder does not answer: words alone do then. */
  onEmbedderError?: (error: unknown) => void;
}

/** Milliseconds that an embedder which did not answer in time is left alone. */
const afterTimeout = 30_000;

export class CandidateSource {
  readonly #index: IndexDatabase;
  readonly #options: CandidateSourceOptions;
  #embedders: Embedder[] = [];
  #semantic: SemanticSearch | undefined;
  #wordsAloneUntil = 0;

  constructor(options: CandidateSourceOptions) {
    this.#index = options.index;
    this.#options = options;
  }

  /** Reads ahead what the first search by meaning needs. */
  async load(signal?: AbortSignal): Promise<void> {
    await (await this.#prepare())?.load(signal);
  }

  async gather(options: GatherOptions): Promise<Gathered> {
    const found = new Map<number, Candidate>();
    const { complete } = this.#addLexical(found, options);
    const scale = await this.#addSemantic(found, options).catch((error: unknown) => {
      if (options.signal?.aborted || isContinuoError(error, 'store-closed')) throw error;
      this.#options.onEmbedderError?.(error);
      // Who asks next must not pay for it again.
      if (isContinuoError(error, 'timeout')) this.#wordsAloneUntil = performance.now() + afterTimeout;
      for (const candidate of found.values()) delete candidate.likeness;
      return undefined;
    });
    const candidates = [...found.values()].filter(({ lexical, likeness }) => lexical ?? likeness !== undefined);
    return { candidates, complete, hasSemantic: scale !== undefined, ...(scale && { scale }) };
  }

  /** Undefined where nothing has a vector. The embedder before is opened only where its vectors are the ones that answer. */
  async #prepare(): Promise<SemanticSearch | undefined> {
    const { embedder, former } = this.#options;
    const current = embedder && new VectorModels(this.#index.database).findCurrent();
    if (!current) return undefined;
    const isOpen = this.#embedders.some(({ id, dimension }) => id === current.id && dimension === current.dimension);
    if (this.#semantic && (isOpen || !former)) return this.#semantic;
    const own = await embedder.get();
    // Where it cannot be opened any more, what the new one has so far is what there is.
    const isOwn = own.id === current.id && own.dimension === current.dimension;
    const other = isOwn ? undefined : await former?.get().catch(() => undefined);
    this.#embedders = [own, ...(other ? [other] : [])].map(rememberQuestion);
    this.#semantic = new SemanticSearch(this.#index, this.#embedders);
    return this.#semantic;
  }

  #addLexical(found: Map<number, Candidate>, { question, filters, limit, now }: GatherOptions): { complete: boolean } {
    let complete = true;
    const projects = new Map<ConversationId, string | undefined>();
    for (const each of filters) {
      const answer = searchLexical(this.#index.database, question, { limit, filters: each, now });
      complete &&= answer.complete;
      for (const candidate of answer.candidates) {
        const known = found.get(candidate.document);
        if ((known?.lexical?.score ?? -1) < candidate.score)
          found.set(candidate.document, this.#toCandidate(candidate, projects));
      }
    }
    return { complete };
  }

  async #addSemantic(found: Map<number, Candidate>, options: GatherOptions): Promise<SimilarityScale | undefined> {
    if (performance.now() < this.#wordsAloneUntil || !(await this.#prepare())) return undefined;
    const known = new Set(found.keys());
    const nearest = await this.#findNearest(options);
    const embedder = this.#embedders.find(({ id }) => id === nearest?.model);
    if (!nearest || !embedder) return undefined;
    const scale = await measureScale(embedder);
    for (const { candidate, similarity } of nearest.admitted) {
      const likeness = scale.toLikeness(similarity);
      const other = found.get(candidate.document);
      if (other) other.likeness = likeness;
      else found.set(candidate.document, { ...candidate, likeness });
    }
    for (const { candidate } of nearest.admitted) known.delete(candidate.document);
    for (const { document, similarity } of (await this.#search(options, known.size, known))?.found ?? []) {
      const other = found.get(document);
      if (other) other.likeness = scale.toLikeness(similarity);
    }
    return scale;
  }

  /** Undefined where there are no vectors of this embedder. */
  async #findNearest(
    options: GatherOptions,
  ): Promise<{ model: string; admitted: { candidate: Candidate; similarity: number }[] } | undefined> {
    const { filters, limit, now } = options;
    const isNarrow = filters.some((each) => Object.keys(each).some((name) => !['projectsHidden', 'except'].includes(name)));
    const spare = filters.some(({ projectsHidden, except }) => projectsHidden?.length || listExcept(except).length > 0) ? 2 : 1;
    const allowed = isNarrow ? findAllowed(this.#index.database, filters) : undefined;
    const similar = await this.#search(options, limit * spare, allowed);
    if (!similar) return undefined;
    let admitted = this.#admit(similar.found, filters, now);
    if (!isNarrow && similar.found.length === limit * spare && admitted.length < limit / 2) {
      // Most of what is near is hidden: look among the rest alone.
      const rest = await this.#search(options, limit, findAllowed(this.#index.database, filters));
      admitted = this.#admit(rest?.found ?? [], filters, now);
    }
    return { model: similar.model, admitted: admitted.slice(0, limit) };
  }

  async #search(
    { text, signal }: GatherOptions,
    limit: number,
    allowed: AllowedDocuments | undefined,
  ): Promise<{ model: string; found: SimilarDocument[] } | undefined> {
    const candidates = Math.max(1000, limit);
    const asked = { limit, candidates, ...(allowed && { allowed }), ...(signal && { signal }) };
    const answer = await this.#semantic?.search(text.slice(0, longestQuestion), asked);
    return answer?.model === undefined ? undefined : { model: answer.model, found: answer.found };
  }

  #admit(similar: readonly SimilarDocument[], filters: readonly LexicalFilters[], now: number) {
    const { database } = this.#index;
    const gates = filters.map((each) => new DocumentFilter(database, each, now));
    return similar.flatMap(({ document, similarity }) => {
      for (const gate of gates) {
        const admitted = gate.admit(document);
        if (!admitted) continue;
        const { seq, at, role } = admitted.document;
        const { conversation_id: conversationId, project } = admitted.conversation;
        const candidate: Candidate = {
          document,
          conversationId,
          holderId: gate.holderOf(admitted.document),
          seq,
          at,
          role: roles[role] ?? 'tool',
          project: project ?? undefined,
        };
        return [{ candidate, similarity }];
      }
      return [];
    });
  }

  #toCandidate(found: LexicalCandidate, projects: Map<ConversationId, string | undefined>): Candidate {
    const { document, conversationId, holderId, seq, at, role, score, coverage, terms, around } = found;
    if (!projects.has(conversationId)) {
      projects.set(conversationId, findConversation(this.#index.database, conversationId)?.project ?? undefined);
    }
    const project = projects.get(conversationId);
    return { document, conversationId, holderId, seq, at, role, project, lexical: { score, coverage, terms, around } };
  }
}

/** The same question is asked twice in one search, and often again: it is embedded once. */
function rememberQuestion(embedder: Embedder): Embedder {
  let last: { text: string; vector: Float32Array } | undefined;
  return {
    id: embedder.id,
    dimension: embedder.dimension,
    embed: async (texts, options) => {
      const [text] = texts;
      if (options?.kind !== 'query' || texts.length !== 1 || text === undefined) return embedder.embed(texts, options);
      if (last?.text === text) return [last.vector];
      const [vector] = await embedder.embed(texts, options);
      if (vector) last = { text, vector };
      return vector ? [vector] : [];
    },
  };
}
