// Limits are about ten times what a quiet machine needs, so that only a change of kind fails them.
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../test/support/processor-time.ts';
import hostileUnits from './corpus/hostile-units.json' with { type: 'json' };
import { createRedactor } from './redactor.ts';

const redactor = createRedactor();

describe('the time it takes to see that a text is clean', () => {
  const chat = `I think the problem comes from the order in which the two services start. When the worker comes up before the queue is
ready it gives up after three attempts, and nothing restarts it. You could raise the number of attempts, or let the queue announce
itself, which is what I would do. Shall I write that change, together with a test that starts them in the wrong order and shows what
happens to both of them?`;
  const method = (i: number) =>
    `export function read${i}(key: string, token: Token): string {\n  return parse(token, cache.get(key));\n}\n`;
  const code = Array.from({ length: 1000 }, (_, i) => method(i))
    .join('')
    .slice(0, 100_000);

  it('is a few microseconds for a chat message', () => {
    expect(chat.length).toBeGreaterThan(390);
    const thousand = fastest(20, () => {
      for (let i = 0; i < 1000; i++) redactor.redactText(chat);
    });
    expect(thousand / 1000).toBeLessThan(0.015);
  });

  it('is about a millisecond for 100 KB of code', () => {
    expect(fastest(20, () => redactor.redactText(code))).toBeLessThan(10);
  });
});

describe('hostile text', () => {
  it.each(hostileUnits.slice(0, 4))('of a megabyte is read in well under a second: %j', (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(fastest(2, () => redactor.redactText(text))).toBeLessThan(5000);
  });

  it.each(hostileUnits.slice(4))('costs no more than its length: %j', (unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    expect(fastest(2, () => redactor.redactText(text))).toBeLessThan(1500);
  });
});

function fastest(times: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    best = Math.min(best, processorTime(work));
  }
  return best;
}
