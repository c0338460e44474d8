// Which files matter for what is being done: those that were touched, what they import, who imports them, and their tests.
import { quotePath } from '../bounded-text.ts';
import type { FileRecord } from './file-record.ts';
import type { ImportGraph } from './resolve/import-graph.ts';
import { isTestFile, subjectOf } from './test-file.ts';
import type { Touch } from './touched-files.ts';

/** Why a file is named. `path` is the other file where there is one, `text` what was found. */
export interface FileReason {
  kind:
    | 'changed'
    | 'read'
    | 'imported-by'
    | 'imports'
    | 'test-of'
    | 'named'
    | 'path'
    | 'symbol'
    | 'words'
    | 'mention'
    | 'recall'
    | 'model';
  path?: string;
  text?: string;
}

export interface RelevantFile {
  path: string;
  /** Higher is better; comparable within one answer only. */
  score: number;
  why: FileReason[];
}

const weights = { changed: 3, read: 1, 'imported-by': 0.5, imports: 0.6, 'test-of': 0.7 } as const;
/** Of the files touched, how many still lead to others. */
const seeds = 30;
const maxReasons = 4;

export function findRelevant(
  touched: readonly [string, Touch][],
  records: ReadonlyMap<string, FileRecord>,
  graph: ImportGraph,
  limit: number,
): RelevantFile[] {
  const found = new Map<string, RelevantFile>();
  const add = (path: string, score: number, reason: FileReason) => {
    const file = found.get(path) ?? { path, score: 0, why: [] };
    file.score += score;
    if (file.why.length < maxReasons) file.why.push(reason);
    found.set(path, file);
  };
  for (const [age, [path, touch]] of touched.entries()) {
    if (!records.has(path)) continue;
    const fresh = 1 / (1 + age / 10);
    if (touch.changed) add(path, weights.changed * fresh, { kind: 'changed' });
    if (touch.read) add(path, weights.read * fresh, { kind: 'read' });
  }
  for (const [age, [path, touch]] of touched.slice(0, seeds).entries()) {
    const own = (touch.changed ? 1 : 0.5) / (1 + age / 5);
    for (const to of distinct(graph.importsOf(path).map((edge) => edge.to))) {
      add(to, weights['imported-by'] * own, { kind: 'imported-by', path });
    }
    for (const from of distinct(graph.importersOf(path).map((edge) => edge.from))) {
      const isItsTest = isTestFile(from) && subjectOf(from) === subjectOf(path);
      const kind = isItsTest ? 'test-of' : 'imports';
      add(from, weights[kind] * own, { kind, path });
    }
  }
  return [...found.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).slice(0, limit);
}

export function distinct(paths: readonly string[]): Set<string> {
  return new Set(paths);
}

const sentences: Record<FileReason['kind'], string> = {
  changed: 'changed in this session',
  read: 'read in this session',
  'imported-by': 'imported by {path}',
  imports: 'imports {path}',
  'test-of': 'test of {path}',
  named: 'named in the task',
  path: 'its path says {text}',
  symbol: 'declares {text}',
  words: 'its comments speak of {text}',
  mention: 'its text holds {text}',
  recall: 'spoken of in an earlier conversation: {text}',
  model: 'chosen by the model',
};

const longestText = 80;

/** In words, for a model. Titles and words are quoted from elsewhere: they stay in their line. */
export function formatReason({ kind, path = '', text = '' }: FileReason): string {
  const line = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, longestText)
    .toWellFormed();
  return sentences[kind].replace('{path}', () => quotePath(path)).replace('{text}', () => line);
}
