// Words that stand in very many documents: the search stays bounded and still finds what it should.
import Sqlite, { type Database } from 'better-sqlite3-multiple-ciphers';
import { beforeAll, describe, expect, it } from 'vitest';
import { DocumentTable } from '../../src/recall/index/document-table.ts';
import { searchLexical } from '../../src/recall/index/lexical-search.ts';
import { prepareSchema } from '../../src/recall/index/schema.ts';
import { tokenizeText } from '../../src/recall/tokens/tokenize-text.ts';

const documents = 12_000;
const perConversation = 20;

/**
 * Every document holds 数据, every second `server`, every third `parser`; one old document holds `heron`, another `server` and
 * `walrus` three times; documents 100 to 120 alone hold 缓存 beside 数据. The projects take turns; one of them has three documents.
 */
function textOf(number: number): string {
  const words = ['数据'];
  if (number % 2 === 0) words.push('server');
  if (number % 3 === 0) words.push('parser');
  if (number === 40) words.push('heron');
  if (number === 50) words.push('walrus walrus walrus');
  if (number >= 100 && number <= 120) words.push('缓存');
  return words.join(' ');
}

let database: Database;
beforeAll(() => {
  database = new Sqlite(':memory:');
  prepareSchema(database);
  const insert = database.prepare(
    "INSERT INTO conversations VALUES (?, ?, NULL, ?, ?, '[]', 0, 0, 0, 0, NULL, NULL, NULL, NULL, 2, 0)",
  );
  const table = new DocumentTable(database);
  database.exec('BEGIN');
  for (let first = 1; first <= documents; first += perConversation) {
    const conversation = (first - 1) / perConversation + 1;
    insert.run(conversation, `cnv_${conversation}`, conversation === 9 ? 'small' : `large`, conversation % 2 ? 'one' : 'two');
    table.add(
      conversation,
      Array.from({ length: perConversation }, (_, i) => ({
        seq: first + i,
        at: first + i,
        kind: 'message' as const,
        role: (first + i) % 5 === 0 ? ('assistant' as const) : ('user' as const),
        tokens: tokenizeText(textOf(first + i)),
        expiresAt: null,
      })),
    );
  }
  database.exec('COMMIT');
});

const seqs = (question: string, options: Parameters<typeof searchLexical>[2] = {}) =>
  searchLexical(database, question, options).candidates.map(({ seq }) => seq);

describe('a common word', () => {
  it('alone gives the newest, and says that it did not follow it to its end', () => {
    const { candidates, terms, complete } = searchLexical(database, '数据', { limit: 5 });
    expect(candidates.map(({ seq }) => seq)).toEqual([12_000, 11_999, 11_998, 11_997, 11_996]);
    expect([complete, terms.map(({ isCommon, documents: held }) => [isCommon, held])]).toEqual([false, [[true, 12_000]]]);
  });

  it('does not outweigh a rare one, however old that is', () => {
    expect(seqs('server heron', { limit: 3 })[0]).toBe(40);
    expect(searchLexical(database, 'server heron', { limit: 1 }).candidates).toMatchObject([
      { seq: 40, terms: ['server', 'heron'], coverage: 1 },
    ]);
    expect(seqs('server walrus')[0]).toBe(50);
  });

  it('is found together with another, before documents that hold only one of them', () => {
    const found = searchLexical(database, 'server parser', { limit: 20 }).candidates;
    expect(found.map(({ seq }) => seq % 6)).toEqual(Array(20).fill(0));
    expect(found.every(({ coverage }) => coverage > 0.99)).toBe(true);
  });

  it('beside a rare word of two characters gives all of that', () => {
    expect(seqs('数据缓存', { limit: 21 }).sort((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, i) => 100 + i));
  });

  it('is found in one conversation, in a small project, of one agent and of one role', () => {
    const inside = Array.from({ length: perConversation }, (_, i) => 180 - i);
    expect(seqs('数据', { filters: { conversation: 'cnv_9' as never } })).toEqual(inside);
    expect(seqs('数据', { filters: { project: 'small' } })).toEqual(inside);
    expect(seqs('server', { filters: { project: 'small' } })).toEqual(inside.filter((seq) => seq % 2 === 0));
    const ofAgent = searchLexical(database, 'server', { limit: 30, filters: { agent: 'two' } }).candidates;
    expect(ofAgent.map(({ seq }) => Math.ceil(seq / perConversation) % 2)).toEqual(Array(30).fill(0));
    expect(seqs('数据', { limit: 3, filters: { role: 'assistant' } })).toEqual([12_000, 11_995, 11_990]);
    expect(seqs('数据', { limit: 3, filters: { until: 9000 } })).toEqual([8999, 8998, 8997]);
    expect(seqs('"server"', { limit: 2, filters: { project: 'small' } })).toEqual([180, 178]);
  });

  it('and a question of many words come back in bounded time', () => {
    const question = `${'server parser 数据 '.repeat(20)} ${Array.from({ length: 40 }, (_, i) => `nothing${i}`).join(' ')}`;
    const started = performance.now();
    for (let i = 0; i < 5; i++) searchLexical(database, question);
    expect((performance.now() - started) / 5).toBeLessThan(500);
  });
});
