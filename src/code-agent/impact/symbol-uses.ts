// Which names of a changed file another one uses, and where: by name alone, in code without comments and strings.
import type { CodeContextManager } from '../context/code-context-manager.ts';
import type { ImportEdge } from '../context/resolve/import-graph.ts';
import type { SymbolUse } from './impact-report.ts';

const maxLines = 5;
const maxSymbols = 40;

/** Names that the imports take over; where they take all, or do not say, every exported name is looked for. */
export function findUses(
  context: CodeContextManager,
  path: string,
  edges: readonly ImportEdge[],
  exported: ReadonlySet<string>,
): SymbolUse[] {
  const named = new Set(edges.flatMap(({ names }) => names));
  const takesAll = named.has('*') || edges.some(({ names }) => names.length === 0);
  const wanted = takesAll ? exported : new Set([...named].filter((name) => name !== '*' && name !== 'default'));
  const lines = wanted.size === 0 ? undefined : context.readCode(path);
  if (!lines) return [];
  const importLines = new Set(edges.filter(({ kind }) => kind === 'import').map(({ line }) => line));
  const places = new Map<string, number[]>();
  for (const [i, line] of lines.entries()) {
    for (const [name] of line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      if (!wanted.has(name)) continue;
      const list = places.get(name) ?? [];
      places.set(name, list);
      if (!importLines.has(i + 1) && list.length < maxLines && list.at(-1) !== i + 1) list.push(i + 1);
    }
  }
  return [...places].map(([symbol, found]) => ({ symbol, lines: found })).slice(0, maxSymbols);
}
