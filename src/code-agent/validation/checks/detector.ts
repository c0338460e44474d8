// What a detector of checks is: it looks at one folder and tells which commands of the project check it.
import type { ProjectFolders } from '../project-folders.ts';

export interface FoundCheck {
  /** What it checks: `check` is the project's own word for all of it. */
  name: 'check' | 'types' | 'build' | 'test';
  words: string[];
  why: string;
}

export interface Found {
  checks: FoundCheck[];
  /** What was seen and not taken, and why. */
  notes: string[];
}

export interface Detector {
  kind: string;
  detect(folder: string, project: ProjectFolders): Promise<Found>;
}

export const nothing: Found = { checks: [], notes: [] };

export function found(...checks: FoundCheck[]): Found {
  return { checks, notes: [] };
}
