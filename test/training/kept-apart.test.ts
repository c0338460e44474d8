// What judges the bundled model was never taught to it: no query and no passage of the paraphrase test stands, or nearly stands, among
// the texts that were written for training.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = (path: string) => new URL(`../../${path}/`, import.meta.url);
const most = 0.6;

it('keeps the paraphrase test apart from the training texts', () => {
  const taught = readLines(folder('training/texts')).flatMap(({ en, zh }) => [...(en as string[]), ...(zh as string[])]);
  const holders = new Map<string, number[]>();
  const parts = taught.map(partsOf);
  for (const [i, each] of parts.entries()) for (const part of each) hold(holders, part, i);
  const asked = readLines(folder('bench/data/paraphrases')).flatMap(({ query, passage }) => [query as string, passage as string]);
  expect(asked.length).toBeGreaterThan(1000);
  const alike = asked.filter((text) => {
    const own = partsOf(text);
    const shared = new Map<number, number>();
    for (const part of own) for (const i of holders.get(part) ?? []) shared.set(i, (shared.get(i) ?? 0) + 1);
    return [...shared].some(([i, count]) => count / (own.size + (parts[i] as Set<string>).size - count) >= most);
  });
  expect(alike).toEqual([]);
});

/** Words, or pairs of characters where a text is Chinese. */
function partsOf(text: string): Set<string> {
  const plain = text.toLowerCase().replace(/\s+/g, ' ');
  if (/[a-z]{3}/.test(plain) && !/[\u4e00-\u9fff]{3}/.test(plain)) return new Set(plain.match(/[a-z0-9]+/g));
  return new Set([...plain].slice(1).map((second, i) => `${[...plain][i]}${second}`));
}

function readLines(from: URL): Record<string, unknown>[] {
  return readdirSync(from)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(new URL(name, from), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function hold(holders: Map<string, number[]>, part: string, i: number): void {
  const list = holders.get(part);
  if (list) list.push(i);
  else holders.set(part, [i]);
}
