// The documents that filters may let through, as a bitmap for the scan over vectors. Wider than the filters themselves: whatever
// comes out of the scan is asked of them again, one by one.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { LexicalFilters } from '../index/lexical-filters.ts';
import { roles } from '../index/schema.ts';
import { listExcept } from '../left-out.ts';
import { buildDocumentBitmap, type DocumentBitmap } from '../vectors/document-filter.ts';
import { rolesOf } from './asked-for.ts';

export function findAllowed(database: Database, filters: readonly LexicalFilters[]): DocumentBitmap {
  return buildDocumentBitmap(filters.flatMap((each) => documentsOf(database, each)));
}

function documentsOf(database: Database, filters: LexicalFilters): number[] {
  const { project, agent, tag, conversation, except, projectsHidden = [], role, since, until } = filters;
  const values: (string | number)[] = [];
  const when = (condition: string, value: string | number | undefined) => {
    if (value === undefined) return '';
    values.push(value);
    return ` AND ${condition}`;
  };
  const chosen = [
    when('project = ?', project),
    when('agent = ?', agent),
    when('conversation_id = ?', conversation),
    when('conversation_id NOT IN (SELECT value FROM json_each(?))', except && JSON.stringify(listExcept(except))),
    when('EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)', tag),
  ].join('');
  const shown = [
    when('(c.project IS NULL OR c.project NOT IN (SELECT value FROM json_each(?)))', JSON.stringify(projectsHidden)),
    when('d.at >= ?', since),
    when('d.at < ?', until),
    when('d.role IN (SELECT value FROM json_each(?))', role && JSON.stringify(rolesOf(role).map((each) => roles.indexOf(each)))),
  ].join('');
  const sql = `WITH chosen AS (SELECT conversation_id AS id FROM conversations WHERE trashed = 0 AND excluded = 0${chosen}),
    holders AS (SELECT id FROM chosen UNION SELECT holder FROM sharing WHERE fork IN (SELECT id FROM chosen))
    SELECT d.id FROM conversations c JOIN documents d ON d.conversation = c.id
    WHERE c.conversation_id IN (SELECT id FROM holders)${shown}`;
  return database
    .prepare<(string | number)[], number>(sql)
    .pluck()
    .all(...values);
}
