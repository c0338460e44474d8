import { describe, expect, it } from 'vitest';
import { createConversationId } from '../../model/id.ts';
import { type Candidate, fuse } from './fuse.ts';
import { recallWeights } from './weights.ts';

const now = Date.UTC(2026, 5, 1);
const conversationId = createConversationId(0);

function candidate(document: number, more: Partial<Candidate> = {}): Candidate {
  return { document, conversationId, holderId: conversationId, seq: document, at: 0, role: 'user', project: undefined, ...more };
}

const words = (score: number, coverage = 1, terms = ['walrus']) => ({ score, coverage, terms, around: [] });
const order = (candidates: Candidate[], more = {}) =>
  fuse(candidates, { now, hasSemantic: true, ...more }).map(({ candidate: { document } }) => document);

describe('fuse', () => {
  it('gives every part of the score, and they add up', () => {
    const [first, second] = fuse(
      [
        candidate(1, { lexical: words(4), likeness: 0.35, at: now, project: 'git:a' }),
        candidate(2, { lexical: words(2), role: 'tool', at: now - recallWeights.recencyHalfLife }),
      ],
      { now, hereProject: 'git:a', hasSemantic: true },
    );
    expect(first?.why).toEqual({
      lexical: 0.5,
      semantic: 0.25,
      likeness: 0.35,
      recency: 0.06,
      project: 0.06,
      role: 0,
      total: 0.87,
      terms: ['walrus'],
    });
    expect(second?.why).toEqual({ lexical: 0.25, recency: 0.03, project: 0, role: -0.1, total: 0.18, terms: ['walrus'] });
  });

  it('counts words in full where meaning was not asked', () => {
    const [only] = fuse([candidate(1, { lexical: words(7, 0.5) })], { now, hasSemantic: false });
    expect(only?.why).toMatchObject({ lexical: 0.5, total: 0.5 });
  });

  it('puts what both find before what one finds', () => {
    const both = candidate(1, { lexical: words(5), likeness: 0.6 });
    const byWords = candidate(2, { lexical: words(6) });
    const byMeaning = candidate(3, { likeness: 0.9 });
    expect(order([byMeaning, byWords, both])).toEqual([1, 3, 2]);
  });

  it('lets age and project decide between near equals, never against a much better one', () => {
    const old = candidate(1, { lexical: words(5) });
    const fresh = candidate(2, { lexical: words(5), at: now });
    const here = candidate(3, { lexical: words(4.9), project: 'git:a' });
    const weak = candidate(4, { lexical: words(2), at: now, project: 'git:a' });
    expect(order([old, weak, here, fresh], { hereProject: 'git:a' })).toEqual([2, 3, 1, 4]);
  });

  it('of equals takes the newest, then the one that was indexed last', () => {
    const at = now - 1000 * recallWeights.recencyHalfLife;
    expect(order([candidate(1, { at }), candidate(2, { at: at + 1 }), candidate(3, { at })])).toEqual([2, 3, 1]);
  });

  it('takes a moment in the future for now', () => {
    const [only] = fuse([candidate(1, { lexical: words(1), at: now * 2 })], { now, hasSemantic: false });
    expect(only?.why.recency).toBe(recallWeights.recency);
  });

  it('has nothing to say about nothing', () => {
    expect(order([])).toEqual([]);
  });
});
