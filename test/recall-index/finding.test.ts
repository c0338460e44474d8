// The table of what must be found, beside what FTS5's own tokenizers find of it.
import Sqlite, { type Database } from 'better-sqlite3-multiple-ciphers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentTable } from '../../src/recall/index/document-table.ts';
import { searchLexical } from '../../src/recall/index/lexical-search.ts';
import { prepareSchema } from '../../src/recall/index/schema.ts';
import { buildQuery } from '../../src/recall/tokens/build-query.ts';
import { normalizeText } from '../../src/recall/tokens/normal-text.ts';
import { tokenizeText } from '../../src/recall/tokens/tokenize-text.ts';
import { type FindingRow, findingTable } from './finding-table.ts';

const apart = 10;
/** What a search keeps: at least half of what was asked for. */
const leastCoverage = 0.5;

const rows = Object.values(findingTable).flat();
const texts = [...new Set(rows.map(([text]) => text))];

describe('the table of findings', () => {
  const index = createIndex(texts);
  const plain = { unicode61: createPlain('unicode61', texts), trigram: createPlain('trigram', texts) };

  it.each(rows)('%j, asked for %j: %s', (text, question, found) => {
    expect(findsByIndex(index, text, question)).toBe(found);
  });

  it('is kept as a whole, where FTS5 by itself misses much of it', () => {
    expect(rows.length).toBeGreaterThanOrEqual(80);
    const lines = Object.entries(findingTable).map(([name, group]) => {
      const right = (finds: (row: FindingRow) => boolean) => group.filter((row) => finds(row) === row[2]).length;
      const ours = right(([text, question]) => findsByIndex(index, text, question));
      const unicode = right(([text, question]) => findsPlainly(plain.unicode61, text, question));
      const trigram = right(([text, question]) => findsPlainly(plain.trigram, text, question));
      return { name, rows: group.length, ours, unicode, trigram };
    });
    const sum = (of: 'rows' | 'ours' | 'unicode' | 'trigram') => lines.reduce((total, line) => total + line[of], 0);
    console.log(
      ['right answers: ours, unicode61, trigram, of']
        .concat(lines.map((line) => `${line.name.padEnd(28)} ${line.ours} ${line.unicode} ${line.trigram} ${line.rows}`))
        .concat(`${'all'.padEnd(28)} ${sum('ours')} ${sum('unicode')} ${sum('trigram')} ${sum('rows')}`)
        .join('\n'),
    );
    expect(sum('ours')).toBe(sum('rows'));
    expect(sum('unicode')).toBeLessThan(sum('rows') * 0.8);
  });
});

describe('any text', () => {
  const material = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom('数据', '库', 'openStore', 'E_CONN_42', 'データ', '한국어', ' ', '，', 'C++', 'é', 'a.b/c', '"', '𠮷'),
      )
      .map((parts) => parts.join('')),
  );

  it('is found by each of its words', () => {
    const database = createIndex([]);
    fc.assert(
      fc.property(material, (text) => {
        const [id] = addTexts(database, [text]);
        for (const [word] of normalizeText(text).matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
          const { match } = buildQuery(`"${word}"`);
          if (match === '') continue;
          const sql = 'SELECT count(*) FROM lexical WHERE lexical MATCH ? AND rowid = CAST(? AS INTEGER)';
          expect([word, match, database.prepare(sql).pluck().get(match, id)]).toEqual([word, match, 1]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is a question that FTS5 accepts', () => {
    const database = createIndex(['数据库 openStore']);
    fc.assert(
      fc.property(material, (question) => {
        const { match, matchAll, terms } = buildQuery(question);
        const run = (expression: string) =>
          database.prepare('SELECT count(*) FROM lexical WHERE lexical MATCH ?').get(expression);
        for (const expression of [match, matchAll, ...terms.map((term) => term.match)]) if (expression !== '') run(expression);
        searchLexical(database, question);
      }),
      { numRuns: 300 },
    );
  });
});

it('gives a character the same tokens, whatever else stands in the text', () => {
  const different: string[] = [];
  for (let point = 1; point < 0x30000; point++) {
    const character = String.fromCodePoint(point);
    if (tokenizeText(`${character} é`) !== `${tokenizeText(character)}e `) different.push(point.toString(16));
  }
  expect(different).toEqual([]);
});

it('keeps the tokens exactly as they were made', () => {
  const database = new Sqlite(':memory:');
  prepareSchema(database);
  const text = 'openStore 用SQLite做导航 naïve ﾃﾞｰﾀ 데이터 𠮷野家 E_CONN_42 Привет C++ x86_64';
  database.exec("CREATE VIRTUAL TABLE words USING fts5vocab(lexical, 'row')");
  database.prepare('INSERT INTO lexical (rowid, tokens) VALUES (1, ?)').run(tokenizeText(text));
  const kept = database.prepare<[], string>('SELECT term FROM words').pluck().all();
  expect(kept.sort()).toEqual([...new Set(tokenizeText(text).trim().split(' '))].sort());
});

function createIndex(all: readonly string[]): Database {
  const database = new Sqlite(':memory:');
  prepareSchema(database);
  database
    .prepare("INSERT INTO conversations VALUES (1, 'cnv_1', NULL, NULL, NULL, '[]', 0, 0, 0, 0, NULL, NULL, NULL, NULL, 2, 0)")
    .run();
  addTexts(database, all);
  return database;
}

/** The ids of the texts. */
function addTexts(database: Database, all: readonly string[]): number[] {
  const next = database.prepare<[], number>("SELECT value FROM state WHERE name = 'next-document'").pluck().get() as number;
  const documents = all.map((text, i) => ({
    // Far enough from each other that none is the answer to another.
    seq: (next + i) * apart,
    at: next + i,
    kind: 'message' as const,
    role: 'user' as const,
    tokens: tokenizeText(text),
    expiresAt: null,
  }));
  new DocumentTable(database).add(1, documents);
  return all.map((_, i) => next + i);
}

function findsByIndex(database: Database, text: string, question: string): boolean {
  const { candidates } = searchLexical(database, question, { limit: 100 });
  return candidates.some(({ seq, coverage }) => texts[seq / apart - 1] === text && coverage >= leastCoverage);
}

function createPlain(tokenizer: string, all: readonly string[]): Database {
  const database = new Sqlite(':memory:');
  database.exec(`CREATE VIRTUAL TABLE plain USING fts5(text, tokenize='${tokenizer}')`);
  const insert = database.prepare('INSERT INTO plain (rowid, text) VALUES (?, ?)');
  for (const [i, text] of all.entries()) insert.run(i + 1, text);
  return database;
}

/** As somebody would who takes FTS5 as it is: every word in quotes, all of them wanted. */
function findsPlainly(database: Database, text: string, question: string): boolean {
  const words = question.match(/"[^"]*"|\S+/g) ?? [];
  const match = words.map((word) => `"${word.replaceAll('"', '')}"`).join(' ');
  const found = database.prepare<[string], number>('SELECT rowid FROM plain WHERE plain MATCH ?').pluck().all(match);
  return found.some((row) => texts[row - 1] === text);
}
