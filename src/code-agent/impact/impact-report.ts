// What a change reaches, as data and in words for a model.
import { BoundedText, quotePath } from '../bounded-text.ts';

export interface ChangedFile {
  path: string;
  /** False for a file that is gone. */
  exists: boolean;
  /** The names others can use; of a file that is gone, those that others still ask for. */
  exports: string[];
}

export interface SymbolUse {
  symbol: string;
  /** Where it stands in the code of the file, first places only. */
  lines: number[];
}

export interface AffectedFile {
  path: string;
  /** 1 for who imports a changed file itself. */
  depth: number;
  /** The way here: from the changed file to the one before this. */
  via: string[];
  isTest: boolean;
  /** What of the changed file it uses, by name; only at depth 1. */
  uses: SymbolUse[];
}

export interface BrokenImport {
  path: string;
  line: number;
  specifier: string;
  /** The file that is gone. */
  target: string;
}

export interface ImpactReport {
  changed: ChangedFile[];
  /** Nearest first. */
  affected: AffectedFile[];
  /** Those of them that are tests, and changed tests. */
  tests: string[];
  /** Imports of files that are gone. */
  broken: BrokenImport[];
  /** False where the limits cut something off, or the index does not know every file. */
  complete: boolean;
}

export function describeImpact(report: ImpactReport, tokens: number): string {
  // Room for the last line.
  const text = new BoundedText(tokens - 20);
  let left = 0;
  const add = (line: string) => {
    if (!text.add(line)) left += 1;
  };
  if (report.broken.length > 0) {
    add('Broken imports (the file is gone):');
    for (const { path, line, specifier, target } of report.broken) {
      add(`- ${quotePath(path)}:${line} imports ${JSON.stringify(specifier)}, which was ${quotePath(target)}`);
    }
  }
  const others = report.affected.filter(({ isTest }) => !isTest);
  add(report.affected.length === 0 ? 'No file of the project imports what was changed.' : 'Files that depend on the change:');
  for (const file of others) add(`- ${quotePath(file.path)}${describeWay(file)}`);
  if (report.tests.length > 0) {
    add('Tests that reach it:');
    for (const path of report.tests) add(`- ${quotePath(path)}`);
  }
  if (left > 0 || !report.complete)
    text.grow(20).add(left > 0 ? `(${left} more lines left out)` : '(there is more further away)');
  return text.toString();
}

function describeWay({ depth, via, uses }: AffectedFile): string {
  if (depth > 1) return ` (through ${via.slice(1).map(quotePath).join(' → ')})`;
  if (uses.length === 0) return ` (imports ${quotePath(via[0] ?? '')})`;
  return ` (uses ${uses.map(({ symbol, lines }) => `${symbol}${lines.length > 0 ? `:${lines.join(',')}` : ''}`).join(', ')})`;
}
