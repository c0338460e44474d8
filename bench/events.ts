// Events: from one publisher to 1,000 subscribers. Reading at one's own pace must not cost much more than being called, a slow
// reader that publishers wait for must lose nothing, and readers that stand still must not fill the memory.
import { EventEmitter, on } from 'node:events';
import { setImmediate as nextTick } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createConversationId, createSessionId } from '../src/model/id.ts';
import { EventBus } from '../src/runtime/event-bus.ts';
import type { RuntimeEvent } from '../src/runtime/runtime-event.ts';
import { makeEnglishText } from './material.ts';
import { compare } from './measure.ts';
import { type Figure, time } from './report.ts';

const subscribers = 1000;
const capacity = 1024;
const sessionId = createSessionId(1);
const conversationId = createConversationId(1);

export async function benchEvents(): Promise<Figure[]> {
  return [...(await compareSpeed()), await countLost(), await measureKept()];
}

async function compareSpeed(): Promise<Figure[]> {
  const emitter = new EventEmitter().setMaxListeners(0);
  let heard = 0;
  for (let i = 0; i < subscribers; i++) emitter.on('event', () => (heard += 1));

  const called = new EventBus({ sessionId });
  for (let i = 0; i < subscribers; i++) called.listen(() => (heard += 1));

  const bus = new EventBus({ sessionId });
  const readers = startReaders(Array.from({ length: subscribers }, () => bus.subscribe({ capacity, whenFull: 'wait' })));

  const source = new EventEmitter().setMaxListeners(0);
  const others = startReaders(Array.from({ length: subscribers }, () => on(source, 'event', { close: ['close'] })));

  const silent = new EventBus({ sessionId });
  const costs = await compare(
    {
      emitter: (count) => {
        for (let i = 0; i < count; i++) emitter.emit('event', buildEvent(i));
      },
      listen: (count) => {
        for (let i = 0; i < count; i++) void called.publish(buildEvent(i));
      },
      read: async (count) => {
        for (let i = 0; i < count; i++) await bus.publish(buildEvent(i));
        await readers.caughtUp(count);
      },
      on: async (count) => {
        for (let i = 0; i < count; i++) source.emit('event', buildEvent(i));
        await others.caughtUp(count);
      },
      silent: (count) => {
        for (let i = 0; i < count; i++) void silent.publish(buildEvent(i));
      },
    },
    { rounds: 15, warmup: 5, count: { emitter: 2000, listen: 2000, read: 300, on: 300, silent: 100_000 } },
  );
  bus.close();
  source.emit('close');
  await Promise.all([readers.ended, others.ended]);
  if (heard === 0) throw new Error('no listener was called');
  return [
    {
      name: 'event to 1,000 listeners, times a bare EventEmitter',
      value: costs.listen / costs.emitter,
      bound: { kind: 'at most', value: 3 },
      detail: `${time(costs.listen)} against ${time(costs.emitter)}`,
    },
    {
      name: 'event read by 1,000 subscribers, times events.on',
      value: costs.read / costs.on,
      bound: { kind: 'at most', value: 1 },
      detail: `${time(costs.read)} against ${time(costs.on)}`,
    },
    {
      name: 'event read by 1,000 subscribers, times a bare EventEmitter',
      value: costs.read / costs.emitter,
      bound: { kind: 'at most', value: 30 },
      detail: `${time(costs.read)} against ${time(costs.emitter)}`,
    },
    {
      name: 'event that nobody reads, µs',
      value: costs.silent,
      bound: { kind: 'at most', value: 1 },
      detail: time(costs.silent),
    },
  ];
}

/** Every twentieth reader is slow; publishers wait for all of them. */
async function countLost(): Promise<Figure> {
  const events = 500;
  const bus = new EventBus({ sessionId });
  const seen = Array.from({ length: subscribers }, async (_, number) => {
    let count = 0;
    for await (const event of bus.subscribe({ capacity: 16, whenFull: 'wait' })) {
      if (number % 20 === 0 && count % 5 === 0) await nextTick();
      if (event.type === 'text-delta' && event.text === String(count)) count += 1;
    }
    return count;
  });
  for (let i = 0; i < events; i++) await bus.publish(buildEvent(i));
  bus.close();
  const lost = (await Promise.all(seen)).reduce((sum, count) => sum + events - count, 0);
  return {
    name: 'events lost by 1,000 subscribers that publishers wait for',
    value: lost,
    bound: { kind: 'at most', value: 0 },
    detail: `of ${(events * subscribers).toLocaleString('en')}, 50 subscribers slow`,
  };
}

/** A thousand readers that never read, a hundred thousand events. */
async function measureKept(): Promise<Figure> {
  const size = 1000;
  const bus = new EventBus({ sessionId });
  const stuck = Array.from({ length: subscribers }, () => bus.subscribe({ capacity }));
  const before = usedHeap();
  for (let i = 0; i < 100_000; i++) void bus.publish({ ...buildEvent(i), type: 'text-delta', text: makeEnglishText(i, size) });
  const kept = usedHeap() - before;
  const [first] = stuck;
  const { value } = (await first?.[Symbol.asyncIterator]().next()) ?? {};
  if (value?.type !== 'events-dropped' || value.count !== 100_000 - capacity) throw new Error('the loss was not told');
  for (const subscription of stuck) subscription.close();
  return {
    name: 'memory that 1,000 stuck subscribers hold, times one capacity',
    value: kept / (capacity * size),
    bound: { kind: 'at most', value: 3 },
    detail: `${Math.round(kept / 1000).toLocaleString('en')} kB after 100,000 events of ${size} characters`,
  };
}

function startReaders(subscriptions: AsyncIterable<unknown>[]) {
  let seen = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let reached = () => {};
  const ended = Promise.all(
    subscriptions.map(async (subscription) => {
      for await (const _ of subscription) {
        seen += 1;
        if (seen === wanted) reached();
      }
    }),
  );
  const caughtUp = (count: number) =>
    new Promise<void>((resolve) => {
      reached = () => {
        seen = 0;
        wanted = Number.POSITIVE_INFINITY;
        resolve();
      };
      wanted = count * subscriptions.length;
      if (seen === wanted) reached();
    });
  return { ended, caughtUp };
}

function buildEvent(number: number): RuntimeEvent {
  return { type: 'text-delta', at: number, sessionId, conversationId, text: String(number) };
}

function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
