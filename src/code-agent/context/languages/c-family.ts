// C and C++: what is defined or declared at the top of a file or in a namespace, methods in classes, and what is included.
import type { CodeSymbol, ImportStatement, LanguageScanner, SymbolKind } from '../file-record.ts';
import { createLineCounter, walkBlocks } from './block-lines.ts';
import { type Lexis, maskCode } from './mask-code.ts';

export const cLexis: Lexis = { lineComment: '//', blockComments: 'flat', quotes: '\'"', isC: true };

export const cFamily: LanguageScanner = {
  language: 'c',
  extensions: ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx', 'inl', 'ipp', 'm', 'mm'],
  scan(text) {
    const { masked, words } = maskCode(text, cLexis);
    return { symbols: findSymbols(masked), imports: findImports(text, masked), words };
  },
};

const macro = /^\s*#\s*define\s+(\w+)/;
const typeLine =
  /^\s*(?:template\s*<[^{;]*>\s*)?(?:typedef\s+)?(class|struct|union|enum(?:\s+(?:class|struct))?|namespace)\s+(?:\w+\s+)?(\w+)\s*(?:final\s*)?(?::[^:]|\{|$)/;
const alias = /^\s*(?:using\s+(\w+)\s*=|typedef\s.*\b(\w+)\s*;)/;
const functionLine = /^\s*(?:template\s*<[^{;]*>\s*)?(?:[\w:<>,[\]]+[\s*&]+)+((?:\w+::)*~?\w+|(?:\w+::)*operator\s*\S{1,3})\s*\(/;
const noFunction = /^\s*(?:return|else|if|for|while|switch|case|new|delete|throw|goto|do|using|typedef|#)\b|^\s*#/;

function findSymbols(masked: string): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  walkBlocks(masked, ({ text, number, blocks, isDirect }) => {
    const defined = macro.exec(text)?.[1];
    if (defined !== undefined) symbols.push({ name: defined, kind: 'constant', line: number, exported: true });
    if (/^\s*extern\s+"_*"\s*\{/.test(text)) return { name: '', kind: 'module' };
    if (!isDirect || defined !== undefined) return undefined;
    const inner = blocks.findLast(({ name }) => name !== '');
    const add = (name: string, kind: SymbolKind, container = inner?.name) => {
      const symbol: CodeSymbol = { name, kind, line: number, exported: !/^\s*static\b/.test(text) || inner !== undefined };
      if (container !== undefined) symbol.container = container;
      symbols.push(symbol);
    };
    const type = typeLine.exec(text);
    if (type) {
      const [, word = '', name = ''] = type;
      const kind = word === 'namespace' ? 'module' : word.startsWith('enum') ? 'enum' : 'class';
      if (kind !== 'module') add(name, kind);
      return { name, kind };
    }
    const other = alias.exec(text);
    if (other) add((other[1] ?? other[2]) as string, 'type');
    const made = other || noFunction.test(text) ? undefined : functionLine.exec(text)?.[1];
    if (made === undefined || text.slice(0, text.indexOf('(')).includes('=')) return undefined;
    const [name, owner] = made.split('::').reverse() as [string, string | undefined];
    if (owner !== undefined) add(name, 'method', owner);
    else add(name, inner?.kind === 'class' ? 'method' : 'function');
    return undefined;
  });
  return symbols;
}

/** The line is looked for in the masked code, so that a comment includes nothing; the name is read from the text. */
function findImports(text: string, masked: string): ImportStatement[] {
  const lineAt = createLineCounter(text);
  const imports: ImportStatement[] = [];
  for (const { index, 0: whole } of masked.matchAll(/^[ \t]*#[ \t]*(?:include|import)[ \t]*(?="_*"|<[^>\n]+>)/gm)) {
    const start = index + whole.length;
    const isSystem = text[start] === '<';
    const end = text.indexOf(isSystem ? '>' : '"', start + 1);
    const specifier = text.slice(start + 1, end);
    imports.push({ specifier, line: lineAt(start), names: [], ...(isSystem && { form: 'system' as const }) });
  }
  return imports;
}
