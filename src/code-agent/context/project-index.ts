// The index of a project: one record a file, rebuilt from the disk alone and brought up to date by size and time of change. A round
// that is aborted leaves the last whole state standing and keeps what it has read for the next one.
import { lstatSync, type Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ContinuoError } from '../../model/error.ts';
import { byCodeUnits, listProjectFiles } from '../../tools/builtin/project-file-list.ts';
import { findSecretPlace } from '../../tools/builtin/secret-place.ts';
import type { FileRecord, ScannedFile, SkipReason } from './file-record.ts';
import { withoutIgnored } from './ignored-files.ts';
import { findScanner, isCode } from './languages/language-table.ts';
import { maxFileSize, SourceReader } from './read-source.ts';
import { ImportGraph } from './resolve/import-graph.ts';
import { isManifest } from './resolve/manifests.ts';

export interface IndexFacts {
  /** Files of the project that the index knows. */
  files: number;
  /** Of these, what was not read and why; `beyond` are files over the limit, of which nothing is known. */
  skipped: Record<SkipReason | 'beyond', number>;
  /** False where there are more files than the index takes. */
  complete: boolean;
}

export interface IndexState {
  records: ReadonlyMap<string, FileRecord>;
  graph: ImportGraph;
  facts: IndexFacts;
}

export interface IndexLimits {
  maxFiles: number;
  /** Characters of comments that are kept of all files together. */
  maxWords: number;
}

const defaultLimits: IndexLimits = { maxFiles: 50_000, maxWords: 48_000_000 };
/** Milliseconds of work between two looks at the world. */
const slice = 8;

export class ProjectIndex {
  readonly #root: string;
  readonly #limits: IndexLimits;
  readonly #read = new Map<string, FileRecord>();
  readonly #manifests = new Map<string, string>();
  #words = 0;
  #changed = true;
  #state: IndexState | undefined;
  #realRoot: string;

  constructor(root: string, limits: Partial<IndexLimits> = {}) {
    this.#root = root;
    this.#realRoot = root;
    this.#limits = { ...defaultLimits, ...limits };
  }

  get state(): IndexState | undefined {
    return this.#state;
  }

  /** With its links resolved, as of the last refresh. */
  get root(): string {
    return this.#realRoot;
  }

  /** Reads the file again in the next round, whatever its time says. */
  forget(path: string): void {
    const record = this.#read.get(path);
    if (record) record.stamp = '';
  }

  async refresh(signal: AbortSignal): Promise<IndexState> {
    signal.throwIfAborted();
    const root = await this.#findRoot();
    this.#realRoot = root;
    const list = await this.#list(root, signal);
    const reader = new SourceReader(root);
    const pause = createPause(signal);
    for (const path of list.paths) {
      this.#look(root, path, reader);
      await pause();
    }
    this.#dropOthers(list.paths);
    if (this.#changed || !this.#state) {
      const records = new Map(list.paths.flatMap((path) => this.#entryOf(path)));
      const graph = await ImportGraph.build(records, this.#manifests, pause);
      this.#state = { records, graph, facts: countFacts(records, list) };
      this.#changed = false;
    } else this.#state = { ...this.#state, facts: countFacts(this.#state.records, list) };
    return this.#state;
  }

  async #findRoot(): Promise<string> {
    try {
      return await realpath(this.#root);
    } catch (error) {
      throw new ContinuoError('io-failed', { path: this.#root, reason: (error as Error).message }, { cause: error });
    }
  }

  async #list(root: string, signal: AbortSignal): Promise<{ paths: string[]; beyond: number; complete: boolean }> {
    const listed = await listProjectFiles(root, signal);
    const reader = new SourceReader(root);
    const readText = (path: string) => {
      const source = reader.read(path);
      return 'text' in source ? source.text : undefined;
    };
    const paths = listed.fromGit ? listed.paths : withoutIgnored(listed.paths, readText);
    const { maxFiles } = this.#limits;
    const taken = paths.length <= maxFiles ? paths : chooseFirst(paths, maxFiles);
    return { paths: taken, beyond: paths.length - taken.length, complete: listed.complete && taken.length === paths.length };
  }

  /** Brings one record up to date. */
  #look(root: string, path: string, reader: SourceReader): void {
    const known = this.#read.get(path);
    const stats = statOf(join(root, path));
    if (!stats || !(stats.isFile() || stats.isSymbolicLink())) {
      if (known) this.#remove(path);
      return;
    }
    const stamp = `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`;
    if (known?.stamp === stamp) return;
    if (known) this.#remove(path);
    const record = this.#scan(path, stats, stamp, reader);
    this.#read.set(path, record);
    this.#words += record.words.length;
    this.#changed = true;
  }

  #scan(path: string, stats: Stats, stamp: string, reader: SourceReader): FileRecord {
    const scanner = findScanner(path);
    const record: FileRecord = { path, size: stats.size, stamp, symbols: [], imports: [], words: '' };
    if (scanner) record.language = scanner.language;
    const skipped = whySkipped(path, stats);
    if (skipped) return { ...record, skipped };
    if (!scanner) return record;
    const source = reader.read(path);
    if ('skipped' in source) return { ...record, skipped: source.skipped };
    if (isManifest(path)) this.#manifests.set(path, source.text);
    const scanned = scanner.scan(source.text);
    if (this.#words > this.#limits.maxWords) scanned.words = '';
    return { ...record, ...detach(scanned) };
  }

  #remove(path: string): void {
    this.#words -= this.#read.get(path)?.words.length ?? 0;
    this.#read.delete(path);
    this.#manifests.delete(path);
    this.#changed = true;
  }

  #dropOthers(paths: readonly string[]): void {
    if (this.#read.size === 0) return;
    const present = new Set(paths);
    for (const path of [...this.#read.keys()]) if (!present.has(path)) this.#remove(path);
  }

  #entryOf(path: string): [string, FileRecord][] {
    const record = this.#read.get(path);
    return record ? [[path, record]] : [];
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function whySkipped(path: string, stats: Stats): SkipReason | undefined {
  if (stats.isSymbolicLink()) return 'link';
  if (findSecretPlace(path.split('/')) !== undefined) return 'secret';
  return stats.size > maxFileSize && findScanner(path) ? 'large' : undefined;
}

/** A name cut out of a text keeps the whole text in memory: what is kept is written anew. */
function detach({ symbols, imports, packageName, uses, words }: ScannedFile): ScannedFile {
  for (const symbol of symbols) {
    symbol.name = copy(symbol.name);
    if (symbol.container !== undefined) symbol.container = copy(symbol.container);
  }
  for (const statement of imports) {
    statement.specifier = copy(statement.specifier);
    statement.names = statement.names.map(copy);
  }
  return {
    symbols,
    imports,
    ...(packageName !== undefined && { packageName: copy(packageName) }),
    ...(uses && { uses: uses.map(copy) }),
    words: copy(words),
  };
}

/** Shorter ones are copied as they are cut. */
const shortestCut = 13;

function copy(text: string): string {
  return text.length < shortestCut ? text : Buffer.from(text, 'utf8').toString('utf8');
}

/** Code before everything else, and what lies near the top before what lies deep. */
function chooseFirst(paths: readonly string[], count: number): string[] {
  const depth = (path: string) => path.split('/').length + (isCode(path) ? 0 : 100);
  return [...paths]
    .map((path) => ({ path, depth: depth(path) }))
    .sort((a, b) => a.depth - b.depth)
    .slice(0, count)
    .map(({ path }) => path)
    .sort(byCodeUnits);
}

function countFacts(
  records: ReadonlyMap<string, FileRecord>,
  { beyond, complete }: { beyond: number; complete: boolean },
): IndexFacts {
  const skipped = { large: 0, binary: 0, secret: 0, link: 0, unreadable: 0, beyond };
  for (const { skipped: reason } of records.values()) if (reason) skipped[reason] += 1;
  return { files: records.size, skipped, complete };
}

/** Lets others have their turn whenever a slice of time is used up, and ends where it is no longer wanted. */
export function createPause(signal: AbortSignal): () => Promise<void> | undefined {
  let until = performance.now() + slice;
  const pause = async () => {
    await nextTurn();
    signal.throwIfAborted();
    until = performance.now() + slice;
  };
  return () => (performance.now() < until ? undefined : pause());
}
