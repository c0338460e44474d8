// Who may be seen from where, by the log's own word. Every road of recall ends here: whatever an index says, a conversation that is in
// the trash, excluded by hand, or of a private project is not shown elsewhere, and neither is what a fork shares of it.
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import type { RecallQuery, RecallRole } from '../../model/ports/recall.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { isExcluded, labelsOf } from '../conversation-marks.ts';

/** Keys of private projects; a function is asked anew with every query. */
export type PrivateProjects = readonly string[] | (() => readonly string[] | Promise<readonly string[]>);

/** The private projects that may not be seen from the project of who asks. */
export async function findHidden(given: PrivateProjects | undefined, hereProject: string | undefined): Promise<Set<string>> {
  const hidden = new Set(typeof given === 'function' ? await given() : given);
  if (hereProject !== undefined) hidden.delete(hereProject);
  return hidden;
}

/** Neither private nor excluded: also what it shares with forks may be seen. */
export function isOpen(conversation: Conversation, hidden: ReadonlySet<string>): boolean {
  return !isExcluded(conversation) && !(conversation.project !== undefined && hidden.has(conversation.project));
}

/** May be seen and was asked for. */
export function isWanted(conversation: Conversation, hidden: ReadonlySet<string>, query: RecallQuery): boolean {
  if (conversation.trashedAt !== undefined || !isOpen(conversation, hidden)) return false;
  const { project, projects, agent, tag, conversation: only, except } = query;
  if (conversation.id === except || (only !== undefined && conversation.id !== only)) return false;
  if (project !== undefined && conversation.project !== project) return false;
  if (projects !== undefined && !(conversation.project !== undefined && projects.includes(conversation.project))) return false;
  if (agent !== undefined && conversation.agent !== agent) return false;
  return tag === undefined || labelsOf(conversation).includes(tag);
}

/** Said when and by whom it was asked for, and not expired: the text of a ttl policy is gone when its time is over. */
export function isEntryWanted(entry: Entry, { policy }: Conversation, query: RecallQuery, now: number): boolean {
  if (policy.kind === 'ttl' && entry.at + policy.milliseconds <= now) return false;
  const { since, until, role } = query;
  if ((since !== undefined && entry.at < since) || (until !== undefined && entry.at >= until)) return false;
  return role === undefined || rolesOf(role).includes(roleOf(entry) as RecallRole);
}

export function rolesOf(role: NonNullable<RecallQuery['role']>): readonly RecallRole[] {
  return typeof role === 'string' ? [role] : role;
}

function roleOf(entry: Entry): string {
  if (entry.kind === 'message') return entry.role;
  return entry.kind === 'summary' ? 'summary' : 'tool';
}

/** What the asking conversation holds itself, also by having been forked: up to which position of which conversation. */
export async function sharedWithAsker(store: ConversationStore, except: ConversationId | undefined) {
  const shared = new Map<ConversationId, number>();
  if (except === undefined) return shared;
  shared.set(except, Number.MAX_SAFE_INTEGER);
  let origin = (await store.find(except))?.forkedFrom;
  while (origin && !shared.has(origin.id)) {
    shared.set(origin.id, origin.seq);
    origin = (await store.find(origin.id))?.forkedFrom;
  }
  return shared;
}

const filterNames = ['project', 'projects', 'agent', 'role', 'since', 'until', 'tag', 'conversation'] as const;

export function hasFilters(query: RecallQuery): boolean {
  return filterNames.some((name) => query[name] !== undefined);
}

/** The same question asked everywhere. Who asks, and from where, stays. */
export function withoutFilters(query: RecallQuery): RecallQuery {
  const open = { ...query };
  for (const name of filterNames) delete open[name];
  return open;
}
