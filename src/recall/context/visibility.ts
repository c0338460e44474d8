// Which conversations may be seen from where the person is. Every road of this folder asks here before it quotes anything.
// Invariant: a private project is seen from inside of it only; an excluded or trashed conversation, withheld or expired text from nowhere.
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import { readProjectField } from '../../project/project-key.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';

export interface VisibilityOptions {
  store: ConversationStore;
  now: number;
  /** The project the person is in. */
  hereProject?: string | undefined;
  /** Keys of the projects whose text never reaches another one. */
  privateProjects?: Iterable<string> | undefined;
}

export class Visibility {
  readonly #store: ConversationStore;
  readonly #now: number;
  readonly #here: string | undefined;
  readonly #private: ReadonlySet<string>;
  readonly #origins = new Map<ConversationId, Promise<boolean>>();

  constructor({ store, now, hereProject, privateProjects }: VisibilityOptions) {
    this.#store = store;
    this.#now = now;
    this.#here = keyOf(hereProject);
    this.#private = new Set([...(privateProjects ?? [])].map((project) => keyOf(project) ?? project));
  }

  isHere({ project }: Pick<Conversation, 'project'>): boolean {
    return this.#here !== undefined && keyOf(project) === this.#here;
  }

  sees(conversation: Conversation): boolean {
    return conversation.trashedAt === undefined && this.#permits(conversation) && keepsText(conversation);
  }

  /** What may be quoted of a conversation that is seen. Text shared with another conversation must be permitted there as well. */
  async quotable(entries: readonly Entry[], conversation: Conversation): Promise<Entry[]> {
    const kept: Entry[] = [];
    for (const entry of entries) {
      if (!saysSomething(entry) || this.#isExpired(entry, conversation)) continue;
      if (entry.conversationId === conversation.id || (await this.#permitsOrigin(entry.conversationId))) kept.push(entry);
    }
    return kept;
  }

  #permits({ project, meta }: Conversation): boolean {
    if (meta.recall === 'excluded') return false;
    const key = keyOf(project);
    return key === undefined || key === this.#here || !this.#private.has(key);
  }

  #permitsOrigin(id: ConversationId): Promise<boolean> {
    const known = this.#origins.get(id);
    if (known !== undefined) return known;
    const asked = this.#store.find(id).then((origin) => origin === undefined || this.#permits(origin));
    this.#origins.set(id, asked);
    return asked;
  }

  /** Gone when its time is over, also before it was swept away. */
  #isExpired(entry: Entry, { policy }: Conversation): boolean {
    return policy.kind === 'ttl' && entry.at + policy.milliseconds <= this.#now;
  }
}

/** A project by its key, also where the field was written as a plain path. */
function keyOf(project: string | undefined): string | undefined {
  return readProjectField(project) ?? project;
}

function keepsText({ policy }: Conversation): boolean {
  return policy.kind === 'full' || policy.kind === 'ttl';
}

/** Said by people and models, or told by tools. Not what only quotes what was said before: that would echo for ever. */
function saysSomething(entry: Entry): boolean {
  if (entry.withheld !== undefined) return false;
  if (entry.kind === 'message') return entry.role !== 'system' && entry.model !== 'offline' && entry.text.trim() !== '';
  if (entry.kind === 'tool-result') return entry.tool !== 'recall' && entry.text.trim() !== '';
  return entry.kind === 'summary' && entry.text.trim() !== '';
}
