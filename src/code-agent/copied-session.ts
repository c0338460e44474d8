// Whether a project was copied, not moved: the session it came from still lies where it was. Then each of the two goes on by itself.
import { lstat, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sessionFolderName } from '../snapshot/saved-session-list.ts';

/** `as-saved`: the other one was gone on with since. `whole`: neither was, so that what came after the last save belongs to both. */
export type CopiedSession = 'as-saved' | 'whole';

/** Undefined where there is no other one. */
export async function findCopied(path: string, formerRoot: string): Promise<CopiedSession | undefined> {
  const [here, there] = await Promise.all([path, join(formerRoot, sessionFolderName, basename(path))].map(readMark));
  if (here === undefined || there === undefined || here.file === there.file) return undefined;
  return here.content === there.content ? 'whole' : 'as-saved';
}

/** A session's first bytes tell when it was saved. */
const markBytes = 4096;

async function readMark(path: string): Promise<{ file: string; content: string } | undefined> {
  try {
    const status = await lstat(path);
    if (!status.isFile()) return undefined;
    const { dev, ino, size } = status;
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(markBytes), 0, markBytes, 0);
      return { file: `${dev} ${ino}`, content: `${size} ${buffer.toString('latin1', 0, bytesRead)}` };
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
