// The sessions of teams in a home, as the store's own affairs touch them: what is purged takes its files along, and a store that gets,
// changes or loses its key takes them with it.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createLineSealer } from './crypto/line-sealer.ts';
import type { Conversation } from './model/conversation.ts';
import type { Sealer } from './model/ports/sealer.ts';
import { isAbandoned, openConversionFolder, stagedPrefix } from './snapshot/conversion-folder.ts';
import { placeSessions, type ResealedSessions, resealRest, stageSessions } from './snapshot/reseal-sessions.ts';
import { eraseFiles, findFilesOf, type SessionFile, sessionsFolder } from './snapshot/session-files.ts';
import { sessionKey } from './team/team-log.ts';

/** The key as it comes out of the store's record; undefined for a plain store. */
export type RawKey = Uint8Array | undefined;

export function createSessionSealer(home: string, raw: RawKey): Sealer | undefined {
  return raw && createLineSealer(raw, sessionsFolder(home));
}

/** Every file that holds words of these conversations. */
export async function findSessionsOf(home: string, raw: RawKey, conversations: readonly Conversation[]): Promise<SessionFile[]> {
  const prefix = sessionKey('');
  const logged = conversations.map(({ id, key, team }) => ({
    conversationId: id,
    teamId: team,
    sessionId: key?.startsWith(prefix) ? key.slice(prefix.length) : undefined,
  }));
  return findFilesOf(home, createSessionSealer(home, raw), logged);
}

export async function eraseSessionsOf(home: string, raw: RawKey, conversations: readonly Conversation[]): Promise<void> {
  await eraseFiles(await findSessionsOf(home, raw, conversations));
}

export interface SessionConversion {
  /** Before anything else is written: from now on a crash is noticed by whoever opens the store. */
  begin(): Promise<void>;
  /** Writes everything anew beside the original. */
  stage(): Promise<ResealedSessions>;
  /** Once the store has its new key: the new files take the place of the old ones. */
  place(): Promise<void>;
  /** At the end, whichever of the two is the store. */
  drop(): Promise<void>;
}

export function convertSessions(home: string, staging: string, keys: { from: RawKey; to: RawKey }): SessionConversion {
  const sealers = { from: createSessionSealer(home, keys.from), to: createSessionSealer(home, keys.to) };
  return {
    begin: () => openConversionFolder(staging),
    stage: () => stageSessions(home, staging, sealers),
    place: async () => {
      await placeSessions(home, staging);
      await resealRest(home, sealers);
    },
    drop: () => rm(staging, { recursive: true, force: true }),
  };
}

/** For files that came into the home of an encrypted store without its key. */
export async function sealPlainSessions(home: string, raw: RawKey): Promise<void> {
  if (raw) await resealRest(home, { from: undefined, to: createSessionSealer(home, raw) });
}

/**
 * What conversions left that were killed: the one that had taken effect is finished, and the store it replaced goes; of any other
 * nothing stays. Conversions at work are left alone.
 */
export async function tidyConversions(home: string, current: string, raw: RawKey): Promise<void> {
  const remove = (name: string) => rm(join(home, name), { recursive: true, force: true });
  const names = await readdir(home);
  const atWork = new Set<string>();
  const killed: string[] = [];
  for (const name of names) {
    if (!name.startsWith(stagedPrefix)) continue;
    if (await isAbandoned(join(home, name))) killed.push(name);
    else atWork.add(storeOf(name));
  }
  for (const name of killed) {
    if (storeOf(name) !== current) await remove(storeOf(name));
    else {
      await placeSessions(home, join(home, name));
      await sealPlainSessions(home, raw);
      for (const other of names) if (/^store(-\w+)?$/.test(other) && other !== current && !atWork.has(other)) await remove(other);
    }
    await remove(name);
  }
}

function storeOf(name: string): string {
  return name.replace(stagedPrefix, 'store-');
}
