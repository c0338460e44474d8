// Reading a reviewer's verdict.
import { describe, expect, it } from 'vitest';
import { readVerdict } from './review-verdict.ts';

describe('the verdict of a review', () => {
  it.each([
    ['Looks right.\n\nVERDICT: ACCEPT', { outcome: 'accepted', text: 'Looks right.' }],
    ['VERDICT: ACCEPT', { outcome: 'accepted', text: '' }],
    ['1. a.ts:3 off by one\n**VERDICT: CHANGES**\n', { outcome: 'changes', text: '1. a.ts:3 off by one' }],
    ['第三行差一。\nVerdict：changes', { outcome: 'changes', text: '第三行差一。' }],
  ])('is the last line: %j', (answer, verdict) => {
    expect(readVerdict(answer)).toEqual(verdict);
  });

  it.each([
    '',
    'Fine by me.',
    'VERDICT: ACCEPT\nbut look at b.ts',
    'VERDICT: maybe',
    'I would say VERDICT: ACCEPT if it had tests',
  ])('is unclear where no such line ends the answer: %j', (answer) => {
    expect(readVerdict(answer)).toEqual({ outcome: 'unclear', text: answer.trim() });
  });
});
