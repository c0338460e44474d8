// Finds the sessions that are one document each: the file that is given, or those below a folder that look like it by their beginning; in
// a folder where nothing else lies, those with the right name.
import { kindOf, readHead, walkFiles } from './session-folder.ts';
import type { SkippedNote, TranscriptSource } from './transcript-format.ts';

export interface DocumentSearch {
  /** Whether a file begins as such a session does; the names of files are asked first. */
  accepts(head: Buffer, path: string): boolean;
  isName?: (name: string) => boolean;
  createSource(path: string, head: Buffer): Promise<TranscriptSource>;
  /** Other files may lie there; default true. */
  anywhere?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export async function* discoverDocuments(root: string, search: DocumentSearch): AsyncGenerator<TranscriptSource | SkippedNote> {
  const { accepts, createSource, signal, anywhere = true, isName = (name) => name.endsWith('.json') } = search;
  if ((await kindOf(root)) === 'file') return yield await createSource(root, await readHead(root).catch(() => Buffer.alloc(0)));
  for await (const item of walkFiles(root, { signal })) {
    if (item.type === 'skipped') yield item;
    else if (isName(item.name)) {
      const head = await readHead(item.path).catch(() => Buffer.alloc(0));
      if (!anywhere || accepts(head, item.path)) yield await createSource(item.path, head);
    }
  }
}
