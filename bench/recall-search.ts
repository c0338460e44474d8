// What a search costs whoever asks, from the question to the quoted hits: by words alone and with meaning, as the history grows; and one
// `continuo search` from a cold process. CONTINUO_BENCH_SCALE multiplies the 100,000 messages; 10 is the million.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openStore } from '../src/open-store.ts';
import { hasBundledModel, openStaticEmbedder } from '../src/recall/embedders/static.ts';
import { RecallEngine } from '../src/recall/recall-engine.ts';
import type { ConversationStore } from '../src/store/conversation-store.ts';
import { withFolder } from './material.ts';
import { compare } from './measure.ts';
import { makeTalk, talkWords } from './recall-talk.ts';
import { type Figure, time } from './report.ts';

const scale = Number(process.env.CONTINUO_BENCH_SCALE ?? 1);
const small = 10_000;
const full = Math.max(small, Math.round(100_000 * scale));
const perConversation = 50;
const rounds = 40;

const questions: Record<string, (round: number) => string> = {
  'common word': (i) => talkWords.common[i % 8] as string,
  'rare word': (i) => `ticket${(i * 7919) % small}`,
  'two Chinese characters, common': (i) => talkWords.chinese[i % 8] as string,
  'two Chinese characters, rare': (i) => talkWords.rareChinese[i % 8] as string,
  'several words': (i) => `${talkWords.common[i % 8]} ${talkWords.common[(i * 3 + 1) % 8]} ticket${(i * 31) % small} w1a`,
  'a question in Chinese': (i) => `我们之前说过的${talkWords.chinese[i % 8]}${talkWords.rareChinese[i % 8]}方案是什么？`,
};

type Times = Record<string, { p50: number; p95: number }>;

export async function benchRecallSearch(root: string): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const home = join(folder, 'home');
    const store = await openStore({ home, redactor: false });
    await say(store, 0, small);
    const atSmall = await measureEngines(store, home);
    const cold = await measureColdSearch(root, home);
    await say(store, small, full);
    const atFull = await measureEngines(store, home);
    const coldAtFull = full > small ? await measureColdSearch(root, home) : cold;
    await store.close();
    const among = (count: number) => count.toLocaleString('en');
    const compared = (name: string, times: Times, before: Times): Figure[] => [
      {
        name: `${name} among ${among(full)}, p95 of the slowest kind, ms`,
        value: Math.max(...Object.values(times).map(({ p95 }) => p95)) / 1000,
        bound: { kind: 'at most', value: 60 },
        detail: 'warm, quotations read from the log',
      },
      ...Object.entries(times).map(([kind, { p50, p95 }]) => ({
        name: `  ${kind}: p50, times p50 among ${among(small)}`,
        value: p50 / (before[kind]?.p50 ?? p50),
        detail: `p50 ${time(p50)}, p95 ${time(p95)}; among ${among(small)} ${time(before[kind]?.p50 ?? 0)}, ${time(before[kind]?.p95 ?? 0)}`,
      })),
    ];
    return [
      ...compared('find by words', atFull.words, atSmall.words),
      ...(atFull.meaning && atSmall.meaning ? compared('find by words and meaning', atFull.meaning, atSmall.meaning) : []),
      {
        name: '`continuo search` from cold, ms',
        value: cold.search / 1000,
        bound: { kind: 'at most', value: 300 },
        detail: `${(cold.search / cold.node).toFixed(2)} times \`node -e 0\` (${time(cold.node)}), among ${among(small)} messages`,
      },
      {
        name: `\`continuo search\` from cold among ${among(full)}, ms`,
        value: coldAtFull.search / 1000,
        detail: `${(coldAtFull.search / coldAtFull.node).toFixed(2)} times \`node -e 0\` (${time(coldAtFull.node)})`,
      },
      {
        name: 'resident memory while searching, MB',
        value: atFull.resident,
        bound: { kind: 'at most', value: 300 },
        detail: `this whole process, ${among(full)} messages with vectors`,
      },
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

async function measureEngines(store: ConversationStore, folder: string) {
  const words = await RecallEngine.open({ store, folder });
  await words.catchUp();
  const byWords = await measure(words);
  await words.close();
  if (!hasBundledModel()) return { words: byWords, resident: process.memoryUsage().rss / 1e6 };
  const both = await RecallEngine.open({ store, folder, embedder: await openStaticEmbedder(), embedsInSearch: true });
  await both.catchUp();
  const byBoth = await measure(both);
  const resident = process.memoryUsage().rss / 1e6;
  await both.close();
  return { words: byWords, meaning: byBoth, resident };
}

async function measure(engine: RecallEngine): Promise<Times> {
  const times: Times = {};
  for (const [kind, ask] of Object.entries(questions)) {
    for (let i = 0; i < 10; i++) await engine.find({ text: ask(i), limit: 10, hereProject: 'path:/p/7' });
    const samples: number[] = [];
    for (let i = 0; i < rounds; i++) {
      const started = performance.now();
      await engine.find({ text: ask(i), limit: 10, hereProject: 'path:/p/7' });
      samples.push((performance.now() - started) * 1000);
    }
    samples.sort((a, b) => a - b);
    times[kind] = { p50: samples[rounds / 2] as number, p95: samples[Math.floor(rounds * 0.95)] as number };
  }
  return times;
}

/** Median microseconds of a process, with everything indexed. */
async function measureColdSearch(root: string, home: string): Promise<{ node: number; search: number }> {
  const program = join(root, 'dist/cli/main.js');
  const run = (args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  };
  return compare(
    { node: () => run(['-e', '0']), search: () => run([program, 'search', 'parser', '--home', home]) },
    { rounds: 11, warmup: 3, count: 1 },
  );
}
