// Python: definitions by their indentation, imports in every form over several lines. Strings over several lines count as words.
import type { CodeSymbol, ImportStatement, LanguageScanner } from '../file-record.ts';
import { createLineCounter } from './block-lines.ts';
import { type Lexis, maskCode } from './mask-code.ts';

export const pythonLexis: Lexis = { lineComment: '#', blockComments: 'none', quotes: '\'"', tripleQuotes: '\'"' };

export const python: LanguageScanner = {
  language: 'python',
  extensions: ['py', 'pyi'],
  scan(text) {
    const { masked, words } = maskCode(text, pythonLexis);
    return { symbols: findSymbols(masked), imports: findImports(masked), words };
  },
};

const definition = /^([ \t]*)(?:async\s+)?(def|class)\s+([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)/;
const assignment = /^([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)\s*(?::[^=]*)?=(?!=)/;

function findSymbols(masked: string): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  const open: { name: string; indent: number; isClass: boolean }[] = [];
  for (const [i, line] of masked.split('\n').entries()) {
    const found = definition.exec(line);
    const constant = found ? undefined : assignment.exec(line)?.[1];
    if (constant !== undefined && !symbols.some(({ name, container }) => name === constant && container === undefined)) {
      symbols.push({ name: constant, kind: 'constant', line: i + 1, exported: !constant.startsWith('_') });
    }
    if (!found) continue;
    const [, space = '', word, name = ''] = found;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= space.length) open.pop();
    const inner = open.at(-1);
    const isClass = word === 'class';
    open.push({ name, indent: space.length, isClass });
    // What a function keeps to itself is nobody's business.
    if (inner && !inner.isClass) continue;
    const kind = isClass ? 'class' : inner ? 'method' : 'function';
    const symbol: CodeSymbol = { name, kind, line: i + 1, exported: !inner && !name.startsWith('_') };
    if (inner) symbol.container = inner.name;
    symbols.push(symbol);
  }
  return symbols;
}

const statement =
  /^[ \t]*(?:from[ \t]+(\.*[ \t]*[\w.]*)[ \t]+import[ \t]*(\([^)]*\)|(?:[^\n\\]|\\\r?\n)*)|import[ \t]+((?:[^\n\\]|\\\r?\n)*))/gm;

function findImports(masked: string): ImportStatement[] {
  const imports: ImportStatement[] = [];
  const lineAt = createLineCounter(masked);
  for (const { 1: from, 2: list = '', 3: modules, index, 0: whole } of masked.matchAll(statement)) {
    const line = lineAt(index + whole.search(/\S/));
    if (from !== undefined) {
      imports.push({ specifier: from.replace(/\s/g, ''), line, names: splitNames(list.replace(/[()\\]/g, ' ')), form: 'from' });
      continue;
    }
    for (const specifier of splitNames((modules ?? '').replaceAll('\\', ' '))) {
      imports.push({ specifier, line, names: ['*'], form: 'module' });
    }
  }
  return imports;
}

function splitNames(list: string): string[] {
  return (
    list
      .split(';')[0]
      ?.split(',')
      .map((item) => item.trim().split(/\s+/)[0] ?? '')
      .filter((name) => /^[A-Za-z_*\u0080-\uffff][\w.\u0080-\uffff]*$/.test(name)) ?? []
  );
}
