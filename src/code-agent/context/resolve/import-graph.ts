// Who imports whom, over the whole project. Built anew from the records whenever one of them changed: a file that comes or goes can
// change what the imports of others mean. Invariant: only files of the project are in it.
import type { FileRecord, ImportStatement } from '../file-record.ts';
import { buildManifests } from './manifests.ts';
import { resolveC, resolveGo, resolveJvm, resolvePython, resolveRust } from './other-languages.ts';
import { folderOf, nameOf, stemOf } from './project-path.ts';
import type { Resolve, ResolveContext } from './resolve-context.ts';
import { resolveScript } from './typescript.ts';

/** `import`: by a statement; `package`: files of one package that see each other; `header`: a header and the file that fills it. */
export type EdgeKind = 'import' | 'package' | 'header';

export interface ImportEdge {
  from: string;
  to: string;
  kind: EdgeKind;
  specifier: string;
  line: number;
  names: readonly string[];
}

const resolvers: Record<string, Resolve> = {
  typescript: resolveScript,
  component: resolveScript,
  python: resolvePython,
  go: resolveGo,
  rust: resolveRust,
  java: resolveJvm,
  kotlin: resolveJvm,
  c: resolveC,
};

/** Languages where a name that is no module is taken for a name in the package above. */
const fallsBack = new Set(['python', 'rust']);

export class ImportGraph {
  readonly #records: ReadonlyMap<string, FileRecord>;
  readonly #context: ResolveContext;
  readonly #imports = new Map<string, ImportEdge[]>();
  readonly #importers = new Map<string, ImportEdge[]>();
  /** Statements that may mean a file that is gone: those without a file, and those that fell back to a package above it. */
  readonly #open: { from: FileRecord; statement: ImportStatement }[] = [];

  private constructor(records: ReadonlyMap<string, FileRecord>, context: ResolveContext) {
    this.#records = records;
    this.#context = context;
  }

  static async build(
    records: ReadonlyMap<string, FileRecord>,
    manifests: ReadonlyMap<string, string>,
    pause: () => Promise<void> | undefined,
  ): Promise<ImportGraph> {
    const graph = new ImportGraph(records, createContext(records, manifests));
    for (const record of records.values()) {
      graph.#add(record);
      await pause();
    }
    return graph;
  }

  importsOf(path: string): readonly ImportEdge[] {
    return this.#imports.get(path) ?? [];
  }

  importersOf(path: string): readonly ImportEdge[] {
    return this.#importers.get(path) ?? [];
  }

  /** Statements that would mean one of these files if it was there. */
  findBroken(gone: ReadonlySet<string>): ImportEdge[] {
    if (gone.size === 0) return [];
    const named = group(gone, nameOf);
    const inFolder = group(gone, folderOf);
    const context: ResolveContext = {
      ...this.#context,
      has: (path) => gone.has(path) || this.#context.has(path),
      filesIn: (folder) => [...this.#context.filesIn(folder), ...(inFolder.get(folder) ?? [])],
      filesNamed: (name) => [...this.#context.filesNamed(name), ...(named.get(name) ?? [])],
    };
    const broken: ImportEdge[] = [];
    for (const { from, statement } of this.#open) {
      for (const to of resolvers[from.language as string]?.(from, statement, context) ?? []) {
        if (gone.has(to)) broken.push(edgeOf(from.path, to, statement));
      }
    }
    return broken;
  }

  #add(record: FileRecord): void {
    const resolve = resolvers[record.language ?? ''];
    if (!resolve) return;
    for (const statement of record.imports) {
      const targets = resolve(record, statement, this.#context);
      if (targets.length === 0 || fallsBack.has(record.language ?? '')) this.#open.push({ from: record, statement });
      for (const to of targets) if (to !== record.path) this.#link(edgeOf(record.path, to, statement));
      const header = record.language === 'c' ? targets[0] : undefined;
      // A header stands for what is written elsewhere: who includes it depends on that, too.
      if (header !== undefined && !isHeader(record.path) && isHeader(header) && stemOf(header) === stemOf(record.path)) {
        this.#link({ ...edgeOf(header, record.path, statement), kind: 'header' });
      }
    }
    if (record.uses) this.#addNeighbours(record, record.uses);
  }

  /** Files of the same package whose names this one uses. */
  #addNeighbours(record: FileRecord, uses: readonly string[]): void {
    const owners = this.#ownersIn(record);
    if (!owners) return;
    const own = new Set(record.symbols.map(({ name }) => name));
    for (const name of uses) {
      if (own.has(name)) continue;
      for (const to of owners.get(name) ?? []) {
        if (to === record.path) continue;
        const known = this.#imports.get(record.path)?.find((edge) => edge.to === to && edge.kind === 'package');
        if (known) (known.names as string[]).push(name);
        else this.#link({ from: record.path, to, kind: 'package', specifier: record.packageName ?? '', line: 0, names: [name] });
      }
    }
  }

  readonly #owners = new Map<string, Map<string, string[]>>();

  /** Which file of the package declares a name. */
  #ownersIn(record: FileRecord): Map<string, string[]> | undefined {
    const isGo = record.language === 'go';
    const key = isGo ? `go ${folderOf(record.path)}` : `jvm ${record.packageName ?? ''}`;
    const known = this.#owners.get(key);
    if (known) return known;
    const files = isGo ? this.#context.filesIn(folderOf(record.path)) : this.#context.filesOfPackage(record.packageName ?? '');
    const owners = new Map<string, string[]>();
    for (const path of files) {
      const other = this.#records.get(path);
      if (!other?.uses || (isGo && path.endsWith('_test.go'))) continue;
      // Methods have names that many types share: only what stands on its own tells.
      for (const { name, container } of other.symbols) if (container === undefined) push(owners, name, path);
    }
    this.#owners.set(key, owners);
    return owners;
  }

  #link(edge: ImportEdge): void {
    push(this.#imports, edge.from, edge);
    push(this.#importers, edge.to, edge);
  }
}

function edgeOf(from: string, to: string, { specifier, line, names }: ImportStatement): ImportEdge {
  return { from, to, kind: 'import', specifier, line, names };
}

function createContext(records: ReadonlyMap<string, FileRecord>, manifests: ReadonlyMap<string, string>): ResolveContext {
  const folders = group(records.keys(), folderOf);
  const names = group(records.keys(), nameOf);
  const packages = new Map<string, string[]>();
  for (const { path, uses, packageName, language } of records.values()) {
    if (uses && language !== 'go') push(packages, packageName ?? '', path);
  }
  return {
    has: (path) => records.has(path),
    filesIn: (folder) => folders.get(folder) ?? [],
    filesNamed: (name) => names.get(name) ?? [],
    recordOf: (path) => records.get(path),
    filesOfPackage: (name) => packages.get(name) ?? [],
    manifests: buildManifests(manifests),
  };
}

function group(paths: Iterable<string>, keyOf: (path: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) push(groups, keyOf(path), path);
  return groups;
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function isHeader(path: string): boolean {
  return /\.(?:h|hh|hpp|hxx)$/.test(path);
}
