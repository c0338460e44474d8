// The name of a saved session: `saved_session_{prefix}_{platform}_{model}_{timestamp}.json`. Every part is one that all file systems
// keep as it is; what they do not is written as `%XX`, what is too long ends in a hash. Two texts never become one part.
import { createHash } from 'node:crypto';
import { encodeCharacters } from './file-name.ts';

export interface SessionNameParts {
  prefix: string;
  platform: string;
  model: string;
  /** Of the session's first save. */
  at: number;
}

const nameStart = 'saved_session_';
const nameEnd = '.json';
/** In bytes. Together with the time, a number and what a file is called while it is written they stay within the 255 of a name. */
const longest = { prefix: 56, platform: 40, model: 64 };
const hashLength = 12;

export function savedSessionName({ prefix, platform, model, at }: SessionNameParts): string {
  const parts = [cleanPart(prefix, longest.prefix), cleanPart(platform, longest.platform), cleanPart(model, longest.model)];
  return `${nameStart}${parts.join('_')}_${new Date(at).toISOString().replace(/[-:.]/g, '')}${nameEnd}`;
}

export function isSavedSessionName(name: string): boolean {
  return name.startsWith(nameStart) && name.endsWith(nameEnd);
}

/** The second of the name, the third, and so on. */
export function numberedName(path: string, number: number): string {
  if (number < 2) return path;
  const stem = path.endsWith(nameEnd) ? path.slice(0, -nameEnd.length) : path;
  return `${stem}-${number}${nameEnd}`;
}

function cleanPart(text: string, most: number): string {
  const whole = text.toWellFormed();
  const pieces = encodeCharacters(whole);
  const name = pieces.join('');
  if (whole === text && name !== '' && Buffer.byteLength(name) <= most) return name;
  // A tilde is never left as it is, so that no whole name looks like a shortened one.
  const ending = `~${createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, hashLength)}`;
  let kept = '';
  for (const piece of pieces) {
    if (Buffer.byteLength(kept + piece) + ending.length > most) break;
    kept += piece;
  }
  return kept + ending;
}
