// Documents and settings: no symbols but headings, no imports; their words say what the project is about.
import type { CodeSymbol, LanguageScanner } from '../file-record.ts';

const maxWords = 4000;

export const plainText: LanguageScanner = {
  language: 'text',
  extensions: [
    'md',
    'mdx',
    'rst',
    'txt',
    'adoc',
    'json',
    'jsonc',
    'toml',
    'yaml',
    'yml',
    'html',
    'css',
    'scss',
    'sql',
    'sh',
    'proto',
    'graphql',
    'xml',
    'gradle',
    'cmake',
    'mod',
  ],
  scan(text) {
    return { symbols: findHeadings(text), imports: [], words: text.slice(0, maxWords).replace(/\s+/g, ' ') };
  },
};

const maxHeadings = 50;

function findHeadings(text: string): CodeSymbol[] {
  const headings: CodeSymbol[] = [];
  if (!/^#{1,3} /m.test(text)) return headings;
  let fenced = false;
  for (const [i, line] of text.split('\n').entries()) {
    if (line.startsWith('```')) fenced = !fenced;
    const heading = fenced ? undefined : /^#{1,3} +(.{1,80})/.exec(line)?.[1];
    if (heading !== undefined) headings.push({ name: heading.trim(), kind: 'heading', line: i + 1, exported: false });
    if (headings.length >= maxHeadings) break;
  }
  return headings;
}
