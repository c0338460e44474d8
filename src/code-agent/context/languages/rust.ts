// Rust: items with their visibility, methods by the impl or trait they stand in, modules that a file declares and paths it uses.
import type { CodeSymbol, ImportStatement, LanguageScanner, SymbolKind } from '../file-record.ts';
import { createLineCounter, walkBlocks } from './block-lines.ts';
import { type Lexis, maskCode } from './mask-code.ts';

export const rustLexis: Lexis = { lineComment: '//', blockComments: 'nested', quotes: '\'"', isRust: true };

export const rust: LanguageScanner = {
  language: 'rust',
  extensions: ['rs'],
  scan(text) {
    const { masked, words } = maskCode(text, rustLexis);
    return { symbols: findSymbols(masked), imports: findImports(masked), words };
  },
};

const item =
  /^\s*(pub(?:\s*\([^)]*\))?\s+)?(?:default\s+)?(?:(?:async|unsafe|const|extern\s*(?:"_*")?)\s+)*(fn|struct|enum|union|trait|type|mod|const|static|macro_rules!)\s+(?:mut\s+)?(?:r#)?(\w+)(.*)/;
const implementation = /^\s*(?:unsafe\s+)?impl\b\s*(?:<[^{]*?>\s*)?(?:[\w:<>,&' ]+\s+for\s+)?&?\s*(?:\w+::)*(\w+)/;
const kinds: Record<string, SymbolKind> = {
  fn: 'function',
  struct: 'class',
  enum: 'enum',
  union: 'class',
  trait: 'interface',
  type: 'type',
  mod: 'module',
  'macro_rules!': 'function',
};

function findSymbols(masked: string): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  walkBlocks(masked, ({ text, number, blocks, isDirect }) => {
    if (!isDirect) return undefined;
    const inner = blocks.at(-1);
    const implemented = implementation.exec(text)?.[1];
    if (implemented !== undefined) return { name: implemented, kind: 'impl' };
    const found = item.exec(text);
    if (!found) return undefined;
    const [, visible, word = '', name = '', rest = ''] = found;
    const isPart = inner !== undefined && inner.kind !== 'module';
    const kind = isPart && word === 'fn' ? 'method' : (kinds[word] ?? 'constant');
    const symbol: CodeSymbol = { name, kind, line: number, exported: visible !== undefined };
    if (inner) symbol.container = inner.name;
    if (!(word === 'mod' && /^\s*;/.test(rest))) symbols.push(symbol);
    return kind === 'interface' || kind === 'module' ? { name, kind } : undefined;
  });
  return symbols;
}

const declared = /^[ \t]*(?:pub(?:\s*\([^)]*\))?\s+)?mod\s+(\w+)\s*;/gm;
const used = /^[ \t]*(?:pub(?:\s*\([^)]*\))?\s+)?use\s+([^;]+);/gm;
const inline = /\bcrate(?:::\w+)+/g;

function findImports(masked: string): ImportStatement[] {
  const found: { specifier: string; offset: number; form: 'module' | 'declared-module' }[] = [];
  for (const { 1: name = '', index, 0: whole } of masked.matchAll(declared)) {
    found.push({ specifier: name, offset: index + whole.search(/\S/), form: 'declared-module' });
  }
  for (const { 1: tree = '', index, 0: whole } of masked.matchAll(used)) {
    for (const specifier of expandTree(tree)) found.push({ specifier, offset: index + whole.search(/\S/), form: 'module' });
  }
  for (const { 0: specifier, index } of masked.matchAll(inline)) found.push({ specifier, offset: index, form: 'module' });
  const lineAt = createLineCounter(masked);
  const seen = new Set<string>();
  const imports: ImportStatement[] = [];
  for (const { specifier, offset, form } of found.sort((a, b) => a.offset - b.offset)) {
    const line = lineAt(offset);
    if (seen.has(`${form} ${specifier}`)) continue;
    seen.add(`${form} ${specifier}`);
    imports.push({ specifier, line, names: form === 'module' ? [specifier.split('::').at(-1) as string] : ['*'], form });
  }
  return imports;
}

const maxPaths = 200;

/** `a::{b, c::{d, e as f}, *}` gives `a::b`, `a::c::d`, `a::c::e`, `a::*`. */
function expandTree(tree: string): string[] {
  const paths: string[] = [];
  const prefixes: string[] = [];
  let prefix = '';
  let path = '';
  const close = () => {
    const clean = path
      .replace(/\s+as\s+\w+\s*$/, '')
      .replace(/\s+/g, '')
      .replace(/^::/, '');
    if (clean !== '' && paths.length < maxPaths) paths.push(prefix + (clean === 'self' && prefix !== '' ? '' : clean));
    path = '';
  };
  for (const character of tree) {
    if (character === '{') {
      prefixes.push(prefix);
      prefix += path.replace(/\s+/g, '');
      path = '';
    } else if (character === '}') {
      close();
      prefix = prefixes.pop() ?? '';
    } else if (character === ',') close();
    else path += character;
  }
  close();
  return paths.map((found) => found.replace(/::$/, '').replace(/^r#/, ''));
}
