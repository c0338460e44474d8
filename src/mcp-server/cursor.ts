// Opaque cursors: where the next page begins, as the tool that made it understands it. They hold nothing that was not in a page.
import { createHash } from 'node:crypto';
import { Refusal } from './server-tool.ts';

type Place = readonly (string | number)[];

export function formatCursor(tool: string, place: Place): string {
  return Buffer.from(JSON.stringify([tool, ...place])).toString('base64url');
}

/** The place behind a cursor of this tool; a {@link Refusal} where it is none. */
export function parseCursor(tool: string, cursor: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(place) && place[0] === tool && place.every(isPlain)) return place.slice(1);
  } catch {
    // Said below.
  }
  throw new Refusal('The cursor is not valid. Use next_cursor of the page before as it is, or start again without a cursor.');
}

/** Of a cursor that goes on with a question: `asked` is what it was made for, whatever the page's size. */
export function formatCursorOf(tool: string, asked: Place, place: Place): string {
  return formatCursor(tool, [digestOf(JSON.stringify(asked), 8), ...place]);
}

/** The place behind such a cursor; a {@link Refusal} where it was made for another question. */
export function parseCursorOf(tool: string, asked: Place, cursor: string): Place {
  const [question, ...place] = parseCursor(tool, cursor);
  if (question === digestOf(JSON.stringify(asked), 8)) return place;
  throw new Refusal('The cursor belongs to another question. Ask the same one again with it, or start without a cursor.');
}

/** So many letters, digits, "-" and "_" that stand for a text. */
export function digestOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

/** A count from 0 on inside of a cursor. */
export function countAt(place: Place, index: number): number {
  const count = place[index];
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  throw new Refusal('The cursor is not valid. Start again without a cursor.');
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
