import { expect, it } from 'vitest';
import { processorTime } from '../../../test/support/processor-time.ts';
import { placeTokens, tokenizeText } from './tokenize-text.ts';

it.each([
  ['用SQLite做导航', '用 sqlit sq lit 做导 导航 航'],
  ['openStore open_store OpenStore', 'openstor open stor openstor open stor openstor open stor'],
  ['HTTPServer2', 'httpserver2 http server 2'],
  ['E_CONN_42 ENOENT TS2345', 'econn42 conn 42 enoent ts2345 ts 2345'],
  ['src/recall/index-database.ts', 'src recall index databas ts'],
  ['ＡＰＩ ﾃﾞｰﾀ naïve Straße', 'api デー ータ タ naiv strass'],
  ['데이터', '데이 이터 터'],
  ['𠮷野家', '𠮷野 野家 家'],
  ['3f9a2b7c1d', '3f9a2b7c1d'],
  ['retries retry policies policy caching cached stopped classes', 'retry retry policy policy cach cach stop class'],
  ['C++, C# and c#d', 'c cpp c csharp and c d'],
  ['__ _ — …', ''],
])('makes of %j the tokens %j', (text, tokens) => {
  expect(tokenizeText(text).trim()).toBe(tokens);
});

it('cuts what is longer than any name', () => {
  const long = 'aGVsbG8gd29ybGQ'.repeat(40);
  expect(tokenizeText(long).trim()).toBe(long.slice(0, 48).toLowerCase());
});

it('tells where in the text as written a token stands', () => {
  const text = 'naïve ＡＰＩ openStores 数据库';
  const marked = placeTokens(text).map(({ token, start, end }) => [token, text.slice(start, end)]);
  expect(marked).toEqual([
    ['naiv', 'naïve'],
    ['api', 'ＡＰＩ'],
    ['openstor', 'openStores'],
    ['open', 'open'],
    ['stor', 'Stores'],
    ['数据', '数据'],
    ['据库', '据库'],
    ['库', '库'],
  ]);
});

it('takes time in proportion to the text, whatever it is', () => {
  for (const unit of ['a', '_', '数', 'aB', '1a', '\u0301', '𠮷', 'é ']) {
    const measure = (count: number) => {
      const text = unit.repeat(count);
      return processorTime(() => void tokenizeText(text));
    };
    measure(10_000);
    const small = Math.min(...[1, 2, 3].map(() => measure(10_000)));
    const large = Math.min(...[1, 2, 3].map(() => measure(100_000)));
    expect([unit, large < 40 * Math.max(small, 0.5)]).toEqual([unit, true]);
  }
});
