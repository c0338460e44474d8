// A turn's own cost: what lies between a human's word and the model must not grow with the length of the conversation.
import { join } from 'node:path';
import { openStore } from '../src/open-store.ts';
import type { Conversation } from '../src/runtime/conversation.ts';
import { HistoryStore } from '../src/runtime/history/history-store.ts';
import { Session } from '../src/runtime/session.ts';
import { startModelServer } from '../test/support/model-server/model-server.ts';
import { fill, makeText, withFolder } from './material.ts';
import { compare, median } from './measure.ts';
import { type Figure, time } from './report.ts';

const [few, many] = [100, 100_000];
const window = { maxItems: 100, maxTokens: 100_000 };
const rounds = 60;
const warmup = 15;

export async function benchTurn(): Promise<Figure[]> {
  return [
    await compareViews(),
    await compareFirstByte('the same window of 100', window, 2),
    await compareFirstByte('default limits', {}),
  ];
}

async function compareViews(): Promise<Figure> {
  const [small, large] = [buildHistory(few), buildHistory(many)];
  let seen = 0;
  const job = (history: HistoryStore) => (count: number) => {
    for (let i = 0; i < count; i++) for (const item of history.buildView()) if (++seen && item) break;
  };
  const cost = await compare({ small: job(small), large: job(large) }, { rounds: 40, warmup: 20, count: 20_000 });
  return {
    name: 'prompt view over 100,000 entries, times over 100',
    value: cost.large / cost.small,
    bound: { kind: 'at most', value: 1.5 },
    detail: `${time(cost.large)} against ${time(cost.small)}, to the first entry`,
  };
}

function buildHistory(entries: number): HistoryStore {
  const history = new HistoryStore({ maxItems: entries, maxTokens: Number.MAX_SAFE_INTEGER });
  for (let i = 0; i < entries; i++) {
    history.append([{ item: { kind: 'message', role: i % 2 ? 'assistant' : 'user', text: makeText(i) }, seq: i + 1 }]);
  }
  return history;
}

/** From `message()` to the moment the model's server has the first byte, over real HTTP. */
async function compareFirstByte(what: string, history: Partial<typeof window>, bound?: number): Promise<Figure> {
  return withFolder(async (folder) => {
    const store = await openStore({ home: join(folder, 'home') });
    const server = await startModelServer([{ text: 'ok' }], { repeatLast: true });
    const session = Session.create({ store, model: server.modelFor('compatible'), history });
    const open = async (entries: number): Promise<Conversation> => {
      const { id } = await store.create();
      await fill(store, id, entries);
      return session.open({ resume: id });
    };
    const conversations = { small: await open(few), large: await open(many) };
    const waits = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < warmup + rounds; round++) {
      for (const name of ['small', 'large'] as const) {
        const said = performance.timeOrigin + performance.now();
        await conversations[name].message('and now?');
        const request = server.requests.pop();
        if (request && round >= warmup) waits[name].push((request.at - said) * 1000);
      }
    }
    await session.close();
    await server.close();
    await store.close();
    const [small, large] = [median(waits.small), median(waits.large)];
    return {
      name: `message() to first byte at 100,000, times at 100 (${what})`,
      value: large / small,
      ...(bound !== undefined && { bound: { kind: 'at most', value: bound } }),
      detail: `${time(large)} against ${time(small)}`,
    };
  });
}
