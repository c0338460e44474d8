// Importing sessions of another agent: messages a second into the store and into the index, memory, and growth. Measured against what no
// importer can avoid, by the clock on the wall and taking turns with it: reading the same files and parsing them. A few long sessions, one
// long document, and many short sessions; of those each is made durable by itself, so that making as many files durable is told beside it.
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '../src/open-store.ts';
import { IndexDatabase } from '../src/recall/index/index-database.ts';
import { RecallIndexer } from '../src/recall/index/indexer.ts';
import { claudeCodeFormat } from '../src/transcripts/claude-code/claude-code-format.ts';
import { importTranscripts } from '../src/transcripts/import-transcripts.ts';
import { openAiFormat } from '../src/transcripts/openai/openai-format.ts';
import type { TranscriptFormat } from '../src/transcripts/transcript-format.ts';
import { type Sessions, writeDocument, writeSessions } from './import-material.ts';
import { withFolder } from './material.ts';
import { median } from './measure.ts';
import type { Figure } from './report.ts';

const small = 1000;
const full = 100_000;
const compared = 20_000;
const comparedShort = 2000;
const rounds = 7;
const longSession = 5000;
const shortSession = 20;
const mostTimes = 6;
const bound = { kind: 'at most', value: mostTimes } as const;

type Driver = 'sqlite' | 'jsonl';

export async function benchImport(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const long = await writeSessions(join(folder, 'long'), compared, longSession);
    const document = await writeDocument(join(folder, 'document'), compared);
    const short = await writeSessions(join(folder, 'short'), comparedShort, shortSession);
    const figures: Figure[] = [];
    for (const driver of ['sqlite', 'jsonl'] as const) {
      const claude = { driver, format: claudeCodeFormat, parse: parseLines };
      const openAi = { driver, format: openAiFormat, parse: parseDocument };
      figures.push(await compareImport(folder, { ...claude, sessions: long, what: 'long sessions', count: compared }));
      const whole = { what: 'the file parsed as a whole', work: () => parseWhole(document.files) };
      const talk = { sessions: document, what: 'one document', count: compared, beside: whole, isBare: true };
      figures.push(await compareImport(folder, { ...openAi, ...talk }));
      const files = { what: 'as many files written and synced', work: (home: string) => keepAll(`${home}-files`, short.files) };
      const few = { sessions: short, what: `sessions of ${shortSession}`, count: comparedShort, beside: files, isBare: true };
      figures.push(await compareImport(folder, { ...claude, ...few }));
    }
    const few = await writeSessions(join(folder, 'few'), small, longSession);
    const many = await writeSessions(join(folder, 'many'), full, longSession);
    figures.push(...(await measureGrowth(folder, few, many)));
    return figures;
  });
}

interface Subject {
  sessions: Sessions;
  format: TranscriptFormat;
  parse: (files: readonly string[]) => Promise<void>;
  driver: Driver;
  what: string;
  count: number;
  /** What else it is held against, for the reader. */
  beside?: { what: string; work(home: string): Promise<void> };
  /** Words with hardly anything around them, or few of them in a file: what storing them costs is most of it. Told, without a promise. */
  isBare?: boolean;
}

async function compareImport(folder: string, subject: Subject): Promise<Figure> {
  const { sessions, format, parse, driver, what, count, beside, isBare = false } = subject;
  const parsing: Spent[] = [];
  const importing: Spent[] = [];
  const besides: Spent[] = [];
  for (let round = 0; round < rounds; round += 1) {
    parsing.push(await measure(() => parse(sessions.files)));
    const home = join(folder, `${driver}-${what}-${round}`);
    importing.push(await measure(() => importAll(home, sessions, format, driver)));
    if (beside) besides.push(await measure(() => beside.work(home)));
  }
  const [parsed, taken, other] = [typical(parsing), typical(importing), typical(besides)];
  const more = beside ? `, ${(taken.wall / other.wall).toFixed(1)} times ${beside.what}` : '';
  return {
    name: `import of ${count.toLocaleString('en')} messages, ${what}, ${driver}: times parsing`,
    value: taken.wall / parsed.wall,
    ...(!isBare && { bound }),
    detail: `${perSecond(count, taken.wall)} against ${perSecond(count, parsed.wall)} read and parsed${more}; by processor time ${(taken.processor / parsed.processor).toFixed(2)}`,
  };
}

async function measureGrowth(folder: string, few: Sessions, many: Sessions): Promise<Figure[]> {
  const importClaude = (home: string, sessions: Sessions) =>
    measure(() => importAll(join(folder, home), sessions, claudeCodeFormat, 'sqlite'));
  const atSmall = median([
    (await importClaude('growth-a', few)).processor,
    (await importClaude('growth-b', few)).processor,
    (await importClaude('growth-c', few)).processor,
  ]);
  const memory = watchMemory();
  const first = await importClaude('growth', many);
  const most = memory.stop();
  const again = await importClaude('growth', many);
  const home = join(folder, 'growth');
  const store = await openStore({ home });
  const index = await IndexDatabase.open({ path: join(home, 'index.db') });
  const indexing = await measure(() => new RecallIndexer({ store, index }).catchUp());
  index.close();
  await store.close();
  return [
    {
      name: `one message of ${full.toLocaleString('en')}, times one of ${small.toLocaleString('en')}`,
      value: first.processor / full / (atSmall / small),
      bound: { kind: 'at most', value: 1.5 },
      detail: `${perSecond(full, first.processor)} against ${perSecond(small, atSmall)}, sqlite, by processor time`,
    },
    {
      name: `import of ${full.toLocaleString('en')} messages and index, messages a second`,
      value: full / ((first.wall + indexing.wall) / 1000),
      detail: `index alone ${perSecond(full, indexing.wall)}; by processor time ${perSecond(full, first.processor + indexing.processor)} and ${perSecond(full, indexing.processor)}`,
    },
    {
      name: 'resident memory of an import, MB',
      value: most / 1e6,
      bound: { kind: 'at most', value: 300 },
      detail: `this whole process at its most, over ${(many.bytes / 1e6).toFixed(0)} MB of files`,
    },
    {
      name: 'second import, share of the first',
      value: again.wall / first.wall,
      detail: `${again.wall.toFixed(0)} ms, nothing changed`,
    },
  ];
}

async function parseLines(files: readonly string[]): Promise<void> {
  for (const file of files) for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line);
}

/** As a stream, too: every message of it stands on a line of its own. */
async function parseDocument(files: readonly string[]): Promise<void> {
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file) }))
      if (line.startsWith('{"role":')) JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line);
}

async function parseWhole(files: readonly string[]): Promise<void> {
  for (const file of files) JSON.parse(await readFile(file, 'utf8'));
}

async function importAll(home: string, { root }: Sessions, format: TranscriptFormat, driver: Driver): Promise<void> {
  await using store = await openStore({ home, driver });
  const report = await importTranscripts({ store, format, sources: format.discover(root) });
  if (report.failed.length + report.broken.length > 0) throw new Error('the sessions were not imported');
}

/** What it takes to have as many files of the same length on the disk, one after the other. */
async function keepAll(folder: string, files: readonly string[]): Promise<void> {
  await mkdir(folder);
  for (const [number, file] of files.entries()) {
    const copy = await open(join(folder, `${number}.jsonl`), 'wx');
    await copy.writeFile(await readFile(file));
    await copy.datasync();
    await copy.close();
  }
}

/** Milliseconds. */
interface Spent {
  wall: number;
  /** Of the processor: what others do on the machine, and how slow its disk is, is another matter. */
  processor: number;
}

async function measure(work: () => Promise<unknown>): Promise<Spent> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wall, processor: (user + system) / 1000 };
}

function typical(spent: readonly Spent[]): Spent {
  return { wall: median(spent.map(({ wall }) => wall)), processor: median(spent.map(({ processor }) => processor)) };
}

/** How much of this whole process was resident at most. */
function watchMemory(): { stop(): number } {
  let most = process.memoryUsage.rss();
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

function perSecond(count: number, milliseconds: number): string {
  return `${Math.round((count * 1000) / milliseconds).toLocaleString('en')}/s`;
}
