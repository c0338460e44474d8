// How often the turn that answers a later question is among the first five and ten: by words, by meaning and by both, beside SQLite's
// own tokenizers on the same turns. Both languages lie in one store, as they do with people. Recall goes as `continuo search` does.
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import type { Embedder } from '../src/model/ports/embedder.ts';
import { openStore } from '../src/open-store.ts';
import { openStaticEmbedder } from '../src/recall/embedders/static.ts';
import { RecallEngine } from '../src/recall/recall-engine.ts';
import { withFolder } from './material.ts';
import type { Figure } from './report.ts';
import { type RetrievalQuestion, type RetrievalSet, readRetrievalSets } from './retrieval-set.ts';

/** The turns found for a question, best first, as `conversation:turn`. */
type Finder = (question: string) => Promise<string[]>;

const wanted = 10;

export async function benchRecallQuality(root: string): Promise<Figure[]> {
  const sets = readRetrievalSets(root);
  return withFolder(async (folder) => {
    const home = await fillHome(join(folder, 'home'), sets);
    try {
      const turns = sets.flatMap(({ conversations }) =>
        conversations.flatMap(({ id, turns }) => turns.map(({ text }, turn) => ({ place: `${id}:${turn}`, text }))),
      );
      const finders = {
        unicode61: plainFullText(turns, 'unicode61'),
        trigram: plainFullText(turns, 'trigram'),
        words: home.byWords,
        meaning: await byMeaning(turns, home.embedder),
        both: home.byBoth,
      };
      const figures: Figure[] = [];
      for (const { language, questions } of sets) figures.push(...(await describe(language, questions, finders)));
      return figures;
    } finally {
      await home.close();
    }
  });
}

async function describe(language: string, questions: RetrievalQuestion[], finders: Record<string, Finder>): Promise<Figure[]> {
  const scores: Record<string, { five: number; ten: number; kinds: string }> = {};
  for (const [name, find] of Object.entries(finders)) scores[name] = await measure(questions, find);
  const ten = (name: string) => scores[name]?.ten ?? 0;
  const told = Object.entries(scores).map(([name, { five, ten, kinds }]) => ({
    name: `  ${language}, ${name}: recall@10`,
    value: ten,
    detail: `@5 ${five.toFixed(2)}; ${kinds}`,
  }));
  const promises: Figure[] = [
    {
      name: `${language}: both, times the better of words and meaning alone`,
      value: ten('both') / Math.max(ten('words'), ten('meaning')),
      bound: { kind: 'at least', value: 1.001 },
      detail: `${questions.length} questions, recall@10 ${ten('both').toFixed(3)}`,
    },
  ];
  if (language === 'zh') promises.push(await compareWithUnicode61(questions, finders));
  return [...promises, ...told];
}

/** Over what is asked in Chinese alone: where a question holds "CI" or "SQLite", any tokenizer finds that. */
async function compareWithUnicode61(questions: RetrievalQuestion[], finders: Record<string, Finder>): Promise<Figure> {
  const chinese = questions.filter(({ question }) => !/[a-z0-9]/i.test(question));
  const words = await measure(chinese, finders.words as Finder);
  const plain = await measure(chinese, finders.unicode61 as Finder);
  return {
    name: 'zh: words, times plain unicode61, questions without Latin',
    value: words.ten / Math.max(plain.ten, 1e-9),
    bound: { kind: 'at least', value: 6 },
    detail: `${chinese.length} questions, recall@10 ${words.ten.toFixed(3)} against ${plain.ten.toFixed(3)}`,
  };
}

async function measure(questions: RetrievalQuestion[], find: Finder) {
  const kinds = new Map<string, { ten: number; count: number }>();
  let five = 0;
  let ten = 0;
  for (const { question, evidence, kind } of questions) {
    const places = await find(question);
    const share = (among: string[]) => evidence.filter((place) => among.includes(place)).length / evidence.length;
    five += share(places.slice(0, 5));
    const found = share(places.slice(0, wanted));
    ten += found;
    const sum = kinds.get(kind) ?? { ten: 0, count: 0 };
    kinds.set(kind, { ten: sum.ten + found, count: sum.count + 1 });
  }
  const byKind = [...kinds].map(([kind, { ten, count }]) => `${kind} ${(ten / count).toFixed(2)}`).join(', ');
  return { five: five / questions.length, ten: ten / questions.length, kinds: byKind };
}

async function fillHome(path: string, sets: RetrievalSet[]) {
  const store = await openStore({ home: path, redactor: false });
  const placeOf = new Map<string, string>();
  for (const { conversations } of sets) {
    for (const { id, project, date, turns } of conversations) {
      const conversation = await store.create({ project, title: '' });
      const at = Date.parse(`${date}T09:00:00Z`);
      const { entries } = await store.append(
        conversation.id,
        turns.map(({ role, text }, turn) => ({ kind: 'message' as const, role, text, at: at + turn * 60_000 })),
      );
      for (const [turn, entry] of entries.entries()) placeOf.set(entry.id, `${id}:${turn}`);
    }
  }
  const embedder = await openStaticEmbedder();
  // Without an embedder words alone count; the same index answers both ways.
  const both = await RecallEngine.open({ store, folder: path, embedder });
  await both.catchUp();
  const words = await RecallEngine.open({ store, folder: path });
  const finder =
    (engine: RecallEngine): Finder =>
    async (text) =>
      (await engine.find({ text, limit: wanted, reach: 'wide' })).hits.map(({ entryId }) => placeOf.get(entryId) ?? '');
  const close = async () => {
    await words.close();
    await both.close();
    await store.close();
  };
  return { embedder, byWords: finder(words), byBoth: finder(both), close };
}

interface Turn {
  place: string;
  text: string;
}

async function byMeaning(turns: Turn[], embedder: Embedder): Promise<Finder> {
  const vectors = await embedder.embed(turns.map(({ text }) => text));
  return async (question) => {
    const [asked] = await embedder.embed([question], { kind: 'query' });
    const likeness = vectors.map((vector, i) => ({ i, cosine: dot(asked as Float32Array, vector) }));
    return likeness
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, wanted)
      .map(({ i }) => turns[i]?.place ?? '');
  };
}

/** SQLite's full text as it comes: any of the question's words (or its runs of three characters), best bm25 first. */
function plainFullText(turns: Turn[], tokenizer: 'unicode61' | 'trigram'): Finder {
  const database = new Database(':memory:');
  database.exec(`CREATE VIRTUAL TABLE turns USING fts5(text, tokenize = '${tokenizer}')`);
  const insert = database.prepare('INSERT INTO turns(rowid, text) VALUES (?, ?)');
  for (const [i, { text }] of turns.entries()) insert.run(i + 1, text);
  const search = database.prepare<[string, number], { rowid: number }>(
    'SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ?',
  );
  return async (question) => {
    const words = question.match(/[\p{L}\p{N}_]+/gu) ?? [];
    const terms = tokenizer === 'unicode61' ? words : words.flatMap(runsOfThree);
    if (terms.length === 0) return [];
    const match = [...new Set(terms)].map((term) => `"${term}"`).join(' OR ');
    return search.all(match, wanted).map(({ rowid }) => turns[rowid - 1]?.place ?? '');
  };
}

function runsOfThree(word: string): string[] {
  const characters = [...word];
  return characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''));
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number);
  return sum;
}
