import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findJsonMistake } from './json-mistake.ts';

it.each([
  ['{\n "a": 1\n "b": 2\n}', 2, 'a comma or the closing } is missing'],
  ['[\n 1\n 2\n]', 2, 'a comma or the closing ] is missing'],
  ['{"a": [1}', 1, 'a comma or the closing ] is missing'],
  ['{\n "a": [\n  1,\n ]\n}', 3, 'there is a comma too many'],
  ['{\n "a": 1,\n}', 2, 'there is a comma too many'],
  ['{\n "a" 1\n}', 2, 'a colon is missing behind the name of a field'],
  ['{\n a: 1\n}', 2, 'the name of a field must be in double quotation marks'],
  ["{\n 'a': 1\n}", 2, 'the name of a field must be in double quotation marks'],
  ['{\n // why\n "a": 1\n}', 2, 'the name of a field must be in double quotation marks'],
  ['{\n "a": yes\n}', 2, 'this is no value; text must be in double quotation marks'],
  ['{\n "a": 01\n}', 2, 'this is no value; text must be in double quotation marks'],
  ['{\n "a":\n}', 3, 'this is no value; text must be in double quotation marks'],
  ['{\n "a": "b\n}', 2, 'the closing quotation mark is missing'],
  ['{\n "a": "\\x"\n}', 2, 'a backslash stands before something it does not go with'],
  ['{\n "a": "\t"\n}', 2, 'a control character is in a text'],
  ['{\n "a": [\n\n', 2, 'the file ends too early: a quotation mark or a bracket is not closed'],
  ['', 1, 'the file ends too early: a quotation mark or a bracket is not closed'],
  ['{}\n{}', 2, 'there is more behind the end'],
])('%j', (text, line, reason) => {
  const found = findJsonMistake(text);
  expect(found && { line: text.slice(0, found.offset).split('\n').length, reason: found.reason }).toEqual({ line, reason });
});

it('finds a mistake exactly where there is one', () => {
  const piece = fc.constantFrom(...'{}[]:,"\\ \n\t-0123.eE', 'true', 'null', '"a"', '"\\u00e4"', '1', 'x');
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.json(),
    fc.tuple(fc.json(), fc.nat(), piece).map(([json, at, more]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + more + json.slice(place);
    }),
  );
  const isJson = (given: string) => {
    try {
      JSON.parse(given);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(text, (given) => {
      expect(findJsonMistake(given) === undefined).toBe(isJson(given));
    }),
    { numRuns: 2000, seed: 5 },
  );
});

it('reads what is nested without end', () => {
  expect(findJsonMistake('['.repeat(1_000_000))).toMatchObject({ offset: 1_000_000 });
});
