// The store's side of one session: makes its conversation when the first entry comes, appends on the condition that nobody else has written
// meanwhile, and keeps the import's state beside it.
import type { Conversation } from '../model/conversation.ts';
import type { NewEntry } from '../model/entry.ts';
import { ContinuoError, isContinuoError } from '../model/error.ts';
import type { StoragePolicy } from '../model/storage-policy.ts';
import type { ConversationStore, ForkOptions } from '../store/conversation-store.ts';
import { defined } from './fields.ts';
import { formatImportKey, formatImportState, type ImportState } from './import-state.ts';
import type { ProjectFinder } from './project-finder.ts';
import type { EntryItem, SkippedNote, TranscriptHeader } from './transcript-format.ts';

export interface SessionWriterOptions {
  store: ConversationStore;
  projects: ProjectFinder;
  tags: readonly string[];
  policy?: StoragePolicy | undefined;
}

export interface Origin {
  conversation: Conversation;
  /** The last position that is shared with it. */
  seq: number;
}

const longestTitle = 200;

export class SessionWriter {
  readonly key: string;
  /** The conversation's last position, as far as this import knows. */
  seq = 0;
  conversation: Conversation | undefined;
  readonly #options: SessionWriterOptions;

  constructor(options: SessionWriterOptions, agent: string, id: string) {
    this.#options = options;
    this.key = formatImportKey(agent, id);
  }

  /** The conversation the session has already. */
  goOnWith(conversation: Conversation): void {
    this.conversation = conversation;
    this.seq = conversation.lastSeq;
  }

  /** The conversation, made now if there is none: with the state in it, so that it is never without. */
  async create(state: ImportState, header: TranscriptHeader, origin: Origin | undefined): Promise<Conversation> {
    const { store, projects, tags, policy } = this.#options;
    const project = state.cwd === undefined ? undefined : await projects.find(state.cwd);
    const { parent } = header;
    const meta = {
      ...formatImportState(state),
      ...project?.meta,
      ...(parent && { parent: { ...parent, key: formatImportKey(state.agent, parent.id) } }),
    };
    const own = defined({ key: this.key, title: cutTitle(header.title), createdAt: header.createdAt, meta });
    try {
      this.conversation = origin
        ? await this.#fork(origin, own, state.agent)
        : await store.create({
            ...own,
            ...(policy && { policy }),
            ...(project && { project: project.key }),
            agent: state.agent,
            tags: [...tags, ...(parent?.kind === 'sub-agent' ? ['sub-agent'] : [])],
          });
    } catch (error) {
      // Somebody else imports the same session: what it stored is looked at first.
      if (isContinuoError(error, 'key-taken')) throw new ContinuoError('seq-conflict', { id: this.key }, { cause: error });
      throw error;
    }
    this.seq = this.conversation.lastSeq;
    return this.conversation;
  }

  async #fork({ conversation, seq }: Origin, own: ForkOptions, agent: string): Promise<Conversation> {
    const { store } = this.#options;
    const fork = await store.fork(conversation.id, { ...own, at: seq });
    // One that was handed over goes on with another agent.
    return fork.agent === agent ? fork : store.assign(fork.id, { agent });
  }

  /** The entries that were stored; a note for each that the store refused. */
  async append(items: readonly EntryItem[]): Promise<{ stored: NewEntry[]; refused: SkippedNote[] }> {
    try {
      return { stored: await this.#append(items), refused: [] };
    } catch (error) {
      if (!isContinuoError(error, 'invalid-input')) throw error;
    }
    const stored: NewEntry[] = [];
    const refused: SkippedNote[] = [];
    // One of them is not fit to be stored; the others are.
    for (const item of items) {
      try {
        stored.push(...(await this.#append([item])));
      } catch (error) {
        if (!isContinuoError(error, 'invalid-input')) throw error;
        refused.push({ type: 'skipped', reason: 'refused', what: `${item.entry.kind}: ${String(error.details.reason)}` });
      }
    }
    return { stored, refused };
  }

  async #append(items: readonly EntryItem[]): Promise<NewEntry[]> {
    const { id } = this.conversation as Conversation;
    const entries = items.map((item, index) => toEntry(item, this.seq + index));
    const result = await this.#options.store.append(id, entries, { expectedSeq: this.seq });
    this.seq = result.entries.at(-1)?.seq ?? this.seq;
    return entries;
  }

  /** Also gives the conversation the agent's newer title, unless somebody has given it another one here. */
  async save(state: ImportState, earlierTitle: string | undefined): Promise<void> {
    const { store } = this.#options;
    const { id } = this.conversation as Conversation;
    const { title: current } = await store.mergeMeta(id, formatImportState(state));
    const title = cutTitle(state.title);
    if (title !== undefined && title !== current && (current === undefined || current === cutTitle(earlierTitle)))
      await store.rename(id, title);
  }
}

function toEntry({ id, entry }: EntryItem, before: number): NewEntry {
  const meta = { ...entry.meta, foreignId: id };
  if (entry.kind !== 'summary') return { ...entry, meta };
  if (before === 0) return { ...entry, kind: 'label', name: 'summary', meta };
  return { ...entry, covers: { from: 1, to: before }, meta };
}

function cutTitle(title: string | undefined): string | undefined {
  const line = title?.replace(/\s+/g, ' ').trim().slice(0, longestTitle).toWellFormed();
  return line === '' ? undefined : line;
}
