import { describe, expect, it } from 'vitest';
import { createConversationId } from '../../model/id.ts';
import { buildQuery } from '../tokens/build-query.ts';
import type { Candidate } from './fuse.ts';
import { isNearEnough, saysSomething } from './threshold.ts';

const id = createConversationId(0);
const candidate = (more: Partial<Candidate>): Candidate => ({
  document: 1,
  conversationId: id,
  holderId: id,
  seq: 1,
  at: 0,
  role: 'user',
  project: undefined,
  ...more,
});

describe('isNearEnough', () => {
  const several = buildQuery('how long should the egg boil');
  const isNear = (coverage: number, terms: string[], likeness?: number, query = several) =>
    isNearEnough(
      candidate({ lexical: { score: 1, coverage, terms, around: [] }, ...(likeness !== undefined && { likeness }) }),
      query,
    );

  it('wants a share of the question, more of it where only one word of several is there', () => {
    expect(isNear(0.25, ['egg', 'boil'])).toBe(true);
    expect(isNear(0.24, ['egg', 'boil'])).toBe(false);
    expect(isNear(0.39, ['long'])).toBe(false);
    expect(isNear(0.4, ['long'])).toBe(true);
    expect(isNear(0.25, ['鸡蛋'], undefined, buildQuery('鸡蛋要煮多久'))).toBe(true);
    expect(isNear(0.25, ['egg'], undefined, buildQuery('boil egg'))).toBe(true);
  });

  it('or nearly the same meaning, or a good part of both', () => {
    expect(isNearEnough(candidate({ likeness: 0.4 }), several)).toBe(true);
    expect(isNearEnough(candidate({ likeness: 0.39 }), several)).toBe(false);
    expect(isNear(0.2, ['egg', 'boil'], 0.3)).toBe(true);
    expect(isNear(0.2, ['egg', 'boil'], 0.2)).toBe(false);
    expect(isNearEnough(candidate({}), several)).toBe(false);
  });
});

describe('saysSomething', () => {
  it.each(['the', 'what about it', '的', '什么', '为什么呢', 'continue', '继续刚才的任务', 'hello', '', '?!', '👍'])(
    '%j says nothing',
    (text) => expect(saysSomething(text, buildQuery(text))).toBe(false),
  );

  it.each([
    'walrus',
    '导航',
    'C++',
    'continue the migration',
    '继续数据库迁移',
    '"to be or not to be"',
    '“什么”',
    '税',
    'v2',
    '404',
    '任务',
    'session',
  ])('%j says something', (text) => expect(saysSomething(text, buildQuery(text))).toBe(true));
});
