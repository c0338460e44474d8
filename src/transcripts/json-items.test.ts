import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../test/support/seeded-random.ts';
import { type JsonItem, JsonItems, type JsonItemsOptions, parseItem } from './json-items.ts';

function cut(text: string, options: Partial<JsonItemsOptions> = {}, size = text.length + 1) {
  const bytes = Buffer.from(text);
  const items = new JsonItems({ places: [[]], mostBytes: 1_000_000, ...options });
  const found: JsonItem[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...items.push(bytes.subarray(at, at + size)));
  found.push(...items.finish());
  for (const { start, end, bytes: own } of found) if (own) expect(bytes.subarray(start, end)).toEqual(own);
  return { values: found.map((item) => (item.bytes ? parseItem(item) : 'too long')), rest: items.rest, isWhole: items.isWhole };
}

describe('a list', () => {
  it('is cut into its elements, wherever the pieces end', () => {
    const list = [
      { a: ['}', ']', '"', '\\', '\\"'], b: { c: [] } },
      'a, "b]',
      12.5,
      -1e9,
      true,
      null,
      [],
      {},
      [[1], [2, [3]]],
      '中文🙂',
    ];
    for (const text of [JSON.stringify(list), JSON.stringify(list, null, 2), `\ufeff \n${JSON.stringify(list)} \n`])
      for (const size of [1, 2, 3, 7, 64, 4096]) expect(cut(text, {}, size)).toMatchObject({ values: list, isWhole: true });
  });

  it('in an object leaves the rest of the object', () => {
    const document = {
      version: '1',
      context: { task: 'x', messages: [{ messages: [1] }, 2], more: [3] },
      messages: [4],
      end: { context: 5 },
    };
    for (const size of [1, 5, 1000]) {
      const { values, rest, isWhole } = cut(JSON.stringify(document), { places: [['context', 'messages']] }, size);
      expect({ values, isWhole }).toEqual({ values: [{ messages: [1] }, 2], isWhole: true });
      expect(JSON.parse(rest ?? '')).toEqual({ ...document, context: { ...document.context, messages: [] } });
    }
  });

  it('may be one value or one to a line', () => {
    expect(cut('{"a":1}', { takesValues: true }).values).toEqual([{ a: 1 }]);
    expect(cut('{"a":1}\n{"b":[2]}\n\n3', { takesValues: true }, 2).values).toEqual([{ a: 1 }, { b: [2] }, 3]);
    expect(cut('[{"a":1}]', { takesValues: true }).values).toEqual([{ a: 1 }]);
  });

  it('never holds an element above the limit', () => {
    const long = 'x'.repeat(5000);
    for (const size of [10, 900, 100_000])
      expect(cut(JSON.stringify([1, { long }, 2, long, 3]), { mostBytes: 1000 }, size).values).toEqual([
        1,
        'too long',
        2,
        'too long',
        3,
      ]);
    expect(cut(JSON.stringify({ long, list: [1] }), { places: [['list']], mostBytes: 1000 })).toMatchObject({
      values: [1],
      rest: undefined,
    });
  });

  it('that ends in the middle gives what was complete', () => {
    const list = [{ a: 1 }, 'two', 3, [4], { b: '}' }];
    const text = JSON.stringify(list);
    for (let at = 0; at < text.length; at += 1) {
      const { values, isWhole } = cut(text.slice(0, at));
      expect(values).toEqual(list.slice(0, values.length));
      expect(isWhole).toBe(false);
    }
  });
});

it('anything at all is gone through to its end', () => {
  const random = createSeededRandom(11);
  const signs = ['{', '}', '[', ']', '"', '\\', ',', ':', ' ', '\n', '1', 'a', '\u0000', '中', 'messages', '"messages":['];
  for (let round = 0; round < 3000; round += 1) {
    const text = Array.from({ length: 1 + (round % 40) }, () => random.pick(signs)).join('');
    const takesValues = random.chance(0.5);
    const places = random.pick<string[][]>([[[]], [['messages']], [[], ['a', 'messages']]]);
    const whole = cut(text, { places, takesValues });
    expect(cut(text, { places, takesValues }, 1)).toEqual(whole);
  }
});
