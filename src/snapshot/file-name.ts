// Names of teams and sessions as names of files: readable, reversible, and never a way out of their folder. Ids that no file system
// can hold are refused.
import { ContinuoError } from '../model/error.ts';

/** Leaves room for the time, the ending and what a file is called while it is written, within the 255 bytes of a name. */
const longestName = 180;

/**
 * Letters that every file system keeps as they are stay; the rest becomes `%XX` for each byte. Two ids never get one name, although
 * a file system may take names that differ in case for one: what is inside of a file says whose it is.
 */
export function encodeId(id: string, what: 'team id' | 'session id'): string {
  if (typeof id !== 'string' || id === '') throw new ContinuoError('invalid-input', { what, reason: 'it is empty' });
  if (!id.isWellFormed()) throw new ContinuoError('invalid-input', { what, reason: 'it is not well-formed text' });
  if (id.includes('\0')) throw new ContinuoError('invalid-input', { what, reason: 'it has a NUL character' });
  const name = encodeCharacters(id).join('');
  if (Buffer.byteLength(name) > longestName) throw new ContinuoError('invalid-input', { what, reason: 'it is too long' });
  return name;
}

/** What each character of a well-formed text becomes in a name, in order; two texts never become one. */
export function encodeCharacters(text: string): string[] {
  const pieces = [...text].map((character, index) => (staysAsItIs(character, index === 0) ? character : percent(character)));
  if (deviceName.test(text)) pieces[0] = percent(text[0] as string);
  if (pieces.at(-1) === '.') pieces[pieces.length - 1] = '%2E';
  return pieces;
}

/** The id that has this name; undefined where none has. */
export function decodeId(name: string): string | undefined {
  try {
    const id = decodeURIComponent(name);
    return encodeId(id, 'team id') === name ? id : undefined;
  } catch {
    return undefined;
  }
}

/** `<timestamp>-<sessionId>.json`. The time is that of the session's beginning, so the name never changes. */
export function sessionFileName(createdAt: string, encodedSessionId: string): string {
  return `${new Date(createdAt).toISOString().replace(/[-:.]/g, '')}-${encodedSessionId}.json`;
}

/** The encoded session id of a file's name; undefined for any other file. */
export function sessionOfFileName(name: string): string | undefined {
  return /^[0-9TZ]+-(.+)\.json$/s.exec(name)?.[1];
}

/** `damaged`: set aside by a save; `unfinished`: left by a process that was killed while it wrote. */
export type SessionFileKind = 'session' | 'damaged' | 'unfinished';

/** What a file in a team's folder is, with the encoded id of its session; undefined for any other file. */
export function sessionFileKind(name: string): { session: string; kind: SessionFileKind } | undefined {
  const session = sessionOfFileName(name);
  if (session !== undefined) return { session, kind: 'session' };
  const [, owner, damaged] = /^(.+\.json)\.(?:(damaged-[0-9TZ]+(?:-\d+)?)|\d+\.\w+\.tmp)$/s.exec(name) ?? [];
  const owned = owner === undefined ? undefined : sessionOfFileName(owner);
  return owned === undefined ? undefined : { session: owned, kind: damaged === undefined ? 'unfinished' : 'damaged' };
}

function staysAsItIs(character: string, isFirst: boolean): boolean {
  if (/[A-Za-z0-9_-]/.test(character)) return true;
  if (character === '.') return !isFirst;
  // Some file systems change how letters are composed, and some know no case: letters of one form only are safe.
  return (
    /[\p{L}\p{N}]/u.test(character) &&
    character.normalize('NFKD') === character &&
    character.toLowerCase() === character.toUpperCase()
  );
}

function percent(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** Names that mean a device on Windows, with any ending. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
