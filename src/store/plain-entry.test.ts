import { describe, expect, it } from 'vitest';
import { type NewEntry, newEntrySchema } from '../model/entry.ts';
import { isPlainEntry } from './plain-entry.ts';

const usual: Record<string, unknown>[] = [
  { kind: 'message', role: 'user', text: 'hello' },
  {
    kind: 'message',
    role: 'assistant',
    text: '',
    at: 0,
    turnId: 't',
    model: 'm',
    usage: { inputTokens: 1, outputTokens: 0, cachedTokens: 2 },
    meta: { foreignId: 'a', deep: [{ list: [null, true, 1.5] }] },
  },
  { kind: 'thinking', text: 'hm', model: 'm', at: 8_640_000_000_000_000, meta: {} },
  { kind: 'tool-call', callId: 'c', tool: 'read', input: { path: 'a' }, turnId: 't' },
  { kind: 'tool-call', callId: 'c', tool: 'read', input: null },
  { kind: 'tool-result', callId: 'c', text: 'done', tool: 'read', at: 1 },
];

const odd: unknown[] = [
  undefined,
  null,
  '',
  'system',
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  8_640_000_000_000_001,
  2 ** 53,
  10n,
  true,
  [],
  {},
  new Date(0),
  new Map(),
  () => 1,
  Symbol('s'),
  { inputTokens: -1 },
  { inputTokens: 1, more: 2 },
  { inputTokens: undefined },
  { nested: { value: Number.NaN } },
  { nested: undefined },
];

const names = [
  'kind',
  'role',
  'text',
  'at',
  'turnId',
  'model',
  'usage',
  'meta',
  'callId',
  'tool',
  'input',
  'output',
  'failed',
  'x',
];

describe('an entry that is called plain', () => {
  it.each(usual)('is what agents say: %j', (entry) => {
    expect(isPlainEntry(entry as NewEntry)).toBe(true);
  });

  it('is one that the schema gives back as it is, whatever stands in its fields', () => {
    const wrong: unknown[] = [];
    let plain = 0;
    for (const entry of usual) {
      for (const name of names) {
        for (const value of odd) {
          const changed = { ...entry, [name]: value };
          if (!isPlainEntry(changed as unknown as NewEntry)) continue;
          plain += 1;
          const result = newEntrySchema.safeParse(changed);
          if (!result.success) wrong.push(changed);
          else expect(result.data).toStrictEqual(changed);
        }
        const { [name]: _left, ...without } = entry;
        if (isPlainEntry(without as unknown as NewEntry)) expect(newEntrySchema.parse(without)).toStrictEqual(without);
      }
    }
    expect(wrong).toEqual([]);
    expect(plain).toBeGreaterThan(50);
  });

  it.each([undefined, null, 1, 'text', [], {}, Object.create({ kind: 'message', role: 'user', text: 'inherited', x: 1 })])(
    'is not %j',
    (value) => {
      expect(isPlainEntry(value as NewEntry)).toBe(false);
    },
  );
});
