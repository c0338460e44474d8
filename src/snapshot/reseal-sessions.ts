// Session files for a store that gets a key, changes it or loses it. All of them are written anew in a folder of their own and
// compared; then, once the store has its new key, each takes the place of the old one. Repeating the second step is safe, so that
// whoever opens the home next can finish what a crash cut short.
import { constants } from 'node:fs';
import { lstat, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { listFiles, makePrivateFolder, syncFolder, writeFileAtomically } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import type { Sealer } from '../model/ports/sealer.ts';
import { damagedAt } from './envelope.ts';
import { isMissing, toFileError } from './file-fault.ts';
import { removeUnfinished, withLock } from './locked-folder.ts';
import { listSessionFiles, sessionsFolder } from './session-files.ts';
import { formatSnapshot, parseSnapshot } from './snapshot-text.ts';

export interface Keys {
  from: Sealer | undefined;
  to: Sealer | undefined;
}

export interface ResealedSessions {
  sessions: number;
  /** Damaged files, carried byte by byte. */
  carried: string[];
  /** What is no regular file stays as it is. */
  left: string[];
}

/** Fills the folder; nothing else changes. */
export async function stageSessions(home: string, staging: string, keys: Keys): Promise<ResealedSessions> {
  const result: ResealedSessions = { sessions: 0, carried: [], left: [] };
  for (const { path, kind } of await listSessionFiles(home)) {
    if (kind === 'unfinished') continue;
    const bytes = await readRegular(path);
    if (bytes === undefined) {
      result.left.push(path);
      continue;
    }
    const { content, isSession } = reseal(bytes, path, keys);
    if (isSession) result.sessions += 1;
    else result.carried.push(path);
    const target = join(staging, basename(dirname(path)), basename(path));
    await makePrivateFolder(dirname(target));
    await writeFileAtomically(target, content);
  }
  return result;
}

/** Puts what was staged in its place. What has gone meanwhile does not come back. */
export async function placeSessions(home: string, staging: string): Promise<void> {
  const files = await listFiles(staging).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw toFileError(error, staging);
  });
  for (const name of new Set(files.map((file) => dirname(file)))) {
    if (name === '.') continue;
    const folder = join(sessionsFolder(home), name);
    await withLock(folder, async () => {
      await removeUnfinished(folder);
      for (const file of files) {
        if (dirname(file) !== name) continue;
        const target = join(folder, basename(file));
        const isThere = await lstat(target).then(
          () => true,
          () => false,
        );
        if (isThere) await rename(join(staging, file), target).catch(passOver);
      }
      await syncFolder(folder);
    });
  }
}

/** Seals, or opens, what was saved after the staging began. */
export async function resealRest(home: string, keys: Keys): Promise<void> {
  for (const { path, kind } of await listSessionFiles(home)) {
    if (kind === 'unfinished') continue;
    const bytes = await readRegular(path);
    if (bytes === undefined || isKeptBy(bytes, keys.to)) continue;
    await withLock(dirname(path), async () => {
      const current = await readRegular(path);
      if (current !== undefined) await writeFileAtomically(path, reseal(current, path, keys).content);
    });
  }
}

function reseal(bytes: Buffer, path: string, { from, to }: Keys): { content: string | Buffer; isSession: boolean } {
  const reading = (sealer: Sealer | undefined) => ({
    path,
    sealer,
    fail: damagedAt(path),
    keyRequired: () => new ContinuoError('key-required', { path }),
  });
  let content: string;
  try {
    const { snapshot } = parseSnapshot(bytes.toString('utf8'), reading(from));
    content = formatSnapshot(snapshot, to);
    if (isDeepStrictEqual(parseSnapshot(content, reading(to)).snapshot, snapshot)) return { content, isSession: true };
  } catch (error) {
    if (!(error instanceof ContinuoError)) throw error;
    const raw = openRaw(bytes, from);
    if (to === undefined) return { content: raw, isSession: false };
    return { content: `{"sealed":"1.0","raw":${JSON.stringify(to.seal(raw.toString('base64')))}}\n`, isSession: false };
  }
  throw new ContinuoError('internal', { reason: `the copy of ${path} differs; the store was left as it was` });
}

/** The bytes of a damaged file, also where they were sealed as they are. */
function openRaw(bytes: Buffer, from: Sealer | undefined): Buffer {
  const { raw } = outerOf(bytes);
  if (typeof raw !== 'string' || from === undefined) return bytes;
  try {
    return Buffer.from(from.unseal(raw), 'base64');
  } catch {
    return bytes;
  }
}

/** Whether the file is sealed with this key, or plain where there is none. */
function isKeptBy(bytes: Buffer, to: Sealer | undefined): boolean {
  const { sealed, head, raw } = outerOf(bytes);
  if (to === undefined) return sealed === undefined;
  const part = head ?? raw;
  try {
    return typeof part === 'string' && to.unseal(part) !== undefined;
  } catch {
    return false;
  }
}

function outerOf(bytes: Buffer): { sealed?: unknown; head?: unknown; raw?: unknown } {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Undefined for links and everything else that is no regular file, and where it has gone. */
async function readRegular(path: string): Promise<Buffer | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      return (await file.stat()).isFile() ? await file.readFile() : undefined;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ELOOP') return undefined;
    throw toFileError(error, path);
  }
}

function passOver(error: unknown): void {
  // Another process does the same at this moment.
  if (!isMissing(error)) throw error;
}
