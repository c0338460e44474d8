// Which files and symbols of a project matter. Everything but what was touched in this session comes from the disk, so that a manager
// is made anew at any time. Answers speak of the last `refresh`; one that is aborted changes nothing.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import { describeContext } from './describe-context.ts';
import type { CodeSymbol, FileRecord } from './file-record.ts';
import { maskFile } from './languages/mask-file.ts';
import { createPause, type IndexFacts, type IndexLimits, type IndexState, ProjectIndex } from './project-index.ts';
import { SourceReader } from './read-source.ts';
import { findRelevant, type RelevantFile } from './relevant-files.ts';
import type { ImportEdge } from './resolve/import-graph.ts';
import { TouchedFiles } from './touched-files.ts';

export interface CodeContextManagerOptions {
  /** The project's folder, absolute. */
  root: string;
  limits?: Partial<IndexLimits>;
}

export interface ProjectFile {
  path: string;
  size: number;
  language?: string;
}

export interface FoundSymbol extends CodeSymbol {
  path: string;
}

const defaultRelevant = 30;
const defaultTokens = 2000;

export class CodeContextManager {
  readonly root: string;
  readonly #index: ProjectIndex;
  readonly #touched = new TouchedFiles();
  #symbols: { of: IndexState; byName: Map<string, FoundSymbol[]> } | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor({ root, limits }: CodeContextManagerOptions) {
    if (!isAbsolute(root)) throw new ContinuoError('unsafe-path', { path: root, reason: 'it is not an absolute path' });
    this.root = resolve(root);
    this.#index = new ProjectIndex(this.root, limits);
  }

  /** What the index knows and what it left out; undefined before the first refresh. */
  get facts(): IndexFacts | undefined {
    return this.#index.state?.facts;
  }

  /** Brings the index up to date with the disk. One at a time: a second call begins when the first has ended. */
  async refresh(signal: AbortSignal = new AbortController().signal): Promise<IndexFacts> {
    const before = this.#running;
    const work = before.then(() => this.#index.refresh(signal));
    this.#running = work.catch(() => undefined);
    return (await work).facts;
  }

  /** In the order of their paths. */
  files(): ProjectFile[] {
    return [...this.#records().values()].map(({ path, size, language }) => ({ path, size, ...(language && { language }) }));
  }

  has(path: string): boolean {
    return this.#records().has(this.toRelative(path) ?? '');
  }

  symbolsOf(path: string): readonly CodeSymbol[] {
    return this.recordOf(path)?.symbols ?? [];
  }

  /** Where a name is declared, exported ones first. `Class.method` is understood. */
  findSymbol(name: string): FoundSymbol[] {
    const at = name.lastIndexOf('.');
    const found = this.#byName().get(at > 0 ? name.slice(at + 1) : name) ?? [];
    return at > 0 ? found.filter(({ container }) => container === name.slice(0, at)) : [...found];
  }

  /** What a file imports from this project. */
  importsOf(path: string): readonly ImportEdge[] {
    return this.#index.state?.graph.importsOf(this.toRelative(path) ?? '') ?? [];
  }

  /** Who in this project imports a file. */
  importersOf(path: string): readonly ImportEdge[] {
    return this.#index.state?.graph.importersOf(this.toRelative(path) ?? '') ?? [];
  }

  /** Imports that would mean one of these files if it was still there. */
  findBrokenImports(gone: Iterable<string>): ImportEdge[] {
    const paths = [...gone].flatMap((path) => this.toRelative(path) ?? []).filter((path) => !this.#records().has(path));
    return this.#index.state?.graph.findBroken(new Set(paths)) ?? [];
  }

  noteRead(path: string): void {
    const known = this.toRelative(path);
    if (known !== undefined) this.#touched.note(known, 'read');
  }

  /** The next refresh reads the file again, whatever its time says. */
  noteChange(path: string): void {
    const known = this.toRelative(path);
    if (known === undefined) return;
    this.#touched.note(known, 'changed');
    this.#index.forget(known);
  }

  /** The files touched in this session, what they import and who imports them, best first. */
  relevant({ limit = defaultRelevant }: { limit?: number } = {}): RelevantFile[] {
    const { state } = this.#index;
    return state ? findRelevant(this.#touched.list(), state.records, state.graph, limit) : [];
  }

  /** The project for a prompt, in at most so many tokens. Empty before the first refresh. */
  describe({ tokens = defaultTokens }: { tokens?: number } = {}): string {
    const { state } = this.#index;
    return state ? describeContext(state, this.relevant(), tokens) : '';
  }

  recordOf(path: string): FileRecord | undefined {
    return this.#records().get(this.toRelative(path) ?? '');
  }

  /** Every record, for who ranks files. */
  records(): Iterable<FileRecord> {
    return this.#records().values();
  }

  /** Lines of a file's code, comments and strings blanked; undefined for what the index does not read. */
  readCode(path: string): string[] | undefined {
    const record = this.recordOf(path);
    const text = record && this.#readText(record, this.#createReader());
    return text === undefined ? undefined : maskFile(record?.language, text).split('\n');
  }

  /** Which files hold which of the words in their text, as written but for the case of letters. */
  async findText(words: readonly string[], options: { signal: AbortSignal; limit: number }): Promise<Map<string, string[]>> {
    const wanted = words.map((word) => word.toLowerCase());
    const found = new Map<string, string[]>();
    const reader = this.#createReader();
    const pause = createPause(options.signal);
    for (const record of wanted.length > 0 ? this.#records().values() : []) {
      await pause();
      const text = this.#readText(record, reader)?.toLowerCase();
      const held = text === undefined ? [] : words.filter((_, i) => text.includes(wanted[i] as string));
      if (held.length > 0) found.set(record.path, held);
      if (found.size >= options.limit) break;
    }
    return found;
  }

  /** Relative to the project with forward slashes; undefined for what lies outside. */
  toRelative(path: string): string | undefined {
    for (const root of new Set([this.root, this.#index.root])) {
      const way = relative(root, resolve(root, path));
      if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) continue;
      return sep === '/' ? way : way.replaceAll(sep, '/');
    }
    return undefined;
  }

  /** What was read or changed in this session and still exists, newest first. */
  touched(): string[] {
    return this.#touched.list().flatMap(([path]) => (this.has(path) ? [path] : []));
  }

  #createReader(): SourceReader {
    return new SourceReader(this.#index.root);
  }

  #readText(record: FileRecord, reader: SourceReader): string | undefined {
    if (record.skipped !== undefined || record.language === undefined) return undefined;
    const source = reader.read(record.path);
    return 'text' in source ? source.text : undefined;
  }

  #records(): ReadonlyMap<string, FileRecord> {
    return this.#index.state?.records ?? new Map();
  }

  #byName(): Map<string, FoundSymbol[]> {
    const { state } = this.#index;
    if (!state) return new Map();
    if (this.#symbols?.of.records !== state.records) {
      const byName = new Map<string, FoundSymbol[]>();
      for (const { path, symbols } of state.records.values()) {
        for (const symbol of symbols) {
          if (symbol.kind === 'heading') continue;
          const list = byName.get(symbol.name);
          if (list) list.push({ path, ...symbol });
          else byName.set(symbol.name, [{ path, ...symbol }]);
        }
      }
      for (const list of byName.values()) list.sort((a, b) => Number(b.exported) - Number(a.exported));
      this.#symbols = { of: state, byName };
    }
    return this.#symbols.byName;
  }
}
