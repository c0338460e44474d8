// What happens to folders, and which project each is then. `before` arranges and names the folders that are visited, one by one;
// `after` changes something and names the folder that is asked about. `is` is the visited folder whose project it must be.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { collectKnownProjects, markerFileName, markFolder, writeMarker } from '../../src/project/project.ts';
import type { GitLab } from '../support/git-lab.ts';

export interface Situation {
  before: ((lab: GitLab) => string | Promise<string>)[];
  after: (lab: GitLab) => string | Promise<string>;
  is: number | 'new';
  how: 'root-commit' | 'marker' | 'remote' | 'path' | 'new';
  confidence: 'high' | 'medium' | 'low';
  alsoFits?: number[];
  /** Default: whether the folder asked about is one that was visited. */
  seenHere?: boolean;
}

export const mark = async (lab: GitLab, name: string): Promise<string> => {
  await writeMarker(lab.path(lab.folder(name)));
  return name;
};

/** The folder as a first conversation in it leaves it. `other`: a folder that is known by its path. */
export const visit = async (lab: GitLab, name: string, other?: string): Promise<string> => {
  const path = lab.path(lab.folder(name));
  const known = collectKnownProjects(other === undefined ? [] : [{ project: `path:${lab.path(other)}`, meta: {}, activeAt: 1 }]);
  await markFolder(await lab.gather(name), { home: lab.path('home'), known: async () => known });
  expect(existsSync(join(path, markerFileName))).toBe(name !== 'home' && name !== 'all');
  return name;
};

export const root = { how: 'root-commit', confidence: 'high', is: 0 } as const;
export const marker = { how: 'marker', confidence: 'high', is: 0 } as const;
export const fresh = { how: 'new', confidence: 'high', is: 'new' } as const;
export const unsure = { how: 'new', confidence: 'low', is: 'new' } as const;
