// Who may be shown, and who was asked for. A document belongs to the conversation it was said in and to every fork that shares it:
// it is found through the first of them that is not in the trash and passes the filters. What its own conversation hides (a private
// project, an exclusion) no fork brings back.
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';
import type { ConversationId } from '../../model/id.ts';
import { listExcept } from '../left-out.ts';
import type { ConversationRow } from './conversation-catalogue.ts';
import { placeToken } from './document-table.ts';
import { type DocumentRole, roles } from './schema.ts';
import { statement } from './statements.ts';

export interface LexicalFilters {
  project?: string;
  /** Projects whose conversations are not to be shown: private ones. */
  projectsHidden?: readonly string[];
  agent?: string;
  role?: DocumentRole | readonly DocumentRole[];
  /** Said at or after, and before. */
  since?: number;
  until?: number;
  tag?: string;
  /** In this conversation only, with what it shares as a fork. */
  conversation?: ConversationId;
  /** Not in these conversations, nor what they share as forks: usually the one that asks, with its sub-agents. */
  except?: ConversationId | readonly ConversationId[];
}

export interface DocumentRow {
  id: number;
  conversation: number;
  seq: number;
  at: number;
  role: number;
  kind: number;
  length: number;
  expires_at: number | null;
}

/** More conversations than this are not named in a query: most documents pass then. */
const maxPlaces = 500;

export class DocumentFilter {
  readonly #database: Database;
  readonly #filters: LexicalFilters;
  readonly #now: number;
  readonly #roles: ReadonlySet<number> | undefined;
  readonly #hidden: ReadonlySet<string>;
  readonly #left: ReadonlySet<string>;
  /** Up to which position what is said in which conversation is left out. */
  readonly #except: ReadonlyMap<string, number>;
  readonly #conversations = new Map<number, ConversationRow | undefined>();
  readonly #conversation: Statement<[number], ConversationRow>;
  readonly #forks: Statement<[string, number, number], ConversationRow>;
  readonly #document: Statement<[number], DocumentRow>;

  constructor(database: Database, filters: LexicalFilters, now: number) {
    this.#database = database;
    this.#filters = filters;
    this.#now = now;
    const asked = filters.role === undefined ? undefined : Array.isArray(filters.role) ? filters.role : [filters.role];
    this.#roles = asked && new Set(asked.map((role: DocumentRole) => roles.indexOf(role)));
    this.#hidden = new Set(filters.projectsHidden ?? []);
    this.#left = new Set(listExcept(filters.except));
    this.#except = this.#lineageOf([...this.#left]);
    this.#conversation = statement(database, 'SELECT * FROM conversations WHERE id = ?');
    this.#forks = statement(
      database,
      `SELECT c.* FROM sharing s JOIN conversations c ON c.conversation_id = s.fork
       WHERE s.holder = ? AND s.after < ? AND s.up_to >= ? ORDER BY c.active_at DESC`,
    );
    this.#document = statement(database, 'SELECT * FROM documents WHERE id = ?');
  }

  /** The document and the conversation it is shown in; undefined where it may not be shown or was not asked for. */
  admit(id: number): { document: DocumentRow; conversation: ConversationRow } | undefined {
    const document = this.#document.get(id);
    if (!document || !this.#passes(document)) return undefined;
    const conversation = this.#findVisible(document);
    return conversation && { document, conversation };
  }

  /** The conversation a document was said in. */
  holderOf({ conversation }: DocumentRow): ConversationId {
    return (this.#get(conversation) as ConversationRow).conversation_id;
  }

  /**
   * The places a search may be narrowed to, as an FTS5 expression; undefined where it goes everywhere, and '' where nothing can be
   * found at all.
   */
  scope(): string | undefined {
    const { conversation, project } = this.#filters;
    const ids = conversation !== undefined ? [conversation] : project !== undefined ? this.#conversationsOf(project) : undefined;
    if (ids === undefined || ids.length > maxPlaces) return undefined;
    const number = this.#database.prepare<[string], number>('SELECT id FROM conversations WHERE conversation_id = ?').pluck();
    const places = new Set<number>();
    for (const id of ids) {
      for (const holder of this.#lineageOf([id]).keys()) {
        const found = number.get(holder);
        if (found !== undefined) places.add(found);
      }
    }
    if (places.size > maxPlaces) return undefined;
    return [...places].map((place) => `"${placeToken(place)}"`).join(' OR ');
  }

  /** How many documents are left out with the conversations that are. */
  countLeftOut(): number {
    if (this.#left.size === 0) return 0;
    const sql = `SELECT count(*) FROM conversations c JOIN documents d ON d.conversation = c.id
      WHERE c.conversation_id IN (SELECT value FROM json_each(?))`;
    return (
      this.#database
        .prepare<[string], number>(sql)
        .pluck()
        .get(JSON.stringify([...this.#left])) ?? 0
    );
  }

  #passes(document: DocumentRow): boolean {
    const { since, until } = this.#filters;
    if (document.expires_at !== null && document.expires_at <= this.#now) return false;
    if (since !== undefined && document.at < since) return false;
    if (until !== undefined && document.at >= until) return false;
    return this.#roles === undefined || this.#roles.has(document.role);
  }

  #findVisible({ conversation, seq }: DocumentRow): ConversationRow | undefined {
    const holder = this.#get(conversation);
    if (!holder || holder.excluded || this.#isHidden(holder)) return undefined;
    if (seq <= (this.#except.get(holder.conversation_id) ?? -1)) return undefined;
    if (this.#suits(holder)) return holder;
    return this.#forks.all(holder.conversation_id, seq, seq).find((fork) => !this.#isHidden(fork) && this.#suits(fork));
  }

  #suits(row: ConversationRow): boolean {
    const { project, agent, tag, conversation } = this.#filters;
    if (row.trashed || row.excluded || this.#left.has(row.conversation_id)) return false;
    if (conversation !== undefined && row.conversation_id !== conversation) return false;
    if (project !== undefined && row.project !== project) return false;
    if (agent !== undefined && row.agent !== agent) return false;
    return tag === undefined || (JSON.parse(row.tags) as string[]).includes(tag);
  }

  #isHidden(row: ConversationRow): boolean {
    return row.project !== null && this.#hidden.has(row.project);
  }

  #get(id: number): ConversationRow | undefined {
    if (!this.#conversations.has(id)) this.#conversations.set(id, this.#conversation.get(id));
    return this.#conversations.get(id);
  }

  #conversationsOf(project: string): string[] {
    const sql = 'SELECT conversation_id FROM conversations WHERE project = ? AND trashed = 0 LIMIT ?';
    return this.#database
      .prepare<[string, number], string>(sql)
      .pluck()
      .all(project, maxPlaces + 1);
  }

  /** The conversations whose entries they hold, each with the last position of them. */
  #lineageOf(ids: readonly string[]): Map<string, number> {
    const lineage = new Map(ids.map((id) => [id, Number.MAX_SAFE_INTEGER]));
    if (ids.length === 0) return lineage;
    const sql = 'SELECT holder, up_to FROM sharing WHERE fork IN (SELECT value FROM json_each(?))';
    const shared = statement<[string], { holder: string; up_to: number }>(this.#database, sql).all(JSON.stringify(ids));
    for (const { holder, up_to } of shared) lineage.set(holder, Math.max(up_to, lineage.get(holder) ?? 0));
    return lineage;
  }
}
