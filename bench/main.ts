// npm run bench [-- NAME…] [--json]: runs the named benchmarks, or all, and ends with 1 if a promise is not kept.
import { benchAppend } from './append.ts';
import { benchCodeIndex } from './code-index.ts';
import { benchColdStart } from './cold-start.ts';
import { benchEmbedder } from './embedder.ts';
import { benchEvents } from './events.ts';
import { benchImport } from './import.ts';
import { benchList } from './list.ts';
import { benchRead } from './read.ts';
import { benchRecallIndex } from './recall-index.ts';
import { benchRecallQuality } from './recall-quality.ts';
import { benchRecallSearch } from './recall-search.ts';
import { benchRecallVectors } from './recall-vectors.ts';
import { type Figure, formatFigure, keepsBound } from './report.ts';
import { benchSessionRestorable } from './session-restorable.ts';
import { benchSize } from './size.ts';
import { benchTeam } from './team.ts';
import { benchTurn } from './turn.ts';

const benchmarks: Record<string, () => Promise<Figure[]>> = {
  append: benchAppend,
  read: benchRead,
  list: benchList,
  start: () => benchColdStart(process.cwd()),
  size: benchSize,
  events: benchEvents,
  turn: benchTurn,
  team: benchTeam,
  'code-index': benchCodeIndex,
  import: benchImport,
  'session-restorable': benchSessionRestorable,
  'recall-vectors': benchRecallVectors,
  'recall-index': benchRecallIndex,
  'recall-search': () => benchRecallSearch(process.cwd()),
  embedder: () => benchEmbedder(process.cwd()),
  'recall-quality': () => benchRecallQuality(process.cwd()),
};

const json = process.argv.includes('--json');
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = asked.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}. Choose from: ${Object.keys(benchmarks).join(', ')}.\n`);
  process.exit(2);
}

const figures: Figure[] = [];
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const figure of await run()) {
    figures.push(figure);
    if (!json) process.stdout.write(`${formatFigure(figure)}\n`);
  }
}
if (json) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
process.exitCode = figures.every(keepsBound) ? 0 : 1;
