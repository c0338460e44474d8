// TypeScript and JavaScript: what a file declares and what it imports, by any of the ways there are (import, export from, import(),
// require). Masked code only, so that an example in a comment is none.
import type { CodeSymbol, ImportStatement, LanguageScanner, SymbolKind } from '../file-record.ts';
import { type BlockLine, createLineCounter, walkBlocks } from './block-lines.ts';
import { type Lexis, type MaskedCode, maskCode } from './mask-code.ts';

export const scriptLexis: Lexis = { lineComment: '//', blockComments: 'flat', quotes: '\'"', isScript: true };

export const typescript: LanguageScanner = {
  language: 'typescript',
  extensions: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
  scan(text) {
    const code = maskCode(text, scriptLexis);
    const symbols = findSymbols(code.masked);
    markExports(code.masked, symbols);
    return { symbols, imports: findScriptImports(text, code), words: code.words };
  },
};

const declaration =
  /^\s*(export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(function|class|interface|type|enum|const\s+enum|namespace|module|const|let|var)\b\s*\*?\s*([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)(.*)$/;
const method =
  /^\s*(?:(?:public|private|protected|static|readonly|override|abstract|async|accessor|declare|get|set)\s+)*\*?\s*(#?[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)\s*[?!]?\s*(?:<[^>()]*>\s*)?(\(|(?::[^=]*)?=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*(?::[^=]*)?=>)/;
const noMethod = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'constructor', 'super', 'function', 'new']);
const functionValue = /=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>|(?:async\s*)?\($)/;

const kinds: Record<string, SymbolKind> = {
  function: 'function',
  class: 'class',
  interface: 'interface',
  type: 'type',
  enum: 'enum',
  namespace: 'module',
  module: 'module',
};

function findSymbols(masked: string): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  walkBlocks(masked, ({ text, number, blocks, isDirect }: BlockLine) => {
    if (!isDirect) return undefined;
    const inner = blocks.at(-1);
    if (inner?.kind === 'class') {
      const name = method.exec(text)?.[1];
      if (name !== undefined && !noMethod.has(name)) {
        symbols.push({ name, kind: 'method', line: number, exported: false, container: inner.name });
      }
      return undefined;
    }
    const found = declaration.exec(text);
    if (!found) return undefined;
    const [, exported, word = '', name = '', rest = ''] = found;
    const kind = kinds[word.replace(/^const\s+/, '')] ?? (functionValue.test(rest) ? 'function' : 'constant');
    const symbol: CodeSymbol = { name, kind, line: number, exported: exported !== undefined };
    if (inner) symbol.container = inner.name;
    symbols.push(symbol);
    return kind === 'class' || kind === 'module' ? { name, kind } : undefined;
  });
  return symbols;
}

/** `export { a, b as c }` without a source, `export default a`, `module.exports = { a }` and `exports.a =`. */
function markExports(masked: string, symbols: CodeSymbol[]): void {
  const names = new Set<string>();
  for (const { 1: list = '', index, 0: whole } of masked.matchAll(/\bexport\s*(?:type\s*)?\{([^{}]*)\}/g)) {
    if (/^\s*from\b/.test(masked.slice(index + whole.length, index + whole.length + 20))) continue;
    for (const item of list.split(','))
      names.add(
        item
          .trim()
          .split(/\s+/)
          .find((word) => word !== 'type') ?? '',
      );
  }
  for (const { 1: name = '' } of masked.matchAll(/\bexport\s+default\s+([\w$]+)\s*(?:;|$)/gm)) names.add(name);
  for (const { 1: list = '' } of masked.matchAll(/\bmodule\.exports\s*=\s*\{([^{}]*)\}/g)) {
    for (const item of list.split(',')) names.add(item.split(':')[0]?.trim() ?? '');
  }
  for (const { 1: name = '' } of masked.matchAll(/\bexports\.([\w$]+)\s*=|\bmodule\.exports\s*=\s*(?=([\w$]+)\s*(?:;|$))/gm)) {
    if (name) names.add(name);
  }
  for (const symbol of symbols) if (symbol.container === undefined && names.has(symbol.name)) symbol.exported = true;
}

const callBefore =
  /(?:^|[^.\w$])(?:import|require|require\.resolve|import\.meta\.resolve|(?:jest|vi)\.(?:mock|doMock|importActual|requireActual))\s*(?:<[^<>()]*>)?\s*\(\s*$/;
const fromBefore = /\bfrom\s*$/;
const importBefore = /\bimport\s*$/;
const longestList = 8000;

/** Every string is looked at from behind: what stands before it says whether it names a module. Linear in the text. */
export function findScriptImports(text: string, { masked, strings }: MaskedCode): ImportStatement[] {
  const imports: ImportStatement[] = [];
  const lineAt = createLineCounter(text);
  let last = 0;
  for (const { start, end } of strings) {
    const before = masked.slice(Math.max(last, start - 1 - 60), start - 1);
    const isFrom = fromBefore.test(before);
    if ((isFrom || importBefore.test(before) || callBefore.test(before)) && end > start && end - start < 500) {
      const head = isFrom ? statementBefore(masked.slice(Math.max(last, start - longestList), start - 1)) : undefined;
      if (!isFrom || head) {
        const offset = head ? start - 1 - head.length : start;
        imports.push({ specifier: text.slice(start, end), line: lineAt(offset), names: head ? namesOf(head) : [] });
      }
    }
    last = end + 1;
  }
  return imports;
}

/** From the last `import` or `export` on; undefined where there is none, as in Array.from. */
function statementBefore(text: string): string | undefined {
  const at = Math.max(lastWord(text, 'import'), lastWord(text, 'export'));
  const head = at < 0 ? undefined : text.slice(at);
  return head !== undefined && !/[;()=]/.test(head) ? head : undefined;
}

function lastWord(text: string, word: string): number {
  for (let at = text.lastIndexOf(word); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(word, at - 1)) {
    if (!/[\w$.]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + word.length] ?? '')) return at;
  }
  return -1;
}

function namesOf(head: string): string[] {
  const names: string[] = [];
  const list = /\{([^}]*)\}/.exec(head);
  for (const item of list?.[1]?.split(',') ?? []) {
    const name = item
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+/)[0];
    if (name) names.push(name);
  }
  const rest = head.replace(/\{[^}]*\}/, '').replace(/^(import|export)\s+type\b/, '$1');
  if (rest.includes('*')) names.push('*');
  if (/^import\s+(?!from\b)[A-Za-z_$\u0080-\uffff]/.test(rest)) names.push('default');
  return names;
}
