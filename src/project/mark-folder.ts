// Gives a folder without git its marker, so that it is found again wherever it goes. Only where the folder can be a project of its own:
// not the home folder or one above it, no temporary folder that everybody shares, none that holds other projects. Trouble with it never
// stops anybody, and what lies there already is never touched.
import { readdir, realpath } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { ContinuoError } from '../model/error.ts';
import type { ProjectEvidence } from './gather-evidence.ts';
import type { KnownProject } from './known-project.ts';
import { markerFileName, readMarker, writeMarker } from './marker.ts';

export interface MarkOptions {
  /** The person's home folder. Default: the system's. */
  home?: string | undefined;
  /** Nothing is written in these folders, nor below them. */
  spared?: readonly string[];
  /** Asked only where a marker would be written: a folder that holds folders of other projects gets none. */
  known?: () => Promise<readonly KnownProject[]>;
}

export interface FolderMark {
  id: string;
  file: string;
  written: boolean;
}

/** The marker of the folder, old or new; undefined where it has none and gets none. */
export async function markFolder(evidence: ProjectEvidence, options: MarkOptions = {}): Promise<FolderMark | undefined> {
  const { path, git, gitProblem, marker } = evidence;
  if (git || gitProblem !== undefined) return undefined;
  const file = join(path, markerFileName);
  if (marker !== undefined) return { id: marker, file, written: false };
  if (!(await isOwnFolder(path, options))) return undefined;
  try {
    return { file, ...(await writeMarker(path)) };
  } catch (error) {
    // Not ours to write in: the path tells the project, as long as it stays.
    if (error instanceof ContinuoError) return undefined;
    throw error;
  }
}

const sharedFolders = ['/tmp', '/var/tmp', '/dev/shm'];
const mostLookedAt = 2000;

async function isOwnFolder(path: string, { home = homedir(), spared = [], known }: MarkOptions): Promise<boolean> {
  if (dirname(path) === path) return false;
  const [realHome, ...shared] = await Promise.all([home, tmpdir(), ...sharedFolders].map(findReal));
  if (realHome !== undefined && isWithin(realHome, path)) return false;
  if (shared.includes(path)) return false;
  const closed = await Promise.all(spared.map(findReal));
  if (closed.some((folder) => folder !== undefined && isWithin(path, folder))) return false;
  if (await holdsProjects(path)) return false;
  const others = (await known?.()) ?? [];
  return !others.some(({ paths }) => paths.some((other) => other !== path && isWithin(other, path)));
}

/** A folder of folders: what is said in it would lay claim to each of them. */
async function holdsProjects(path: string): Promise<boolean> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.slice(0, mostLookedAt)) {
    if (!entry.isDirectory()) continue;
    const inner = join(path, entry.name);
    if (await readMarker(inner)) return true;
    if ((await findReal(join(inner, '.git'))) !== undefined) return true;
  }
  return false;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function findReal(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
