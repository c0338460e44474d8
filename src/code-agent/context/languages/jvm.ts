// Java and Kotlin: types and their members, imports by full name, the package a file belongs to and the names it uses, because files
// of one package see each other without an import.
import type { CodeSymbol, ImportStatement, LanguageScanner, SymbolKind } from '../file-record.ts';
import { createLineCounter, walkBlocks } from './block-lines.ts';
import { type Lexis, maskCode } from './mask-code.ts';
import { collectNames } from './used-names.ts';

export const javaLexis: Lexis = { lineComment: '//', blockComments: 'flat', quotes: '\'"', tripleQuotes: '"' };
export const kotlinLexis: Lexis = { ...javaLexis, blockComments: 'nested' };

export const java: LanguageScanner = {
  language: 'java',
  extensions: ['java'],
  scan: (text) => scan(text, javaLexis, findJavaMember),
};
export const kotlin: LanguageScanner = {
  language: 'kotlin',
  extensions: ['kt', 'kts'],
  scan: (text) => scan(text, kotlinLexis, findKotlinMember),
};

type FindMember = (text: string, isTop: boolean) => { name: string; kind: SymbolKind } | undefined;

function scan(text: string, lexis: Lexis, findMember: FindMember) {
  const { masked, words } = maskCode(text, lexis);
  const packageName = /^\s*package\s+([\w.]+)/m.exec(masked)?.[1];
  return {
    symbols: findSymbols(masked, findMember),
    imports: findImports(masked),
    ...(packageName !== undefined && { packageName }),
    uses: collectNames(masked),
    words,
  };
}

const typeLine =
  /^\s*((?:@\w+(?:\([^)]*\))?\s+|(?:public|private|protected|internal|abstract|final|static|sealed|non-sealed|strictfp|open|data|inner|value|annotation|companion|expect|actual|enum(?=\s+class))\s+)*)(class|interface|@interface|enum|record|object|fun\s+interface)\s+(\w+)/;

function findSymbols(masked: string, findMember: FindMember): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  walkBlocks(masked, ({ text, number, blocks, isDirect }) => {
    if (!isDirect) return undefined;
    const inner = blocks.at(-1);
    const type = typeLine.exec(text);
    const made = type
      ? { name: type[3] as string, kind: typeKind(type[1] ?? '', type[2] as string) }
      : findMember(text, inner === undefined);
    // A constructor is its class.
    if (!made || made.name === inner?.name) return undefined;
    const exported = inner === undefined && !/\bprivate\b/.test(text);
    const symbol: CodeSymbol = { name: made.name, kind: made.kind, line: number, exported };
    if (inner) symbol.container = inner.name;
    symbols.push(symbol);
    return type ? { name: made.name, kind: 'type' } : undefined;
  });
  return symbols;
}

function typeKind(modifiers: string, word: string): SymbolKind {
  if (word === 'enum' || /\benum\s/.test(modifiers)) return 'enum';
  return word.endsWith('interface') ? 'interface' : 'class';
}

const javaMethod = /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[\w.<>[\],?&]+\s+)*?([\w.<>[\],?&]+)\s+(\w+)\s*\(/;
const javaConstant = /^\s*(?:(?:public|private|protected)\s+)?(?:static\s+final|final\s+static)\s+[\w.<>[\],? ]+\s+(\w+)\s*=/;
const noReturnType = /^(?:return|new|else|throw|case|assert|yield|if|for|while|switch|catch|synchronized)$/;

function findJavaMember(text: string): { name: string; kind: SymbolKind } | undefined {
  const constant = javaConstant.exec(text)?.[1];
  if (constant !== undefined) return { name: constant, kind: 'constant' };
  const found = javaMethod.exec(text);
  if (!found || noReturnType.test(found[1] as string) || /=/.test(text.slice(0, text.indexOf('(')))) return undefined;
  return { name: found[2] as string, kind: 'method' };
}

const kotlinMember = /^\s*(?:@\w+(?:\([^)]*\))?\s+|\w+\s+)*?(fun|val|var|typealias)\s+(?:<[^>]*>\s*)?(?:[\w<>?,]+\.)?(\w+)/;

function findKotlinMember(text: string, isTop: boolean): { name: string; kind: SymbolKind } | undefined {
  const found = kotlinMember.exec(text);
  if (!found) return undefined;
  const [, word, name = ''] = found;
  if (word === 'fun') return { name, kind: isTop ? 'function' : 'method' };
  if (word === 'typealias') return { name, kind: 'type' };
  return isTop || /\bconst\b/.test(text) ? { name, kind: 'constant' } : undefined;
}

function findImports(masked: string): ImportStatement[] {
  const lineAt = createLineCounter(masked);
  return [...masked.matchAll(/^[ \t]*import\s+(?:static\s+)?([\w.]*\w(?:\.\*)?)/gm)].map(({ 1: specifier = '', index }) => ({
    specifier,
    line: lineAt(index),
    names: [specifier.slice(specifier.lastIndexOf('.') + 1)],
  }));
}
