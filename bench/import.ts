// Importing sessions of another agent: messages a second into the store and into the index, memory, and growth. Measured against what no
// importer can avoid: reading the same lines and parsing them. Two kinds of files: a few long sessions, and many short ones. Times are
// the processor's.
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '../src/open-store.ts';
import { IndexDatabase } from '../src/recall/index/index-database.ts';
import { RecallIndexer } from '../src/recall/index/indexer.ts';
import { claudeCodeFormat } from '../src/transcripts/claude-code/claude-code-format.ts';
import { importTranscripts } from '../src/transcripts/import-transcripts.ts';
import { makeText, withFolder } from './material.ts';
import { median } from './measure.ts';
import type { Figure } from './report.ts';

const small = 1000;
const full = 100_000;
const compared = 20_000;
const comparedShort = 2000;
const rounds = 5;
const longSession = 5000;
const shortSession = 20;
const mostTimes = 6;

export async function benchImport(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const long = await writeSessions(join(folder, 'long'), compared, longSession);
    const short = await writeSessions(join(folder, 'short'), comparedShort, shortSession);
    const figures: Figure[] = [];
    for (const driver of ['sqlite', 'jsonl'] as const) {
      figures.push(await compareImport(folder, long, { driver, what: 'long sessions', count: compared }));
      figures.push(await compareImport(folder, short, { driver, what: `sessions of ${shortSession}`, count: comparedShort }));
    }
    const few = await writeSessions(join(folder, 'few'), small, longSession);
    const many = await writeSessions(join(folder, 'many'), full, longSession);
    figures.push(...(await measureGrowth(folder, few, many)));
    return figures;
  });
}

interface Subject {
  driver: 'sqlite' | 'jsonl';
  what: string;
  count: number;
}

async function compareImport(folder: string, sessions: Sessions, { driver, what, count }: Subject): Promise<Figure> {
  const [parsing, importing]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    parsing.push(await measure(() => parseAll(sessions.files)));
    const home = join(folder, `${driver}-${what.length}-${round}`);
    importing.push(await measure(() => importAll(home, sessions, driver)));
  }
  const [parse, take] = [median(parsing), median(importing)];
  return {
    name: `import of ${count.toLocaleString('en')} messages, ${what}, ${driver}: times parsing`,
    value: take / parse,
    // Short sessions are dominated by what makes each of them durable.
    ...(driver === 'sqlite' && what === 'long sessions' && { bound: { kind: 'at most', value: mostTimes } }),
    detail: `${perSecond(count, take)} against ${perSecond(count, parse)} read and parsed`,
  };
}

async function measureGrowth(folder: string, few: Sessions, many: Sessions): Promise<Figure[]> {
  const atSmall = median([
    await measure(() => importAll(join(folder, 'growth-a'), few, 'sqlite')),
    await measure(() => importAll(join(folder, 'growth-b'), few, 'sqlite')),
    await measure(() => importAll(join(folder, 'growth-c'), few, 'sqlite')),
  ]);
  const home = join(folder, 'growth');
  const memory = watchMemory();
  const atFull = await measure(() => importAll(home, many, 'sqlite'));
  const most = memory.stop();
  const again = await measure(() => importAll(home, many, 'sqlite'));
  const store = await openStore({ home });
  const index = await IndexDatabase.open({ path: join(home, 'index.db') });
  const indexing = await measure(() => new RecallIndexer({ store, index }).catchUp());
  index.close();
  await store.close();
  return [
    {
      name: `one message of ${full.toLocaleString('en')}, times one of ${small.toLocaleString('en')}`,
      value: atFull / full / (atSmall / small),
      bound: { kind: 'at most', value: 1.5 },
      detail: `${perSecond(full, atFull)} against ${perSecond(small, atSmall)}, sqlite`,
    },
    {
      name: `import of ${full.toLocaleString('en')} messages and index, messages a second`,
      value: full / ((atFull + indexing) / 1000),
      detail: `index alone ${perSecond(full, indexing)}`,
    },
    {
      name: 'resident memory of an import, MB',
      value: most / 1e6,
      bound: { kind: 'at most', value: 300 },
      detail: `this whole process at its most, over ${(many.bytes / 1e6).toFixed(0)} MB of files`,
    },
    { name: 'second import, share of the first', value: again / atFull, detail: `${again.toFixed(0)} ms, nothing changed` },
  ];
}

interface Sessions {
  root: string;
  files: string[];
  bytes: number;
}

/** As Claude Code leaves them: every line with its folder, branch and version. */
async function writeSessions(root: string, count: number, perSession: number): Promise<Sessions> {
  const files: string[] = [];
  let bytes = 0;
  await mkdir(join(root, 'project'), { recursive: true });
  for (let first = 0; first < count; first += perSession) {
    const id = uuid(files.length, 1);
    const lines = Array.from({ length: Math.min(perSession, count - first) }, (_, i) => formatLine(first + i, id));
    const path = join(root, 'project', `${id}.jsonl`);
    const text = `${lines.join('\n')}\n`;
    await writeFile(path, text);
    bytes += Buffer.byteLength(text);
    files.push(path);
  }
  return { root, files, bytes };
}

function formatLine(number: number, sessionId: string): string {
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const text = makeText(number);
  const message =
    number % 2 === 0
      ? { role: 'user', content: text }
      : { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'model', usage, content: [{ type: 'text', text }] };
  return JSON.stringify({
    parentUuid: number === 0 ? null : uuid(number - 1),
    isSidechain: false,
    type: message.role,
    message,
    uuid: uuid(number),
    timestamp: new Date(1_767_225_600_000 + number * 1000).toISOString(),
    userType: 'external',
    cwd: '/home/dev/code/long',
    sessionId,
    version: '2.1.325',
    gitBranch: 'main',
  });
}

function uuid(number: number, kind = 0): string {
  return `0000000${kind}-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

async function parseAll(files: readonly string[]): Promise<void> {
  for (const file of files) for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line);
}

async function importAll(home: string, { root }: Sessions, driver: Subject['driver']): Promise<void> {
  await using store = await openStore({ home, driver });
  const report = await importTranscripts({ store, format: claudeCodeFormat, sources: claudeCodeFormat.discover(root) });
  if (report.failed.length + report.broken.length > 0) throw new Error('the sessions were not imported');
}

/** Milliseconds of the processor: what others do on the machine, and how slow its disk is, is another matter. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
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
