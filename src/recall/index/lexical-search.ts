// Finds documents by words. FTS5 pays for every matching row, so a word that stands in many documents is never followed to its end:
// rare terms are read whole and scored by bm25; common ones are looked for among what the rare ones found, together with each other,
// and alone in the newest documents. The work has a bound whatever the size of the index.
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';
import type { ConversationId } from '../../model/id.ts';
import { buildQuery, type LexicalQuery, type QueryTerm } from '../tokens/build-query.ts';
import { getState } from './index-state.ts';
import { DocumentFilter, type DocumentRow, type LexicalFilters } from './lexical-filters.ts';
import { PostingReader } from './posting-reader.ts';
import { type DocumentKind, type DocumentRole, kinds, roles } from './schema.ts';
import { statement } from './statements.ts';
import { titlePlace } from './title-document.ts';

export interface LexicalSearchOptions {
  /** At most so many candidates. Default 50. */
  limit?: number;
  filters?: LexicalFilters;
  /** The moment of asking, for text that expires. */
  now?: number;
}

export interface LexicalCandidate {
  document: number;
  /** The conversation it is shown in: where it was said, or a fork that shares it where that one is in the trash or filtered out. */
  conversationId: ConversationId;
  /** The conversation it was said in, which its entry id is made of. */
  holderId: ConversationId;
  seq: number;
  at: number;
  kind: DocumentKind;
  role: DocumentRole;
  /** In the manner of bm25: higher is better, comparable within one answer only. */
  score: number;
  /** The terms it holds, as they were asked. */
  terms: string[];
  /** The terms that only what was said right before and after it holds. */
  around: string[];
  /** The share of what was asked for, by weight, that it holds together with what was said around it: 0 to 1. */
  coverage: number;
}

export interface LexicalAnswer {
  /** Best first. */
  candidates: LexicalCandidate[];
  /** Each term with the number of documents that hold it: exact where it is rare, estimated where common. */
  terms: { term: QueryTerm; documents: number; isCommon: boolean }[];
  /** False where a common word was followed only through the newest documents. */
  complete: boolean;
}

/** A term in more documents than this is common. */
const rareLimit = 1500;
/** Rows of rare terms that are scored for one search; beyond it the less rare of them count as common. */
const rowBudget = 6000;
const commonChecked = 6;
const pairedCommon = 3;
const newestWanted = 100;
/** How many documents are looked at for one common term when filters leave few. */
const newestScanned = 4000;
const heaviestCounted = 8;
const nowhereWeight = 0.5;
/** A question and its answer say one thing together, also with a tool between them: so many positions before and after. */
const exchangeReach = 3;

export function searchLexical(
  database: Database,
  query: string | LexicalQuery,
  options: LexicalSearchOptions = {},
): LexicalAnswer {
  const asked = typeof query === 'string' ? buildQuery(query) : query;
  if (asked.terms.length === 0) return { candidates: [], terms: [], complete: true };
  const isOutermost = !database.inTransaction;
  // One view of the index, whoever writes meanwhile.
  if (isOutermost) database.exec('BEGIN');
  try {
    return new LexicalSearch(database, asked, options).run();
  } finally {
    if (isOutermost && database.inTransaction) database.exec('COMMIT');
  }
}

interface LookedUp {
  term: QueryTerm;
  bit: number;
  documents: number;
  isCommon: boolean;
  /** Newest first; all of them where it is rare. */
  rows: number[];
  idf: number;
  /** Of an identifier that is nowhere as a whole: the expression of its parts in a row, which counts in its place. */
  standIn?: string;
}

interface Found {
  /** From rare terms. */
  score: number;
  /** Which terms it holds. */
  held: number;
}

class LexicalSearch {
  readonly #query: LexicalQuery;
  readonly #limit: number;
  readonly #filter: DocumentFilter;
  readonly #postings: PostingReader;
  readonly #total: number;
  readonly #found = new Map<number, Found>();
  readonly #around: Statement<[number, number, number, number], number>;
  readonly #now: number;
  /** Put to every expression: the places and the phrases without which nothing is an answer. */
  readonly #always: string | undefined;
  #complete = true;

  constructor(database: Database, query: LexicalQuery, options: LexicalSearchOptions) {
    this.#query = query;
    this.#limit = options.limit ?? 50;
    this.#now = options.now ?? Date.now();
    this.#filter = new DocumentFilter(database, options.filters ?? {}, this.#now);
    this.#around = findAround(database);
    this.#postings = new PostingReader(database);
    this.#total = getState(database, 'documents');
    const scope = this.#filter.scope();
    const required = query.terms.filter((term) => term.isRequired).map((term) => term.match);
    const always = [...(scope === undefined ? [] : [`(${scope})`]), ...required];
    this.#always = scope === '' ? '' : always.length > 0 ? always.join(' AND ') : undefined;
  }

  run(): LexicalAnswer {
    if (this.#always === '' || this.#total === 0) return { candidates: [], terms: [], complete: true };
    const looked = this.#lookUp();
    const rare = looked.filter((each) => !each.isCommon && each.documents > 0);
    const common = looked.filter((each) => each.isCommon).sort((a, b) => a.documents - b.documents);
    for (const each of rare) this.#scoreRare(each);
    if (common.length > 0) this.#addCommon(rare, common);
    const candidates = this.#rank(looked);
    const terms = looked.map(({ term, documents, isCommon }) => ({ term, documents, isCommon }));
    return { candidates, terms, complete: this.#complete };
  }

  #lookUp(): LookedUp[] {
    const looked = this.#query.terms.map((term, i): LookedUp => {
      const rows = this.#postings.newest(this.#narrow(term.match, term), rareLimit + 1);
      const isCommon = rows.length > rareLimit;
      const documents = isCommon ? this.#postings.estimate(rows, this.#total) : rows.length;
      // Of a word that is nowhere nobody knows how rare it is: as rare as what stands once.
      const standing = term.isLoose ? Math.min(Math.max(1, documents), this.#total) : documents;
      const idf = Math.log(1 + (this.#total - standing + 0.5) / (standing + 0.5));
      return { term, bit: 2 ** i, documents, isCommon, rows, idf };
    });
    // Where an identifier is found as a whole, its common parts only cost.
    const known = new Set(looked.filter(({ documents }) => documents > 0).map(({ term }) => term.match));
    const telling = looked.filter(({ term, isCommon }) => !isCommon || term.partOf === undefined || !known.has(term.partOf));
    // Where it is nowhere as a whole, its parts in a row stand for it: isTransient for isTransientError.
    for (const { term, documents } of telling) {
      if (term.kind !== 'phrase' || term.partOf === undefined || documents === 0 || known.has(term.partOf)) continue;
      const whole = telling.find(({ term: other }) => other.match === term.partOf);
      if (whole) whole.standIn = term.match;
    }
    let rows = 0;
    for (const each of [...telling].sort((a, b) => a.documents - b.documents)) {
      rows += each.rows.length;
      if (rows > rowBudget) each.isCommon = true;
    }
    return telling;
  }

  /**
   * Native bm25 counts how often a term stands in a document; with other conditions it would count those as well. Its measure of
   * rarity comes to nothing in a small index, so ours takes its place.
   */
  #scoreRare({ term, bit, rows, documents, idf }: LookedUp): void {
    const weight = term.weight;
    if (this.#always === undefined) {
      const nativeIdf = Math.max(1e-6, Math.log((this.#total - documents + 0.5) / (documents + 0.5)));
      const factor = (weight * idf) / nativeIdf;
      for (const [row, rank] of this.#postings.ranked(term.match)) this.#add(row, bit, -rank * factor);
      return;
    }
    for (const row of rows) this.#add(row, bit, idf * weight);
  }

  #addCommon(rare: readonly LookedUp[], common: readonly LookedUp[]): void {
    const checked = common.slice(0, commonChecked);
    if (rare.length > 0 && this.#found.size > 0) {
      const any = `(${rare.map(({ term }) => term.match).join(' OR ')})`;
      for (const each of checked)
        this.#addRows(each.bit, this.#postings.newest(this.#narrow(`${any} AND ${each.term.match}`), rowBudget));
    }
    // Phrases are made of the same words: together with them they would be asked twice.
    const words = checked.filter(({ term }) => term.tokens.length === 1);
    if (words.length > 1) this.#addTogether(words);
    for (const [i, one] of words.slice(0, pairedCommon).entries()) {
      for (const other of words.slice(i + 1, pairedCommon)) if (words.length > 2) this.#addTogether([one, other]);
    }
    for (const each of checked) this.#addTogether([each]);
    this.#complete = false;
  }

  /** The newest documents that hold all of them and pass the filters. A few at a time: FTS5 pays for every row it is asked for. */
  #addTogether(terms: readonly LookedUp[]): void {
    const held = terms.reduce((sum, { bit }) => sum + bit, 0);
    const match = this.#narrow(terms.map(({ term }) => term.match).join(' AND '));
    const wanted = Math.max(newestWanted, this.#limit);
    let rows = (terms.length === 1 ? terms[0]?.rows : undefined) ?? this.#postings.newest(match, wanted);
    let admitted = 0;
    for (let scanned = rows.length; rows.length > 0; scanned += rows.length) {
      for (const row of rows) {
        if (!this.#filter.admit(row)) continue;
        this.#addRow(row, held);
        admitted += 1;
        if (admitted === wanted) return;
      }
      // What was said by who asks is passed over as if it were not there.
      if (scanned >= newestScanned && scanned >= newestScanned + this.#filter.countLeftOut()) return;
      rows = this.#postings.newestBefore(match, rows.at(-1) as number, 4 * wanted);
    }
  }

  #rank(looked: readonly LookedUp[]): LexicalCandidate[] {
    const common = looked.filter((each) => each.isCommon);
    const provisional = [...this.#found].map(([row, found]) => ({
      row,
      found,
      score: found.score + commonScore(common, found.held),
    }));
    provisional.sort((a, b) => b.score - a.score || b.row - a.row);
    const standIns = new Set(looked.map(({ standIn }) => standIn));
    const counted = (each: LookedUp) => (standIns.has(each.term.match) ? plainWeight(each) : countedWeight(each));
    const counts = looked.some((each) => counted(each) > 0) ? counted : plainWeight;
    const whole = wholeWeight(looked.map(counts));
    const candidates: LexicalCandidate[] = [];
    for (const { row, found, score } of provisional) {
      if (candidates.length >= this.#limit) break;
      const admitted = this.#filter.admit(row);
      if (!admitted) continue;
      const { document, conversation } = admitted;
      const held = looked.filter(({ bit }) => isHeld(found.held, bit));
      const exchange = this.#heldAround(document);
      const around = looked.filter(({ bit }) => isHeld(exchange, bit) && !isHeld(found.held, bit));
      candidates.push({
        document: row,
        conversationId: conversation.conversation_id,
        holderId: this.#filter.holderOf(document),
        seq: document.seq,
        at: document.at,
        kind: kinds[document.kind] as DocumentKind,
        role: roles[document.role] as DocumentRole,
        score,
        terms: held.map(({ term }) => term.text),
        around: around.map(({ term }) => term.text),
        coverage: Math.min(1, [...held, ...around].reduce((sum, each) => sum + counts(each), 0) / whole),
      });
    }
    return candidates.sort((a, b) => b.score - a.score || b.at - a.at || b.document - a.document);
  }

  /** The terms that were said right before and after a document in its conversation. */
  #heldAround({ id, conversation, seq }: DocumentRow): number {
    let held = 0;
    if (seq === titlePlace) return held;
    for (const row of this.#around.all(conversation, seq - exchangeReach, seq + exchangeReach, this.#now)) {
      if (row !== id) held = (held | (this.#found.get(row)?.held ?? 0)) >>> 0;
    }
    return held;
  }

  #narrow(match: string, term?: QueryTerm): string {
    if (this.#always === undefined || term?.isRequired) {
      return term?.isRequired && this.#always !== undefined ? this.#always : match;
    }
    return `${this.#always} AND (${match})`;
  }

  #add(row: number, bit: number, score: number): void {
    const found = this.#found.get(row);
    if (!found) this.#found.set(row, { score, held: bit });
    else if (!isHeld(found.held, bit)) {
      found.held += bit;
      found.score += score;
    }
  }

  #addRows(bit: number, rows: readonly number[]): void {
    for (const row of rows) this.#addRow(row, bit);
  }

  /** Common terms count when the documents are ranked. */
  #addRow(row: number, held: number): void {
    const found = this.#found.get(row);
    if (!found) this.#found.set(row, { score: 0, held });
    else found.held = (found.held | held) >>> 0;
  }
}

/** Not the title, and nothing that has expired. */
function findAround(database: Database): Statement<[number, number, number, number], number> {
  const sql = `SELECT id FROM documents WHERE conversation = ? AND seq BETWEEN ? AND ? AND seq > ${titlePlace}
    AND (expires_at IS NULL OR expires_at > ?)`;
  return statement<[number, number, number, number], number>(database, sql).pluck();
}

function isHeld(held: number, bit: number): boolean {
  return (held & bit) !== 0;
}

/** As bm25 counts a term that stands once in a document of middle length: among equals the newest wins, not the shortest. */
function commonScore(common: readonly LookedUp[], held: number): number {
  let score = 0;
  for (const { bit, idf, term } of common) if (isHeld(held, bit)) score += idf * term.weight;
  return score;
}

/**
 * Parts and phrases say again what the words say: they are not counted beside them. What is nowhere counts less, since nothing can
 * hold it; but the name of a file is not found by its ending. Of a pair across two words that is nowhere nothing is missing.
 */
function countedWeight(each: LookedUp): number {
  const { term, documents, standIn } = each;
  if (standIn !== undefined) return 0;
  if (!term.isRequired && (term.kind === 'part' || term.kind === 'phrase')) return 0;
  if (documents === 0 && term.isAcross) return 0;
  return plainWeight(each) * (documents === 0 && term.isLoose ? nowhereWeight : 1);
}

function plainWeight({ term, idf }: LookedUp): number {
  return term.weight * idf;
}

/** A long question is not asked to be found as a whole: only its heaviest terms count. */
function wholeWeight(weights: number[]): number {
  const heaviest = weights.sort((a, b) => b - a).slice(0, heaviestCounted);
  return Math.max(
    Number.MIN_VALUE,
    heaviest.reduce((sum, weight) => sum + weight, 0),
  );
}
