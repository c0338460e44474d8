import { expect, it } from 'vitest';
import { resolveNames } from './resolve-names.ts';

const members = [
  { id: 'ana', name: 'Ana', displayName: '安娜' },
  { id: 'bob', name: 'Robert', displayName: 'Smith, Bob' },
  { id: 'carl', name: 'ana', displayName: 'Carl' },
];

it('finds members by id, name and display name, in any case and width', () => {
  expect(resolveNames(['ANA, robert', '安娜、ＣＡＲＬ'], members)).toEqual({ ids: ['ana', 'bob', 'carl'], unknown: [] });
});

it('takes a display name with a comma as a whole', () => {
  expect(resolveNames(['Smith, Bob'], members)).toEqual({ ids: ['bob'], unknown: [] });
});

it('passes over what nobody is called, and tells it once', () => {
  expect(resolveNames(['zoe, @bob, Zoe', 'zoe'], members)).toEqual({ ids: ['bob'], unknown: ['zoe', 'Zoe'] });
});
