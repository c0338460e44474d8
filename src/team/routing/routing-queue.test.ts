import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RoutingQueue } from './routing-queue.ts';

it('gives members in order, and in one round nobody twice', () => {
  const queue = new RoutingQueue();
  expect(queue.add(['a', 'b'], 1)).toEqual([]);
  expect(queue.take()).toEqual({ id: 'a', round: 1 });
  expect(queue.add(['b', 'a'], 2)).toEqual([]);
  expect(queue.add(['a', 'c'], 2)).toEqual(['a']);
  expect(queue.waiting.map(({ id, round }) => `${id}${round}`)).toEqual(['b1', 'b2', 'a2', 'c2']);
});

it('lets those who wait begin anew when a human has spoken', () => {
  const queue = new RoutingQueue();
  queue.add(['a'], 1);
  queue.add(['b', 'a'], 4);
  queue.restart();
  expect(queue.waiting).toEqual([
    { id: 'a', round: 1 },
    { id: 'b', round: 1 },
  ]);
});

it('comes to an end in every loop: at most every member once a round', () => {
  const ids = ['a', 'b', 'c', 'd'];
  fc.assert(
    fc.property(
      fc.array(fc.subarray(ids), { minLength: 1, maxLength: 50 }),
      fc.integer({ min: 1, max: 6 }),
      (answers, rounds) => {
        const queue = new RoutingQueue();
        queue.add(ids, 1);
        let turns = 0;
        while (queue.next && queue.next.round <= rounds) {
          const { round } = queue.take() as { round: number };
          queue.add(answers[turns % answers.length] as string[], round + 1);
          turns += 1;
        }
        expect(turns).toBeLessThanOrEqual(rounds * ids.length);
      },
    ),
  );
});
