import { expect, it } from 'vitest';
import { PairKeeper } from './pair-keeper.ts';

it('holds half an emoji back until the other half comes', () => {
  const keeper = new PairKeeper();
  expect(['a\ud83c', '', '\udfbcb', 'c\ud83c'].map((delta) => keeper.take(delta))).toEqual(['a', '', '🎼b', 'c']);
});
