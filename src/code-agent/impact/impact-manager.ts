// Who is reached by a change: importers of importers, breadth first, each by the shortest way. Keeps no state.
import { isAbsolute } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import type { CodeContextManager } from '../context/code-context-manager.ts';
import type { ImportEdge } from '../context/resolve/import-graph.ts';
import { isTestFile } from '../context/test-file.ts';
import {
  type AffectedFile,
  type BrokenImport,
  type ChangedFile,
  describeImpact,
  type ImpactReport,
  type SymbolUse,
} from './impact-report.ts';
import { findUses } from './symbol-uses.ts';

export interface ImpactManagerOptions {
  /** The project's folder, absolute. */
  root: string;
  contextManager: CodeContextManager;
}

export interface ImpactOptions {
  /** How many steps from the change; default 3. */
  depth?: number;
  /** At most so many affected files; default 200. */
  limit?: number;
  signal?: AbortSignal;
}

const defaultDepth = 3;
const defaultLimit = 200;
const defaultTokens = 1500;

export class ImpactManager {
  readonly #context: CodeContextManager;

  constructor({ root, contextManager }: ImpactManagerOptions) {
    if (!isAbsolute(root)) throw new ContinuoError('unsafe-path', { path: root, reason: 'it is not an absolute path' });
    this.#context = contextManager;
  }

  /** Looks at the project as it is now: the index is brought up to date first. */
  async impactOf(changedPaths: Iterable<string>, options: ImpactOptions = {}): Promise<ImpactReport> {
    const { depth = defaultDepth, limit = defaultLimit, signal = new AbortController().signal } = options;
    const facts = await this.#context.refresh(signal);
    const paths = [...new Set([...changedPaths].flatMap((path) => this.#context.toRelative(path) ?? []))].sort();
    const gone = paths.filter((path) => !this.#context.has(path));
    const brokenEdges = this.#context.findBrokenImports(gone);
    const changed = paths.map((path) => this.#describeChanged(path, brokenEdges));
    const { found, isCut } = this.#follow(paths, brokenEdges, depth, limit);
    const affected: AffectedFile[] = [];
    for (const file of found) {
      signal.throwIfAborted();
      affected.push({ ...file, uses: file.depth === 1 ? this.#usesIn(file.path, changed, brokenEdges) : [] });
    }
    const tests = [...new Set([...paths.filter((path) => !gone.includes(path) && isTestFile(path)), ...testsIn(affected)])];
    return { changed, affected, tests, broken: brokenEdges.map(toBroken), complete: facts.complete && !isCut };
  }

  /** The report for a model, in at most so many tokens. */
  describe(report: ImpactReport, { tokens = defaultTokens }: { tokens?: number } = {}): string {
    return describeImpact(report, tokens);
  }

  #describeChanged(path: string, broken: readonly ImportEdge[]): ChangedFile {
    if (!this.#context.has(path)) {
      const wanted = broken.filter(({ to }) => to === path).flatMap(({ names }) => names);
      return { path, exists: false, exports: [...new Set(wanted)].filter((name) => name !== '*') };
    }
    const exports = this.#context.symbolsOf(path).filter(({ exported }) => exported);
    return { path, exists: true, exports: [...new Set(exports.map(({ name }) => name))] };
  }

  #usesIn(path: string, changed: readonly ChangedFile[], broken: readonly ImportEdge[]): SymbolUse[] {
    const targets = new Map(changed.map((file) => [file.path, file.exports]));
    const edges = [...this.#context.importsOf(path), ...broken.filter(({ from }) => from === path)].filter(({ to }) =>
      targets.has(to),
    );
    return findUses(this.#context, path, edges, new Set(edges.flatMap(({ to }) => targets.get(to) ?? [])));
  }

  #follow(paths: readonly string[], broken: readonly ImportEdge[], maxDepth: number, limit: number): Reached {
    const seen = new Set(paths);
    const found: Reached['found'] = [];
    let front = paths.map((path) => ({ path, way: [path] }));
    for (let depth = 1; depth <= maxDepth && front.length > 0; depth++) {
      const next: typeof front = [];
      for (const { path, way } of front) {
        const incoming = [...this.#context.importersOf(path), ...(depth === 1 ? broken.filter(({ to }) => to === path) : [])];
        for (const from of [...new Set(incoming.map((edge) => edge.from))].sort()) {
          if (seen.has(from)) continue;
          if (found.length >= limit) return { found, isCut: true };
          seen.add(from);
          found.push({ path: from, depth, via: way, isTest: isTestFile(from) });
          next.push({ path: from, way: [...way, from] });
        }
      }
      front = next;
    }
    const isCut = front.some(({ path }) => this.#context.importersOf(path).some(({ from }) => !seen.has(from)));
    return { found, isCut };
  }
}

interface Reached {
  found: Omit<AffectedFile, 'uses'>[];
  isCut: boolean;
}

function testsIn(affected: readonly AffectedFile[]): string[] {
  return affected.filter(({ isTest }) => isTest).map(({ path }) => path);
}

function toBroken({ from, line, specifier, to }: ImportEdge): BrokenImport {
  return { path: from, line, specifier, target: to };
}
