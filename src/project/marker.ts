// The marker file of a project without git: one line of JSON with an id, which moves and is copied with its folder. What lies there
// already is never touched.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFileAtomically } from '../base/private-files.ts';
import { ContinuoError } from '../model/error.ts';
import { isMarkerId } from './project-key.ts';
import { foldersUp } from './repository-root.ts';

export const markerFileName = '.continuo-project';

export interface FoundMarker {
  /** The folder that holds it. */
  folder: string;
  /** Undefined where the file cannot be read as a marker: the folder is a project's all the same, but not told by an id. */
  id?: string;
}

/** The nearest marker at or above the folder. The home folder's own does not count for the folders below it. */
export async function findMarker(folder: string, options: { home?: string | undefined } = {}): Promise<FoundMarker | undefined> {
  for (const candidate of foldersUp(folder, options.home)) {
    const found = await readMarker(candidate);
    if (found) return found;
  }
  return undefined;
}

/** The marker of this very folder. */
export async function readMarker(folder: string): Promise<FoundMarker | undefined> {
  const file = join(folder, markerFileName);
  const there = await lstat(file).catch(() => undefined);
  if (!there) return undefined;
  const id = there.isFile() ? await readId(file) : undefined;
  return { folder, ...(id !== undefined && { id }) };
}

/**
 * Gives the folder a marker: a new id, or the one given (to say that this folder is the same project as another). Where it has one
 * already, that one is the answer. Throws `unsafe-path` where something else is in its place, and nothing is changed.
 */
export async function writeMarker(folder: string, options: { id?: string } = {}): Promise<{ id: string; written: boolean }> {
  const id = options.id ?? randomUUID();
  if (!isMarkerId(id)) throw new ContinuoError('invalid-input', { what: 'marker', reason: 'it is not a uuid', id });
  const file = join(folder, markerFileName);
  if (await createMarker(file, `${JSON.stringify({ id, about: markerAbout })}\n`)) return { id, written: true };
  const found = await readMarker(folder);
  if (found?.id === undefined) throw new ContinuoError('unsafe-path', { path: file, reason: 'it is not a marker file' });
  if (options.id !== undefined && options.id !== found.id)
    throw new ContinuoError('unsafe-path', { path: file, reason: 'it marks another project' });
  return { id: found.id, written: false };
}

const markerAbout = 'Continuo knows this project by the id, wherever the folder goes. Keep the file with the folder.';
const markerMode = 0o644;
const maxMarkerBytes = 4096;

async function createMarker(file: string, line: string): Promise<boolean> {
  try {
    if (!(await createFileAtomically(file, line))) return false;
    await chmod(file, markerMode);
    return true;
  } catch (error) {
    if (!noLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw toCoded(error, file);
    return createPlainly(file, line);
  }
}

/** What systems without hard links say to one: some memory cards, network and shared folders. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

async function createPlainly(file: string, line: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', markerMode);
    try {
      await handle.writeFile(line);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw toCoded(error, file);
  }
}

function toCoded(error: unknown, path: string): ContinuoError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ContinuoError('disk-full', { path }, { cause: error });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new ContinuoError('permission-denied', { path }, { cause: error });
  const reason = code === 'ENOENT' ? `its folder ${dirname(path)} does not exist` : message;
  return new ContinuoError('io-failed', { path, reason }, { cause: error });
}

async function readId(file: string): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxMarkerBytes + 1), 0, maxMarkerBytes + 1, 0);
    if (bytesRead > maxMarkerBytes) return undefined;
    const content: unknown = JSON.parse(buffer.toString('utf8', 0, bytesRead));
    const id = typeof content === 'object' && content !== null && 'id' in content ? content.id : undefined;
    const plain = typeof id === 'string' ? id.toLowerCase() : undefined;
    return isMarkerId(plain) ? plain : undefined;
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}
