// The session files of teams as commands that care for the whole home see them. Where there are none, nothing is loaded.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Conversation } from '../../model/conversation.ts';
import type { StoreKey } from '../../open-store.ts';
import type { SessionCensus } from '../../snapshot/session-census.ts';
import { loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../output/plain-text.ts';

/** Undefined where no team has ever left a session. */
export async function lookAtSessions({ home }: Context, key: StoreKey | undefined): Promise<SessionCensus | undefined> {
  if (!hasSessions(home)) return undefined;
  const { createSessionSealer } = await import('../../home-sessions.ts');
  const { countSessions } = await import('../../snapshot/session-census.ts');
  return countSessions(home, createSessionSealer(home, await readKey(home, key)));
}

/** Every file that goes when these conversations are removed for good. */
export async function findDoomedFiles(
  { home }: Context,
  key: StoreKey | undefined,
  doomed: readonly Conversation[],
): Promise<string[]> {
  if (doomed.length === 0 || !hasSessions(home)) return [];
  const { findSessionsOf } = await import('../../home-sessions.ts');
  return (await findSessionsOf(home, await readKey(home, key), doomed)).map(({ path }) => path);
}

/** What else goes, for people; nothing where there is nothing. */
export function describeDoomed({ home, text }: Context, files: readonly string[]): string[] {
  if (files.length === 0) return [];
  return [text.sessionFiles.goAlong(files.length), ...files.map((path) => `  ${plainLine(relative(home, path))}`)];
}

/** Seals what lies plain beside an encrypted store. */
export async function sealSessions({ home }: Context, key: StoreKey | undefined): Promise<void> {
  const { sealPlainSessions } = await import('../../home-sessions.ts');
  await sealPlainSessions(home, await readKey(home, key));
}

function hasSessions(home: string): boolean {
  return existsSync(join(home, 'sessions'));
}

async function readKey(home: string, key: StoreKey | undefined): Promise<Uint8Array | undefined> {
  const record = await loadHome(home);
  if (!record?.encryption) return undefined;
  const { unlock } = await import('../../open-store.ts');
  return unlock(home, record, key);
}
