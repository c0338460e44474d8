import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json.ts';
import { requireToolInput } from './tool-input.ts';

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string', pattern: '(a+)+$' },
    count: { type: 'integer' },
    tags: { type: ['array', 'null'] },
    odd: { type: 'future' },
    any: true,
  },
  required: ['title'],
};

describe('the input of a tool', () => {
  it.each<[JsonValue]>([
    [{ title: 'x' }],
    [{ title: 'x', count: 3, tags: null, odd: 1, any: {}, unknown: 'left to the server' }],
    // A pattern is not tried: this one would take years.
    [{ title: `${'a'.repeat(60)}!` }],
  ])('is accepted: %j', (input) => {
    expect(requireToolInput('make', schema, input)).toBe(input);
  });

  it.each<[JsonValue, string]>([
    ['text', 'it must be an object'],
    [[], 'it must be an object'],
    [null, 'it must be an object'],
    [{}, '"title" is missing'],
    [{ title: 5 }, '"title" must be of type string'],
    [{ title: 'x', count: 1.5 }, '"count" must be of type integer'],
    [{ title: 'x', tags: 'a' }, '"tags" must be of type array or null'],
  ])('is refused: %j', (input, reason) => {
    expect(() => requireToolInput('make', schema, input)).toThrow(
      expect.objectContaining({ code: 'invalid-input', details: { what: 'input of make', reason } }),
    );
  });
});
