// What the rows of a CIS database say.
import type { JsonValue } from '../../base/json.ts';
import type { Role } from '../../model/entry.ts';
import { countIn, type Fields, listIn, textIn, wordIn } from '../fields.ts';
import { parseBeginning } from '../json-beginning.ts';
import { looseMomentIn } from '../loose-moment.ts';
import { digestOf } from '../message-digests.ts';
import { sessionWideId } from '../session-wide-id.ts';
import type { TranscriptItem } from '../transcript-format.ts';
import type { CisConversation } from './cis-database.ts';

/** Written with a capital by the program, without by its description. */
const roles: Readonly<Record<string, Role>> = { user: 'user', assistant: 'assistant', system: 'system' };

export function readRow(row: Fields, conversation: string): TranscriptItem {
  const text = textIn(row, 'content');
  const name = textIn(row, 'role') ?? '';
  const role = roles[name.toLowerCase()];
  if (role === undefined) return { type: 'skipped', reason: 'unknown', what: name === '' ? 'message without role' : name };
  if (text === undefined) {
    const isLong = row.content === null && (countIn(row, 'bytes') ?? 0) > 0;
    return { type: 'skipped', reason: isLong ? 'too-long' : 'broken', what: 'message' };
  }
  if (text.trim() === '') return { type: 'skipped', reason: 'empty', what: name };
  const at = looseMomentIn(row, 'timestamp');
  const id = sessionWideId(textIn(row, 'id') ?? digestOf(name, at, text, row.place), conversation);
  return { type: 'entry', id, entry: { kind: 'message', role, text, ...(at !== undefined && { at }) } };
}

/** The summary stands for what was said before it; a later one is another entry. Topics go with it, or as a label. */
export function readSummary({ id, row }: CisConversation): TranscriptItem[] {
  const text = wordIn(row, 'summary');
  const topics = topicsIn(row);
  const at = looseMomentIn(row, 'updated_at', 'created_at');
  const moment = at === undefined ? {} : { at };
  if (text !== undefined) {
    const meta = topics.length > 0 ? { meta: { topics: topics as JsonValue[] } } : {};
    return [{ type: 'entry', id: `${id}:summary:${digestOf(text)}`, entry: { kind: 'summary', text, ...moment, ...meta } }];
  }
  if (topics.length === 0) return [];
  const words = topics.join(', ');
  return [
    { type: 'entry', id: `${id}:topics:${digestOf(words)}`, entry: { kind: 'label', name: 'topics', text: words, ...moment } },
  ];
}

function topicsIn(row: Fields): string[] {
  const topics = listIn({ topics: parseBeginning(textIn(row, 'topics') ?? '') }, 'topics');
  return topics.filter((topic): topic is string => typeof topic === 'string' && topic.trim() !== '');
}
