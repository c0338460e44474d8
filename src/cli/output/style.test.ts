import { describe, expect, it } from 'vitest';
import { wantsColor } from './style.ts';

describe('colours', () => {
  const auto = { flag: undefined, setting: 'auto' } as const;
  it.each([
    ['a terminal gets them', auto, {}, true, true],
    ['a file does not', auto, {}, false, false],
    ['a dumb terminal does not', auto, { TERM: 'dumb' }, true, false],
    ['NO_COLOR turns them off', auto, { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR says nothing', auto, { NO_COLOR: '' }, true, true],
    ['FORCE_COLOR turns them on', auto, { FORCE_COLOR: '1' }, false, true],
    ['FORCE_COLOR=0 turns them off', auto, { FORCE_COLOR: '0' }, true, false],
    ['the setting counts where the environment says nothing', { flag: undefined, setting: 'always' }, {}, false, true],
    ['NO_COLOR wins over the setting', { flag: undefined, setting: 'always' }, { NO_COLOR: '1' }, true, false],
    ['a flag wins over everything', { flag: true, setting: 'never' }, { NO_COLOR: '1' }, false, true],
  ] as const)('%s', (_, choice, env, isTerminal, wanted) => {
    expect(wantsColor(choice, env, isTerminal)).toBe(wanted);
  });
});
