// Opaque cursors: where the next page begins, as the tool that made it understands it. They hold nothing that was not in a page.
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

/** A count from 0 on inside of a cursor. */
export function countAt(place: Place, index: number): number {
  const count = place[index];
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  throw new Refusal('The cursor is not valid. Start again without a cursor.');
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
