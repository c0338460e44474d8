// The sessions that lie in a place, and which of them the store does not have yet. Looks only; nothing is read to its end.
import { findStanding, type StandingOptions } from '../../transcripts/import-standing.ts';
import { measureFiles } from '../../transcripts/session-folder.ts';
import type { SkippedNote, TranscriptFormat, TranscriptSource } from '../../transcripts/transcripts.ts';
import type { MixedFolder } from './mixed-folder.ts';
import type { SessionPlace } from './session-places.ts';

export interface FoundSessions {
  format: TranscriptFormat;
  path: string;
  sources: TranscriptSource[];
  notes: SkippedNote[];
  /** How many sessions did not change since the given moment. */
  earlier: number;
}

export interface SearchOptions {
  /** Sessions that changed since then. */
  since?: number | undefined;
  signal?: AbortSignal | undefined;
}

export async function findSessions(
  { format, path, mixed }: SessionPlace,
  { since = 0, signal }: SearchOptions,
): Promise<FoundSessions> {
  const found: FoundSessions = { format, path, sources: [], notes: [], earlier: 0 };
  try {
    for await (const each of mixed ? sessionsAmong(mixed, format, signal) : format.discover(path, { signal })) {
      if (each.type === 'skipped') {
        // What holds nothing and is no session is nothing new at any time.
        if (each.reason !== 'empty') found.notes.push(each);
      } else if (each.modifiedAt >= since) found.sources.push(each);
      else found.earlier += 1;
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

/** What of a folder is the format's: what it finds there by its names, then what lies there under others. */
async function* sessionsAmong(
  mixed: MixedFolder,
  format: TranscriptFormat,
  signal: AbortSignal | undefined,
): AsyncGenerator<TranscriptSource | SkippedNote> {
  const { owners, notes } = await mixed.sortFor(format, signal);
  yield* notes;
  if (![...owners.values()].includes(format)) return;
  const met = new Set<string>();
  const sizes = new Map<string, number>();
  for await (const each of format.discover(mixed.path, { signal, anywhere: true })) {
    if (each.path === undefined || owners.get(each.path) !== format) continue;
    met.add(each.path);
    if (each.type === 'source') sizes.set(each.id, each.size);
    // Of a folder that anything may lie in, only what is a session is worth a word.
    if (each.type === 'source' || worthAWord.has(each.reason)) yield each;
  }
  for (const [path, owner] of owners) {
    if (owner !== format || met.has(path)) continue;
    for await (const each of format.discover(path, { signal })) {
      // A copy counts where it has more than what was found.
      if (each.type === 'source' && each.size <= (sizes.get(each.id) ?? -1)) continue;
      yield each;
    }
  }
}

const worthAWord: ReadonlySet<SkippedNote['reason']> = new Set(['broken', 'too-long', 'unknown']);
