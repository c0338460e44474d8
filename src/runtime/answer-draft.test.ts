import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { processorTimeOf } from '../../test/support/processor-time.ts';
import { AnswerDraft } from './answer-draft.ts';

function createDraft(save?: (text: string) => Promise<void>) {
  const saved: string[] = [];
  const told: number[] = [];
  const draft = new AnswerDraft({
    save: async (text) => {
      await save?.(text);
      saved.push(text);
    },
    onSaved: (characters) => told.push(characters),
  });
  return { draft, saved, told };
}

describe('AnswerDraft', () => {
  it('holds a word back until its end is known, since it may be a secret', async () => {
    const { draft, saved, told } = createDraft();
    draft.push('The key is sk-live_01');
    await expect.poll(() => saved).toEqual(['The key is ']);
    draft.push('23456789 and that is all');
    await expect.poll(() => saved.at(-1)).toBe('The key is sk-live_0123456789 and that is ');
    expect(told).toEqual(saved.map((text) => text.length));
    await draft.end();
  });

  it('saves Chinese, which has no gaps between words, as it comes', async () => {
    const { draft, saved } = createDraft();
    draft.push('已经规划好路径');
    await expect.poll(() => saved).toEqual(['已经规划好路径']);
    await draft.end();
  });

  it('writes one at a time, and nothing after its end', async () => {
    let writing = 0;
    let most = 0;
    const { draft, saved } = createDraft(async () => {
      writing += 1;
      most = Math.max(most, writing);
      await sleep(5);
      writing -= 1;
    });
    for (let i = 0; i < 40; i++) {
      draft.push(`piece ${i} `);
      await sleep(5);
    }
    await draft.end();
    const count = saved.length;
    expect(most).toBe(1);
    expect(count).toBeGreaterThan(1);
    draft.push('too late ');
    await sleep(150);
    expect(saved).toHaveLength(count);
  });

  it('throws at the next piece what kept an earlier one from being saved', async () => {
    const { draft } = createDraft(() => Promise.reject(new Error('the disk is full')));
    draft.push('one two ');
    const push = () => {
      try {
        draft.push('three ');
      } catch (error) {
        return error;
      }
    };
    await expect.poll(push).toEqual(new Error('the disk is full'));
    await draft.end();
  });

  it('looks at the end of a long text only', async () => {
    const { draft, saved } = createDraft();
    draft.push(`start ${'A'.repeat(20_000_000)}`);
    const taken = await processorTimeOf(async () => expect.poll(() => saved.length, { interval: 1 }).toBe(1));
    expect(taken).toBeLessThan(1500);
    await draft.end();
  });
});
