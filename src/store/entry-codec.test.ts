import { expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { NewEntry } from '../model/entry.ts';
import { encodeEntry } from './entry-codec.ts';

// Drivers that write JSON among JSON rely on it: the store tells them that nobody has to look.
it.each<JsonObject>([
  { 10: 'b', 2: 'a', name: 'c' },
  JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'),
  { text: 'quote " backslash \\ line \n nul \u0000 separator \u2028', '\ud800 lone': '\udfff' },
  { numbers: [-0, 1e21, 1e-7, 0.1, 123_456_789_012_345_680], deep: [[[{}]]], empty: '' },
])('header and data come back letter for letter when they are parsed and written again: %j', (meta) => {
  const entry: NewEntry = { kind: 'message', role: 'user', text: '', author: { name: 'A "b" \ud83d' }, model: 'm\u2029', meta };
  const { header, data } = encodeEntry(entry, 1, 2, { kind: 'ttl', milliseconds: 5, afterwards: 'delete' });
  for (const json of [header, data as string]) expect(JSON.stringify(JSON.parse(json))).toBe(json);
});
