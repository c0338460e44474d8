// What was asked for: the filters of a query, put to conversations and entries that may be seen.
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationId } from '../../model/id.ts';
import type { RecallQuery, RecallRole } from '../../model/ports/recall.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { labelsOf } from '../conversation-marks.ts';
import { listExcept } from '../left-out.ts';
import { toProjectKey } from '../visibility.ts';

/** Projects by their keys, so that a query means the same however it names them. */
export function withProjectKeys(query: RecallQuery): RecallQuery {
  const { hereProject, project, projects } = query;
  return {
    ...query,
    ...(hereProject !== undefined && { hereProject: toProjectKey(hereProject) }),
    ...(project !== undefined && { project: toProjectKey(project) }),
    ...(projects !== undefined && { projects: projects.map(toProjectKey) }),
  };
}

/** The query names its projects by their keys. */
export function isAskedFor(conversation: Conversation, query: RecallQuery): boolean {
  const { project, projects, agent, tag, conversation: only, except } = query;
  if (listExcept(except).includes(conversation.id) || (only !== undefined && conversation.id !== only)) return false;
  const key = toProjectKey(conversation.project);
  if (project !== undefined && key !== project) return false;
  if (projects !== undefined && !(key !== undefined && projects.includes(key))) return false;
  if (agent !== undefined && conversation.agent !== agent) return false;
  return tag === undefined || labelsOf(conversation).includes(tag);
}

/** Said when and by whom it was asked for. */
export function isEntryAskedFor(entry: Entry, query: RecallQuery): boolean {
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
export async function sharedWithAsker(store: ConversationStore, except: RecallQuery['except']) {
  const ids = listExcept(except);
  const shared = new Map<ConversationId, number>(ids.map((id) => [id, Number.MAX_SAFE_INTEGER]));
  for (const id of ids) {
    let origin = (await store.find(id))?.forkedFrom;
    while (origin && (shared.get(origin.id) ?? 0) < origin.seq) {
      shared.set(origin.id, origin.seq);
      origin = (await store.find(origin.id))?.forkedFrom;
    }
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
