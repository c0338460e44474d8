// Go: declarations at the top of a file, alone or in a group, methods by their receiver, and the names a file uses, because files of
// one folder see each other without an import.
import type { CodeSymbol, ImportStatement, LanguageScanner, SymbolKind } from '../file-record.ts';
import { createLineCounter, walkBlocks } from './block-lines.ts';
import { type Lexis, type MaskedCode, maskCode } from './mask-code.ts';
import { collectNames } from './used-names.ts';

export const goLexis: Lexis = { lineComment: '//', blockComments: 'flat', quotes: '\'"', rawQuote: '`' };

export const go: LanguageScanner = {
  language: 'go',
  extensions: ['go'],
  scan(text) {
    const code = maskCode(text, goLexis);
    const packageName = /^\s*package\s+(\w+)/m.exec(code.masked)?.[1];
    return {
      symbols: findSymbols(code.masked),
      imports: findImports(text, code),
      ...(packageName !== undefined && { packageName }),
      uses: collectNames(code.masked),
      words: code.words,
    };
  },
};

const functionLine =
  /^func\s+(?:\(\s*(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*\s+)?\*?\s*([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)[^)]*\)\s*)?([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)/;
const otherLine = /^(type|const|var)\s+([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)\s*(.*)/;
const groupLine = /^(type|const|var|import)\s*\(/;
const groupMember = /^\s*([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)\s*(.*)/;

function findSymbols(masked: string): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  let group: string | undefined;
  const add = (name: string, kind: SymbolKind, line: number, container?: string) => {
    if (name === '_') return;
    const symbol: CodeSymbol = { name, kind, line, exported: /^\p{Lu}/u.test(name) };
    if (container !== undefined) symbol.container = container;
    symbols.push(symbol);
  };
  let depth = 0;
  walkBlocks(
    masked,
    ({ text, number, isDirect }) => {
      if (group !== undefined) {
        if (depth === 0 && /^\s*\)/.test(text)) group = undefined;
        else {
          const member = depth === 0 ? groupMember.exec(text) : undefined;
          if (member && group !== 'import') add(member[1] as string, kindOf(group, member[2] ?? ''), number);
          depth += count(text, /[{([]/g) - count(text, /[})\]]/g);
        }
        return undefined;
      }
      if (!isDirect) return undefined;
      const opened = groupLine.exec(text);
      if (opened && !/\)\s*$/.test(text)) {
        group = opened[1];
        depth = 0;
        return undefined;
      }
      const made = functionLine.exec(text);
      if (made) add(made[2] as string, made[1] === undefined ? 'function' : 'method', number, made[1]);
      const other = made ? undefined : otherLine.exec(text);
      if (other) add(other[2] as string, kindOf(other[1] as string, other[3] ?? ''), number);
      return undefined;
    },
    { everyLine: true },
  );
  return symbols;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function kindOf(word: string, rest: string): SymbolKind {
  if (word !== 'type') return 'constant';
  return /^(?:\[[^\]]*\]\s*)?struct\b/.test(rest) ? 'class' : /^(?:\[[^\]]*\]\s*)?interface\b/.test(rest) ? 'interface' : 'type';
}

/** Strings in the import declarations: before them stand only names, dots and brackets. */
function findImports(text: string, { masked, strings }: MaskedCode): ImportStatement[] {
  const imports: ImportStatement[] = [];
  const lineAt = createLineCounter(text);
  for (const { 0: whole, index } of masked.matchAll(/^import\s*(?:\([^)]*\)|[^\n]*)/gm)) {
    const end = index + whole.length;
    for (const { start, end: stop } of strings) {
      if (start > index && stop <= end) imports.push({ specifier: text.slice(start, stop), line: lineAt(start), names: [] });
    }
  }
  return imports;
}
