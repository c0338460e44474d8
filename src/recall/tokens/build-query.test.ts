import { expect, it } from 'vitest';
import { buildQuery } from './build-query.ts';

const matches = (question: string) => buildQuery(question).terms.map((term) => term.match);

it('asks for pairs, the phrase they make, and single characters by their beginning', () => {
  expect(matches('数据库')).toEqual(['"数据"', '"据库"', '"数据 据库"']);
  expect(matches('税')).toEqual(['"税"*']);
  expect(matches('缓存')).toEqual(['"缓存"']);
});

it('leaves out how something is asked, unless there is nothing else', () => {
  expect(matches('我们之前说过的缓存是什么？')).toEqual(['"缓存"']);
  expect(matches('what did we say about the retries?')).toEqual(['"retry"']);
  expect(matches('我们')).toEqual(['"我们"']);
  expect(matches('what about it')).toEqual(['"what"', '"about"', '"it"']);
});

it('asks for an identifier as a whole first, then for its parts, and for a path as a phrase', () => {
  expect(buildQuery('openStore').terms).toMatchObject([
    { kind: 'word', match: '"openstor"', weight: 1 },
    { kind: 'part', match: '"open"', partOf: '"openstor"' },
    { kind: 'part', match: '"stor"', partOf: '"openstor"' },
    { kind: 'phrase', match: '"open stor"', partOf: '"openstor"' },
  ]);
  expect(matches('src/index.ts')).toEqual(['"src"', '"index"', '"ts"', '"src index ts"']);
});

it('requires what was put in quotes, of every kind', () => {
  expect(buildQuery('"quick brown" fox')).toMatchObject({ match: '"quick brown"', matchAll: '"quick brown" AND "fox"' });
  expect(buildQuery('「数据库」').terms).toMatchObject([{ match: '"数据 据库"', isRequired: true }]);
  expect(buildQuery('“库”').terms).toMatchObject([{ match: '"库"*', isRequired: true }]);
});

it('lets nothing of a question be read as an operator', () => {
  expect(matches('a OR b NOT c* ^d NEAR(e, 2) tokens:f "')).toEqual([
    '"b"',
    '"c"',
    '"near"',
    '"e"',
    '"2"',
    '"token"',
    '"f"',
    '"token f"',
  ]);
  expect(buildQuery('').match).toBe('');
  expect(buildQuery('？！…').match).toBe('');
});

it('cuts a question that is too long', () => {
  const long = Array.from({ length: 5000 }, (_, i) => `word${i}x`).join(' ');
  expect(buildQuery(long).terms.length).toBe(32);
});
