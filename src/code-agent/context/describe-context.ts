// The project in few words, for a prompt: folders, main files, what was touched with its symbols, what belongs to it. Never longer
// than asked for. Names of files are data: they are written so that none can break out of its line.
import { BoundedText, quotePath } from '../bounded-text.ts';
import type { CodeSymbol, FileRecord } from './file-record.ts';
import type { IndexState } from './project-index.ts';
import { formatReason, type RelevantFile } from './relevant-files.ts';
import { isTestFile } from './test-file.ts';

export function describeContext(state: IndexState, relevant: readonly RelevantFile[], tokens: number): string {
  const text = new BoundedText(tokens);
  const { files, complete, skipped } = state.facts;
  const left = skipped.beyond > 0 ? `, ${skipped.beyond} more not looked at` : complete ? '' : ', and more not looked at';
  text.add(`Project: ${files} files${left}. ${describeLanguages(state.records)}`.trimEnd());
  const touched = relevant.filter(({ why }) => why.some(({ kind }) => kind === 'changed' || kind === 'read'));
  const others = relevant.filter((file) => !touched.includes(file));
  // What is being worked on is worth more than an overview: it gets its half first, and what is left of it goes to the rest.
  const inHand = new BoundedText(Math.floor(tokens / 2));
  if (touched.length > 0) inHand.add('\nFiles in hand:');
  for (const file of touched) inHand.add(describeFile(file, state.records.get(file.path)));
  if (others.length > 0) inHand.add('\nFiles around them:');
  for (const file of others) inHand.add(`- ${quotePath(file.path)} (${file.why.map(formatReason).join('; ')})`);
  const rest = tokens - inHand.tokens - text.tokens;
  const folders = new BoundedText(Math.floor(rest * 0.55));
  folders.add('\nFolders (files in them):');
  for (const line of describeFolders(state.records)) folders.add(line);
  const main = new BoundedText(rest - folders.tokens);
  main.add('\nMain files:');
  for (const line of describeMain(state)) main.add(line);
  for (const part of [folders, main, inHand]) if (part.lines > 1) text.add(part.toString());
  return text.toString();
}

function describeFile({ path, why }: RelevantFile, record: FileRecord | undefined): string {
  const head = `- ${quotePath(path)} (${why.map(formatReason).join('; ')})`;
  const symbols = describeSymbols(record?.symbols ?? []);
  return symbols === '' ? head : `${head}\n  ${symbols}`;
}

const maxSymbols = 30;

function describeSymbols(symbols: readonly CodeSymbol[]): string {
  const shown = symbols
    .filter(({ kind }) => kind !== 'heading')
    .slice(0, maxSymbols)
    .map(({ name, kind, line, container }) => `${kind} ${container === undefined ? name : `${container}.${name}`}:${line}`);
  const more = symbols.length > maxSymbols ? [`and ${symbols.length - maxSymbols} more`] : [];
  return [...shown, ...more].join(', ');
}

function describeLanguages(records: ReadonlyMap<string, FileRecord>): string {
  const counts = new Map<string, number>();
  for (const { language } of records.values()) if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([language, count]) => `${language} ${count}`)
    .join(', ');
}

/** Two levels, the fullest first. */
function describeFolders(records: ReadonlyMap<string, FileRecord>): string[] {
  const counts = new Map<string, number>();
  for (const path of records.keys()) {
    const parts = path.split('/');
    for (let depth = 1; depth <= Math.min(2, parts.length - 1); depth++) {
      const folder = `${parts.slice(0, depth).join('/')}/`;
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const chosen = [...counts].sort((a, b) => level(a[0]) - level(b[0]) || b[1] - a[1]).slice(0, 60);
  return chosen
    .sort((a, b) => (a[0] < b[0] ? -1 : 1))
    .map(([folder, count]) => `${'  '.repeat(level(folder) - 1)}${quotePath(folder)} ${count}`);
}

function level(folder: string): number {
  return folder.split('/').length - 1;
}

const entryName =
  /^(?:readme(?:\.\w+)?|package\.json|pyproject\.toml|setup\.py|cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|makefile|cmakelists\.txt|agents\.md|claude\.md)$/i;
const startName = /(?:^|\/)(?:main|index|app|lib|cli|server|__main__)\.\w+$/;
const maxMain = 40;

/** Manifests and documents of the project's own folder, where programs begin, and what most files import. */
function describeMain({ records, graph }: IndexState): string[] {
  const lines: string[] = [];
  for (const path of records.keys()) if (entryName.test(path)) lines.push(`- ${quotePath(path)}`);
  const ranked = [...records.values()]
    .filter(({ path, symbols, imports }) => !isTestFile(path) && symbols.length + imports.length > 0)
    .map(({ path }) => {
      const importers = new Set(graph.importersOf(path).map(({ from }) => from)).size;
      return { path, importers, worth: importers + (startName.test(path) ? 5 / path.split('/').length : 0) };
    })
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || (a.path < b.path ? -1 : 1))
    .slice(0, maxMain);
  for (const { path, importers } of ranked) {
    if (!entryName.test(path)) lines.push(`- ${quotePath(path)}${importers > 0 ? ` (imported by ${importers})` : ''}`);
  }
  return lines;
}
