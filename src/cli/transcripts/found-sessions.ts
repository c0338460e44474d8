// The sessions that lie in a place, and which of them the store does not have yet. Looks only; nothing is read to its end.
import { findStanding, type StandingOptions } from '../../transcripts/import-standing.ts';
import { measureFiles } from '../../transcripts/session-folder.ts';
import {
  detectFormat,
  readHead,
  type SkippedNote,
  type TranscriptFormat,
  type TranscriptSource,
} from '../../transcripts/transcripts.ts';
import type { SessionPlace } from './session-places.ts';

export interface FoundSessions {
  format: TranscriptFormat;
  path: string;
  sources: TranscriptSource[];
  notes: SkippedNote[];
}

export interface SearchOptions {
  /** Sessions that changed since then. */
  since?: number | undefined;
  signal?: AbortSignal | undefined;
}

export async function findSessions(
  { format, path, isMixed }: SessionPlace,
  { since, signal }: SearchOptions,
): Promise<FoundSessions> {
  const found: FoundSessions = { format, path, sources: [], notes: [] };
  try {
    for await (const each of format.discover(path, { signal, anywhere: isMixed })) {
      if (each.type === 'skipped') {
        // Of a folder that anything may lie in, only what is a session is worth a word.
        if (!isMixed || (each.reason === 'broken' && (await isOf(format, each.path ?? path)))) found.notes.push(each);
      } else if (each.modifiedAt >= (since ?? 0) && (!isMixed || (await isOf(format, each.path)))) found.sources.push(each);
    }
  } catch (error) {
    signal?.throwIfAborted();
    const what = (error as NodeJS.ErrnoException).code ?? String(error);
    found.notes.push({ type: 'skipped', reason: 'broken', what, path });
  }
  return found;
}

export interface Comparison {
  /** Not in the store, and in the store with less than there is now. */
  fresh: number;
  grown: number;
  bytes: number;
}

export async function compareWithStore(
  options: Omit<StandingOptions, 'format'>,
  { format, sources }: FoundSessions,
): Promise<Comparison> {
  const counts: Comparison = { fresh: 0, grown: 0, bytes: await measureSessions(sources) };
  for (const source of sources) {
    const { settled, conversation } = await findStanding({ ...options, format }, source);
    if (settled === undefined) counts[conversation ? 'grown' : 'fresh'] += 1;
  }
  return counts;
}

/** A file that holds several sessions counts once: the size of each of them tells only whether it changed. */
async function measureSessions(sources: readonly TranscriptSource[]): Promise<number> {
  const whole = sources.filter(({ part }) => part === undefined);
  const counted = new Set(whole.map(({ path }) => path));
  const shared = new Set(sources.map(({ path }) => path).filter((path) => !counted.has(path)));
  return whole.reduce((sum, { size }) => sum + size, (await measureFiles([...shared])).size);
}

/** The same files look like sessions of several agents by their names; what is in them tells. */
async function isOf(format: TranscriptFormat, path: string): Promise<boolean> {
  const head = await readHead(path).catch(() => undefined);
  return head !== undefined && detectFormat({ path, head }) === format;
}
