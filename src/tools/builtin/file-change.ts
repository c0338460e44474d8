// Changing a file that may change under the hand: read it, decide, look once more right before the new content takes its place.

import { ContinuoError } from '../../model/error.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../model/ports/tool.ts';
import { toFileError } from './define-tool.ts';
import { type FileMemory, markOf } from './file-memory.ts';
import { openForReading, replaceFile } from './project-file.ts';
import type { Place } from './project-paths.ts';

/** Larger files are not what these tools are for. */
export const wholeFileSize = 10 * 1024 * 1024;

/** What to do with the file as it is (undefined: there is none): new content and what to say of it, or just something to say. */
export type Decide = (before: Buffer | undefined) => { content: Uint8Array; outcome: ToolOutcome } | { outcome: ToolOutcome };

export function changeFile(place: Place, context: ToolContext, memory: FileMemory, decide: Decide): ReturnType<Tool['run']> {
  const { conversationId, signal } = context;
  return memory.alone(place.real, async () => {
    try {
      const before = await readIfThere(place.real);
      if (before && memory.hasChanged(conversationId, place.real, markOf(before))) return staleFile(place);
      const decided = decide(before);
      if (!('content' in decided)) return decided.outcome;
      let stale = false;
      await replaceFile(place.real, decided.content, async () => {
        signal.throwIfAborted();
        const now = await readIfThere(place.real);
        stale = before === undefined ? now !== undefined : now?.equals(before) !== true;
        if (stale) throw new ContinuoError('unsafe-path', { path: place.name, reason: 'it was changed meanwhile' });
      }).catch((error: unknown) => {
        if (!stale) throw error;
      });
      if (stale) return staleFile(place);
      memory.remember(conversationId, place.real, markOf(decided.content));
      return decided.outcome;
    } catch (error) {
      throw signal.aborted ? error : toFileError(error, place.name);
    }
  });
}

function staleFile(place: Place): ToolOutcome {
  return { text: `${place.name} was changed since you read it. Read it again, then repeat the change.`, failed: true };
}

async function readIfThere(real: string): Promise<Buffer | undefined> {
  try {
    const handle = await openForReading(real);
    try {
      const { size } = await handle.stat();
      if (size > wholeFileSize) throw new ContinuoError('io-failed', { path: real, reason: 'it is larger than 10 MB' });
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
