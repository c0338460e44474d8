// A query as it comes from outside: what cannot be meant is refused with a code that names the field, before anything is looked at.
import { ContinuoError } from '../../model/error.ts';
import { isConversationId } from '../../model/id.ts';
import type { RecallQuery } from '../../model/ports/recall.ts';
import { roles } from '../index/schema.ts';

export function checkQuery(query: RecallQuery): void {
  if (typeof query !== 'object' || query === null) throw refused('query', 'it must be an object with a text');
  checkText('text', query.text);
  for (const name of ['project', 'agent', 'tag', 'hereProject'] as const) {
    if (query[name] !== undefined) checkText(name, query[name]);
  }
  const { conversation, except, exceptKeys } = query;
  for (const [name, ids] of Object.entries({ conversation: listOf(conversation), except: listOf(except) })) {
    if (!ids.every((id) => isConversationId(id as string))) throw refused(name, 'it must be the id of a conversation');
  }
  for (const name of ['since', 'until'] as const) {
    if (query[name] !== undefined && !Number.isFinite(query[name])) throw refused(name, 'it must be a moment in milliseconds');
  }
  const { limit, projects, role } = query;
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0))
    throw refused('limit', 'it must be a whole number from 0 on');
  for (const [name, list] of Object.entries({ projects, exceptKeys })) {
    if (list !== undefined && !(Array.isArray(list) && list.every((each) => typeof each === 'string')))
      throw refused(name, 'it must be a list of texts');
  }
  const asked = listOf(role);
  const known: readonly unknown[] = roles;
  if (!asked.every((each) => known.includes(each))) throw refused('role', 'there is no such role');
}

/** A text that somebody else hands in. */
export function checkText(what: string, text: unknown): asserts text is string {
  if (typeof text !== 'string') throw refused(what, 'it must be a text');
}

/** One or several. */
function listOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

function refused(what: string, reason: string): ContinuoError {
  return new ContinuoError('invalid-input', { what, reason });
}
