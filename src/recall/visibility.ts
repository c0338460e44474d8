// What may be seen from where the person is, by the log's own word. Every road of recall asks here before it shows anything, whatever an
// index says. Invariant: a private project is seen from inside of it only, however its name was written; an excluded or trashed
// conversation, withheld or expired text from nowhere; and what a conversation hides no fork of it brings back.
import type { Conversation } from '../model/conversation.ts';
import type { Entry } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';
import { readProjectField } from '../project/project-key.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { isExcluded } from './conversation-marks.ts';
import { asksIn, findQuotedTurns, isQuotation } from './echoes.ts';

/** Private projects, by key or by plain path; a function is asked anew with every query. */
export type PrivateProjects = readonly string[] | (() => readonly string[] | Promise<readonly string[]>);

export interface VisibilityOptions {
  store: ConversationStore;
  now: number;
  /** The project the person is in. */
  hereProject?: string | undefined;
  /** The projects whose text never reaches another one, by key or by plain path. */
  privateProjects?: Iterable<string> | undefined;
}

export class Visibility {
  /** The private projects that may not be seen from here, as {@link toProjectKey} names them. */
  readonly hidden: ReadonlySet<string>;
  readonly #store: ConversationStore;
  readonly #now: number;
  readonly #here: string | undefined;
  readonly #origins = new Map<ConversationId, Promise<boolean>>();

  constructor({ store, now, hereProject, privateProjects }: VisibilityOptions) {
    this.#store = store;
    this.#now = now;
    this.#here = toProjectKey(hereProject);
    const hidden = new Set([...(privateProjects ?? [])].map(toProjectKey));
    if (this.#here !== undefined) hidden.delete(this.#here);
    this.hidden = hidden;
  }

  isHere({ project }: Pick<Conversation, 'project'>): boolean {
    return this.#here !== undefined && toProjectKey(project) === this.#here;
  }

  sees(conversation: Conversation): boolean {
    return conversation.trashedAt === undefined && this.permits(conversation) && keepsText(conversation);
  }

  /** Neither private nor excluded: also what it shares with forks may be seen. */
  permits(conversation: Conversation): boolean {
    const key = toProjectKey(conversation.project);
    return !isExcluded(conversation) && !(key !== undefined && this.hidden.has(key));
  }

  /** What may be quoted of a conversation that is seen. Text shared with another conversation must be permitted there as well. */
  async quotable(entries: readonly Entry[], conversation: Conversation): Promise<Entry[]> {
    const kept: Entry[] = [];
    const quotedTurns = findQuotedTurns(entries);
    for (const entry of entries) {
      if (!isQuotable(entry) || asksIn(entry, quotedTurns) || this.isExpired(entry, conversation)) continue;
      if (entry.conversationId === conversation.id || (await this.#permitsOrigin(entry.conversationId))) kept.push(entry);
    }
    return kept;
  }

  /** The conversation as it may be shown: a fork has no title and no place that it took over from one that may not be seen. */
  async shown(conversation: Conversation): Promise<Conversation> {
    const known = new Set<ConversationId>();
    let shown = conversation;
    for (let from = conversation.forkedFrom; from && !known.has(from.id); ) {
      known.add(from.id);
      const origin = await this.#store.find(from.id);
      if (origin && !this.permits(origin)) shown = withoutInherited(shown, origin);
      from = origin?.forkedFrom;
    }
    return shown;
  }

  /** Gone when its time is over, also before it was swept away. */
  isExpired(entry: Entry, conversation: Conversation): boolean {
    return this.hasExpired(entry.at, conversation);
  }

  /** The same of what was said at the moment. */
  hasExpired(at: number, { policy }: Conversation): boolean {
    return policy.kind === 'ttl' && at + policy.milliseconds <= this.#now;
  }

  #permitsOrigin(id: ConversationId): Promise<boolean> {
    const known = this.#origins.get(id);
    if (known !== undefined) return known;
    const asked = this.#store.find(id).then((origin) => origin === undefined || this.permits(origin));
    this.#origins.set(id, asked);
    return asked;
  }
}

/** For one query: private projects may have changed since the last one. */
export async function openVisibility(
  options: Omit<VisibilityOptions, 'privateProjects'> & { privateProjects?: PrivateProjects | undefined },
): Promise<Visibility> {
  const { privateProjects: given } = options;
  return new Visibility({ ...options, privateProjects: typeof given === 'function' ? await given() : given });
}

/** A project by its key, also where the field was written as a plain path. A name that is neither stays what it is. */
export function toProjectKey<Text extends string | undefined>(project: Text): Text | string {
  return readProjectField(project) ?? project;
}

/** Said by people and models, or told by tools. Not what only quotes what was said before: that would echo for ever. */
export function isQuotable(entry: Entry): boolean {
  if (entry.withheld !== undefined) return false;
  if (entry.kind === 'message') return entry.role !== 'system' && !isQuotation(entry) && entry.text.trim() !== '';
  if (entry.kind === 'tool-result') return entry.tool !== 'recall' && entry.text.trim() !== '';
  return entry.kind === 'summary' && entry.text.trim() !== '';
}

function withoutInherited(fork: Conversation, origin: Conversation): Conversation {
  const { title, ...rest } = fork;
  const { place, ...meta } = fork.meta;
  const isOrigins = place !== undefined && JSON.stringify(place) === JSON.stringify(origin.meta.place);
  return { ...rest, ...(title !== undefined && title !== origin.title && { title }), meta: isOrigins ? meta : fork.meta };
}

function keepsText({ policy }: Conversation): boolean {
  return policy.kind === 'full' || policy.kind === 'ttl';
}
