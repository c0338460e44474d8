// Reading: what must not grow with the length of the history, and what a whole load costs over bare parsing.
import { join } from 'node:path';
import { openStore } from '../src/open-store.ts';
import type { ConversationStore } from '../src/store/conversation-store.ts';
import { fill, makeEnglishText, makeText, withFolder } from './material.ts';
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

    const loads = { english: await compareLoad(store, makeEnglishText), mixed: await compareLoad(store, makeText) };
    await store.close();
    return [
      {
        name: 'tail of 20 from 1,000,000 entries, times from 1,000',
        value: tails.large / tails.small,
        bound: { kind: 'at most', value: 2 },
        detail: `${time(tails.large)} against ${time(tails.small)}`,
      },
      {
        name: 'load of 1,000 English messages, times JSON.parse',
        value: loads.english.load / loads.english.parse,
        bound: { kind: 'at most', value: 4 },
        detail: `${time(loads.english.load)} against ${time(loads.english.parse)}`,
      },
      {
        // Text that is not ASCII has to be decoded first, wherever it comes from; V8 takes longer for that than for parsing.
        name: 'load of 1,000 Chinese and English, times JSON.parse of bytes',
        value: loads.mixed.load / loads.mixed.decode,
        bound: { kind: 'at most', value: 4 },
        detail: `${time(loads.mixed.load)} against ${time(loads.mixed.decode)}; ${time(loads.mixed.parse)} once decoded`,
      },
    ];
  });
}

async function compareLoad(store: ConversationStore, text: (number: number) => string) {
  const { id } = await store.create();
  await store.append(
    id,
    Array.from({ length: 1000 }, (_, i) => ({ kind: 'message', role: i % 2 ? 'assistant' : 'user', text: text(i) })),
  );
  // Behind others, so that it is read the way settled conversations are.
  await fill(store, (await store.create()).id, 3000);
  const json = JSON.stringify((await store.read(id, { limit: 1000 })).items);
  const bytes = Buffer.from(json);
  const repeat = (work: () => unknown) => async (count: number) => {
    for (let i = 0; i < count; i++) await work();
  };
  return compare(
    {
      parse: repeat(() => JSON.parse(json)),
      decode: repeat(() => JSON.parse(bytes.toString('utf8'))),
      load: repeat(() => store.read(id, { limit: 1000 })),
    },
    { rounds: 40, warmup: 30, count: 5 },
  );
}
