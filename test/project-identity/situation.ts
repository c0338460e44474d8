// What happens to folders, and which project each is then. `before` arranges and names the folders that are visited, one by one;
// `after` changes something and names the folder that is asked about. `is` is the visited folder whose project it must be.
import { writeMarker } from '../../src/project/project.ts';
import type { GitLab } from './git-lab.ts';

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

export const root = { how: 'root-commit', confidence: 'high', is: 0 } as const;
export const marker = { how: 'marker', confidence: 'high', is: 0 } as const;
export const fresh = { how: 'new', confidence: 'high', is: 'new' } as const;
export const unsure = { how: 'new', confidence: 'low', is: 'new' } as const;
