// What it takes to find out which file an import means: which files there are, and what the project's manifests say.
import type { FileRecord, ImportStatement } from '../file-record.ts';
import type { Manifests } from './manifests.ts';

export interface ResolveContext {
  has(path: string): boolean;
  /** Full paths of the files directly in a folder; the project's own folder is the empty string. */
  filesIn(folder: string): readonly string[];
  /** Files with this name anywhere. */
  filesNamed(name: string): readonly string[];
  recordOf(path: string): FileRecord | undefined;
  /** Files of a language with packages that say they belong to this one. */
  filesOfPackage(name: string): readonly string[];
  manifests: Manifests;
}

/** The files of the project that a statement means; none where it means something else, or nothing. */
export type Resolve = (record: FileRecord, statement: ImportStatement, context: ResolveContext) => readonly string[];
