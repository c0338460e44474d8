// Where sessions of other agents are looked for: in every agent's own folders, in those of one agent, or in what was named on the command
// line. Each agent's relocation variable counts.
import { lstat, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { ContinuoError } from '../../model/error.ts';
import { toStoreError } from '../../store/io-fault.ts';
import { isArchive } from '../../transcripts/account-export.ts';
import { findOwner } from '../../transcripts/session-files.ts';
import { readHead, type TranscriptFormat, transcriptFormats } from '../../transcripts/transcripts.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { usageError } from '../usage-error.ts';
import { MixedFolder } from './mixed-folder.ts';

export interface SessionPlace {
  format: TranscriptFormat;
  /** A folder, or the file of one session. */
  path: string;
  /** Nobody says whose sessions lie there: each file is asked. */
  mixed?: MixedFolder;
}

export const everyAgent = 'all';

/** A word of the command line that stands for no sessions, and why. */
export interface MistakenSource {
  word: string;
  error: ContinuoError;
}

/** No word means every agent. A word that is neither an agent nor there is a mistake: told beside the rest, thrown where it is all there is. */
export async function findPlaces(
  context: Context,
  words: readonly string[],
): Promise<{ places: SessionPlace[]; mistaken: MistakenSource[] }> {
  const places: SessionPlace[] = [];
  const mistaken: MistakenSource[] = [];
  for (const word of words.length === 0 ? [everyAgent] : words) {
    try {
      places.push(...(await placesOf(context, word)));
    } catch (fault) {
      mistaken.push({ word, error: toStoreError(fault, resolve(word)) });
    }
  }
  const [first, second] = mistaken;
  if (first && places.length === 0)
    throw second ? usageError(mistaken.map(({ error }) => describeError(error, context.text)).join('\n')) : first.error;
  const names = places.map(({ format, path }) => `${format.name} ${path}`);
  return { places: places.filter((_, index) => names.indexOf(names[index] as string) === index), mistaken };
}

/** By its name, or by the first part of it: `claude` is `claude-code`. */
export function findAgent(word: string): TranscriptFormat | undefined {
  const name = word.toLowerCase();
  return transcriptFormats.find((format) => format.name === name || format.name.startsWith(`${name}-`));
}

export function rootsOf({ env }: Pick<Context, 'env'>, format: TranscriptFormat): string[] {
  return format.roots(env, env.HOME || homedir());
}

async function placesOf(context: Context, word: string): Promise<SessionPlace[]> {
  const agents = word === everyAgent ? transcriptFormats : [findAgent(word)].filter((format) => format !== undefined);
  const folders = agents.flatMap((format) => rootsOf(context, format).map((path) => ({ format, path })));
  if (folders.length > 0) return folders;
  if (agents[0]) throw usageError(context.text.import.needsPath(agents[0].label));
  const path = resolve(word);
  // Links inside folders are not followed; this one was named.
  const found = word.trim() === '' ? undefined : await findNamed(path);
  if (found?.isDirectory()) {
    const mixed = new MixedFolder(path, word);
    return transcriptFormats.map((format) => ({ format, path, mixed }));
  }
  const names = [everyAgent, ...transcriptFormats.map(({ name }) => name)].join(', ');
  if (!found) throw usageError(context.text.import.unknownSource(word, names));
  const file = (await lstat(path)).isSymbolicLink() ? await realpath(path) : path;
  const format = found.isFile() ? await findOwner(file) : undefined;
  if (found.isFile() && isArchive(await readHead(file))) throw usageError(context.text.import.archive(word));
  if (!format) throw usageError(context.text.import.unknownFile(word, names));
  return [{ format, path: file }];
}

/** Undefined where nothing is there, or a link leads nowhere. */
async function findNamed(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}
