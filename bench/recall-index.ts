// The lexical index: how fast it is built beside reading the log alone, what it weighs, and how long a search takes as it grows.
// CONTINUO_BENCH_SCALE multiplies the 100,000 messages; 10 is the million.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../src/open-store.ts';
import { IndexDatabase } from '../src/recall/index/index-database.ts';
import { RecallIndexer } from '../src/recall/index/indexer.ts';
import { searchLexical } from '../src/recall/index/lexical-search.ts';
import { tokenizeText } from '../src/recall/tokens/tokenize-text.ts';
import type { ConversationStore } from '../src/store/conversation-store.ts';
import { withFolder } from './material.ts';
import { makeTalk, talkWords } from './recall-talk.ts';
import { type Figure, time } from './report.ts';

const scale = Number(process.env.CONTINUO_BENCH_SCALE ?? 1);
const small = 10_000;
const full = Math.max(small, Math.round(100_000 * scale));
const perConversation = 50;
const rounds = 40;

export async function benchRecallIndex(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const store = await openStore({ home: join(folder, 'home'), redactor: false });
    const path = join(folder, 'home', 'index.db');
    const index = await IndexDatabase.open({ path });
    const indexer = new RecallIndexer({ store, index });
    await say(store, 0, small);
    await indexer.catchUp();
    const atSmall = measureSearches(index);
    await say(store, small, full);

    const started = performance.now();
    const { documents } = await indexer.catchUp();
    const build = ((performance.now() - started) * 1000) / documents;
    const read = await measureReading(store);
    const atFull = measureSearches(index);
    const append = await measureAppends(store, indexer);
    const purge = await measurePurge(store, indexer);
    index.database.pragma('wal_checkpoint(TRUNCATE)');
    const bytes = statSync(path).size;
    const resident = process.memoryUsage().rss / 1e6;
    index.close();
    const coldly = await measureCold(path);
    await store.close();

    const messages = full.toLocaleString('en');
    const slowest = Math.max(...Object.values(atFull).map((each) => each.p95));
    return [
      {
        name: `index of ${messages} messages, share of the reading rate`,
        value: read / build,
        detail: `${Math.round(1e6 / build).toLocaleString('en')}/s against ${Math.round(1e6 / read).toLocaleString('en')}/s read`,
      },
      { name: 'tokens, MB a second', value: measureTokens(), detail: 'UTF-8 bytes of the text, half Chinese' },
      { name: 'index, bytes a message', value: bytes / full, detail: `${(bytes / 1e6).toFixed(1)} MB` },
      {
        name: `search among ${messages}, p95 of the slowest kind, ms`,
        value: slowest / 1000,
        bound: { kind: 'at most', value: 60 },
        detail: 'warm',
      },
      ...Object.entries(atFull).map(([name, { p50, p95 }]) => ({
        name: `  ${name}: p95, times p95 among ${small.toLocaleString('en')}`,
        value: p95 / (atSmall[name]?.p95 ?? p95),
        detail: `p50 ${time(p50)}, p95 ${time(p95)}; among ${small.toLocaleString('en')} ${time(atSmall[name]?.p95 ?? 0)}`,
      })),
      { name: 'open and first search, ms', value: coldly, detail: 'a new connection in this process' },
      {
        name: 'append while the index follows, times without',
        value: append.followed / append.alone,
        detail: `p50 ${time(append.followed)} against ${time(append.alone)}`,
      },
      {
        name: 'purge of one conversation, share of building the index',
        value: purge / ((build * full) / 1000),
        detail: `${(purge / 1000).toFixed(1)} s until no byte is left, in small steps`,
      },
      { name: 'resident memory, MB', value: resident, bound: { kind: 'at most', value: 300 }, detail: 'this whole process' },
    ];
  });
}

async function say(store: ConversationStore, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += perConversation) {
    const number = first / perConversation;
    const { id } = await store.create({ project: `path:/p/${number % 40}`, agent: number % 3 ? 'claude-code' : 'codex' });
    const entries = Array.from({ length: Math.min(perConversation, to - first) }, (_, i) => ({
      kind: 'message' as const,
      role: i % 2 ? ('assistant' as const) : ('user' as const),
      text: makeTalk(first + i),
      at: 1_700_000_000_000 + (first + i) * 1000,
    }));
    await store.append(id, entries);
  }
}

type Times = Record<string, { p50: number; p95: number }>;

function measureSearches(index: IndexDatabase): Times {
  const kinds: Record<string, (round: number) => string> = {
    'common word': (i) => talkWords.common[i % talkWords.common.length] as string,
    'rare word': (i) => `ticket${(i * 7919) % small}`,
    'two Chinese characters, common': (i) => talkWords.chinese[i % talkWords.chinese.length] as string,
    'two Chinese characters, rare': (i) => talkWords.rareChinese[i % talkWords.rareChinese.length] as string,
    'two common words': (i) => `${talkWords.common[i % 8]} ${talkWords.chinese[(i * 3) % 8]}`,
    'a question in Chinese': (i) => `我们之前说过的${talkWords.chinese[i % 8]}${talkWords.rareChinese[i % 8]}方案是什么？`,
    'a question in English': (i) =>
      `what did we decide about the ${talkWords.common[i % 8]} and ticket${(i * 31) % small} on the server?`,
  };
  const times: Times = {};
  for (const [name, ask] of Object.entries(kinds)) {
    for (let i = 0; i < 10; i++) searchLexical(index.database, ask(i), { limit: 50 });
    const samples: number[] = [];
    for (let i = 0; i < rounds; i++) {
      const started = performance.now();
      searchLexical(index.database, ask(i), { limit: 50 });
      samples.push((performance.now() - started) * 1000);
    }
    samples.sort((a, b) => a - b);
    times[name] = { p50: samples[rounds / 2] as number, p95: samples[Math.floor(rounds * 0.95)] as number };
  }
  const scoped = { limit: 50, filters: { project: 'path:/p/7' } };
  const samples = Array.from({ length: rounds }, (_, i) => {
    const started = performance.now();
    searchLexical(index.database, talkWords.common[i % 8] as string, scoped);
    return (performance.now() - started) * 1000;
  }).sort((a, b) => a - b);
  times['common word in one project of 40'] = {
    p50: samples[rounds / 2] as number,
    p95: samples[Math.floor(rounds * 0.95)] as number,
  };
  return times;
}

/** Microseconds an entry, as the indexer reads: list, then page by page. */
async function measureReading(store: ConversationStore): Promise<number> {
  const started = performance.now();
  let entries = 0;
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: 500, ...(cursor !== undefined && { cursor }) });
    for (const { id } of page.items) entries += (await store.read(id, { limit: 1000 })).items.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ((performance.now() - started) * 1000) / entries;
}

/** Median microseconds of an append, alone and while the index follows. */
async function measureAppends(store: ConversationStore, indexer: RecallIndexer): Promise<{ alone: number; followed: number }> {
  const { id } = await store.create();
  const measure = async () => {
    const samples: number[] = [];
    for (let i = 0; i < 300; i++) {
      const started = performance.now();
      await store.append(id, { kind: 'message', role: 'user', text: makeTalk(i) });
      samples.push((performance.now() - started) * 1000);
    }
    return samples.sort((a, b) => a - b)[150] as number;
  };
  await measure();
  const alone = await measure();
  indexer.start();
  const followed = await measure();
  await indexer.stop();
  return { alone, followed };
}

/** Milliseconds until the tokens of a purged conversation are overwritten. */
async function measurePurge(store: ConversationStore, indexer: RecallIndexer): Promise<number> {
  const { id } = (await store.list({ limit: 3 })).items[2] as { id: Parameters<ConversationStore['purge']>[0] };
  await store.trash(id);
  await store.purge(id);
  const started = performance.now();
  await indexer.refresh(id);
  return performance.now() - started;
}

async function measureCold(path: string): Promise<number> {
  const started = performance.now();
  const index = await IndexDatabase.open({ path });
  searchLexical(index.database, '我们之前说过的数据库迁移方案是什么？');
  const took = performance.now() - started;
  index.close();
  return took;
}

function measureTokens(): number {
  const texts = Array.from({ length: 20_000 }, (_, i) => Buffer.from(makeTalk(i)).toString());
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const rates: number[] = [];
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    for (const text of texts) tokenizeText(text);
    rates.push(bytes / 1000 / (performance.now() - started));
  }
  return rates.sort((a, b) => a - b)[2] as number;
}
