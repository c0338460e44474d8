// Reading: what must not grow with the length of the history, and what a whole load costs over bare parsing.
import { join } from 'node:path';
import { openStore } from '../src/open-store.ts';
import { fill, withFolder } from './material.ts';
import { compare } from './measure.ts';
import { type Figure, time } from './report.ts';

export async function benchRead(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const store = await openStore({ home: join(folder, 'home') });
    const small = await store.create();
    const large = await store.create();
    await fill(store, small.id, 1000);
    await fill(store, large.id, 1_000_000);

    const tails = await compare(
      {
        small: async (count) => {
          for (let i = 0; i < count; i++) await store.tail(small.id, 20);
        },
        large: async (count) => {
          for (let i = 0; i < count; i++) await store.tail(large.id, 20);
        },
      },
      { rounds: 30, warmup: 20, count: 100 },
    );

    const whole = (await store.read(small.id, { limit: 1000 })).items;
    const json = JSON.stringify(whole.map((entry) => ({ ...entry })));
    const loads = await compare(
      {
        parse: (count) => {
          for (let i = 0; i < count; i++) JSON.parse(json);
        },
        load: async (count) => {
          for (let i = 0; i < count; i++) await store.read(small.id, { limit: 1000 });
        },
      },
      { rounds: 30, warmup: 20, count: 5 },
    );
    await store.close();
    return [
      {
        name: 'tail of 20 from 1,000,000 entries, times from 1,000',
        value: tails.large / tails.small,
        bound: { kind: 'at most', value: 2 },
        detail: `${time(tails.large)} against ${time(tails.small)}`,
      },
      {
        name: 'load of 1,000 messages, times JSON.parse of the same',
        value: loads.load / loads.parse,
        bound: { kind: 'at most', value: 4 },
        detail: `${time(loads.load)} against ${time(loads.parse)}`,
      },
    ];
  });
}
