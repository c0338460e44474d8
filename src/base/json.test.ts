import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findJsonFault } from './json.ts';

it('finds no fault with anything JSON can say', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(findJsonFault(value)).toBeUndefined();
    }),
  );
});

it('names what JSON cannot say', () => {
  expect(findJsonFault({ a: [Number.NaN] })).toBe('NaN is not a JSON number');
  expect(findJsonFault({ a: undefined })).toBe('undefined is not a JSON value');
  expect(findJsonFault([10n])).toBe('bigint is not a JSON value');
  expect(findJsonFault(new Date())).toBe('an instance of Date is not a JSON value');
});

it('gives up on what contains itself, however often, and on endless depth', () => {
  const one: Record<string, unknown> = {};
  Object.assign(one, { self: one, again: one, third: [one] });
  expect(findJsonFault(one)).toMatch(/contains itself/);
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(findJsonFault(deep)).toMatch(/nested deeper/);
  let wide: unknown = [1];
  for (let i = 0; i < 60; i++) wide = [wide, wide];
  expect(findJsonFault(wide)).toMatch(/more than/);
});
