import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ConversationId, createConversationId, createSessionId } from '../model/id.ts';
import { EventBus, type EventSubscription } from './event-bus.ts';
import { EventRing } from './event-bus-ring.ts';
import { formatSubId, type RuntimeEvent } from './runtime-event.ts';

const sessionId = createSessionId(1);
const first = createConversationId(1);
const second = createConversationId(2);

describe('an event bus', () => {
  it('gives every subscriber every event in the order of publishing', async () => {
    const bus = createBus();
    const subscriptions = [bus.subscribe(), bus.subscribe({ whenFull: 'wait' })];
    for (let i = 0; i < 100; i++) expect(bus.publish(delta(i))).toBeUndefined();
    bus.close();
    for (const subscription of subscriptions) expect(await texts(subscription)).toEqual(numbers(0, 100));
  });

  it('gives a subscriber what is published after it came, also while it waits', async () => {
    const bus = createBus();
    void bus.publish(delta(0));
    const reading = texts(bus.subscribe());
    await nextTick();
    void bus.publish(delta(1));
    await nextTick();
    void bus.publish(delta(2));
    bus.close();
    expect(await reading).toEqual(['1', '2']);
  });

  it('gives a subscriber the events of its conversation, those its filter accepts, or those that fit both', async () => {
    const bus = createBus();
    const even = (event: RuntimeEvent) => event.type === 'text-delta' && Number(event.text) % 2 === 0;
    const ofFirst = bus.subscribe({ conversationId: first });
    const chosen = [bus.subscribe({ filter: even }), bus.subscribe({ filter: even })];
    const narrow = bus.subscribe({ conversationId: second, filter: even });
    for (let i = 0; i < 8; i++) void bus.publish(delta(i, i < 4 ? first : second));
    void bus.publish({ type: 'warning', at: 1, sessionId, code: 'x', message: 'belongs to no conversation' });
    bus.close();
    expect(await texts(ofFirst)).toEqual(['0', '1', '2', '3']);
    for (const each of chosen) expect(await texts(each)).toEqual(['0', '2', '4', '6']);
    expect(await texts(narrow)).toEqual(['4', '6']);
  });

  it('lets a filter close the subscription it belongs to', async () => {
    const bus = createBus();
    const subscription: EventSubscription = bus.subscribe({
      filter: () => {
        subscription.close();
        return true;
      },
    });
    void bus.publish(delta(1));
    void bus.publish(delta(2));
    expect(await collect(subscription)).toEqual([]);
  });

  it('ends subscribers after its close when they have read what there was, and takes nothing more', async () => {
    const bus = createBus();
    const subscription = bus.subscribe();
    void bus.publish(delta(1));
    bus.close();
    bus.close();
    expect(bus.publish(delta(2))).toBeUndefined();
    expect(await texts(subscription)).toEqual(['1']);
    expect(await texts(bus.subscribe())).toEqual([]);
    bus.listen(() => expect.unreachable());
    void bus.publish(delta(3));
  });

  it('refuses a capacity that holds nothing', () => {
    for (const capacity of [0, -1, 1.5, Number.NaN]) {
      expect(() => createBus().subscribe({ capacity })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
    }
  });
});

describe('a subscriber that may lose events', () => {
  it('keeps the newest, and is told once how many are missing', async () => {
    const bus = createBus();
    const subscription = bus.subscribe({ capacity: 4, conversationId: first });
    for (let i = 0; i < 10; i++) expect(bus.publish(delta(i))).toBeUndefined();
    bus.close();
    const dropped = { type: 'events-dropped', at: 7, sessionId, conversationId: first, count: 6 };
    expect(await collect(subscription)).toEqual([dropped, delta(6), delta(7), delta(8), delta(9)]);
  });

  it('does not disturb one beside it that has more room', async () => {
    const bus = createBus();
    const small = bus.subscribe({ capacity: 2 });
    const large = bus.subscribe({ capacity: 100 });
    for (let i = 0; i < 50; i++) void bus.publish(delta(i));
    bus.close();
    expect((await collect(small)).length).toBe(3);
    expect(await texts(large)).toEqual(numbers(0, 50));
  });

  it('still gets its own share when one with more room has left', async () => {
    const bus = createBus();
    const small = bus.subscribe({ capacity: 2 });
    const large = bus.subscribe({ capacity: 100 });
    for (let i = 0; i < 50; i++) void bus.publish(delta(i));
    large.close();
    for (let i = 50; i < 60; i++) void bus.publish(delta(i));
    bus.close();
    expect((await collect(small)).slice(1)).toEqual([delta(58), delta(59)]);
  });
});

describe('a subscriber that publishers wait for', () => {
  it('loses nothing, and a publisher goes on when there is room', async () => {
    const bus = createBus();
    const subscription = bus.subscribe({ capacity: 2, whenFull: 'wait' });
    const reader = subscription[Symbol.asyncIterator]();
    expect(bus.publish(delta(0))).toBeUndefined();
    expect(bus.publish(delta(1))).toBeUndefined();
    let published = false;
    const waiting = Promise.resolve(bus.publish(delta(2))).then(() => {
      published = true;
    });
    await sleep(5);
    expect(published).toBe(false);
    expect(await reader.next()).toEqual({ done: false, value: delta(0) });
    await waiting;
    bus.close();
    expect(await texts(subscription)).toEqual(['1', '2']);
  });

  it('is fed by a fast publisher at its own pace', async () => {
    const bus = createBus();
    const slow = (async () => {
      const seen: string[] = [];
      for await (const event of bus.subscribe({ capacity: 3, whenFull: 'wait' })) {
        if (seen.length % 10 === 0) await nextTick();
        if (event.type === 'text-delta') seen.push(event.text);
      }
      return seen;
    })();
    for (let i = 0; i < 500; i++) await bus.publish(delta(i));
    bus.close();
    expect(await slow).toEqual(numbers(0, 500));
  });

  it.each(['close', 'break', 'dispose'] as const)('frees waiting publishers by %s', async (way) => {
    const bus = createBus();
    const subscription = bus.subscribe({ capacity: 1, whenFull: 'wait' });
    void bus.publish(delta(0));
    const waiting = bus.publish(delta(1));
    expect(waiting).toBeInstanceOf(Promise);
    void bus.publish(delta(2));
    if (way === 'close') subscription.close();
    if (way === 'dispose') await subscription[Symbol.asyncDispose]();
    if (way === 'break') for await (const _ of subscription) break;
    await waiting;
    expect(bus.publish(delta(3))).toBeUndefined();
    expect(await collect(subscription)).toEqual([]);
  });

  it('frees waiting publishers when the bus closes', async () => {
    const bus = createBus();
    const subscription = bus.subscribe({ capacity: 1, whenFull: 'wait' });
    void bus.publish(delta(0));
    const waiting = bus.publish(delta(1));
    bus.close();
    await waiting;
    expect(await texts(subscription)).toEqual(['0', '1']);
  });

  it('waits for all that are full, in whichever choice of events they are', async () => {
    const bus = createBus();
    const narrow = bus.subscribe({ conversationId: first, capacity: 1, whenFull: 'wait' });
    const wide = bus.subscribe({ capacity: 1, whenFull: 'wait' });
    await bus.publish(delta(0));
    let done = false;
    const waiting = Promise.resolve(bus.publish(delta(1))).then(() => {
      done = true;
    });
    await narrow[Symbol.asyncIterator]().next();
    await nextTick();
    expect(done).toBe(false);
    await wide[Symbol.asyncIterator]().next();
    await waiting;
    bus.close();
  });

  it('that stands still for too long loses events from then on, and is told', async () => {
    const waitFor = tellTheTime();
    const bus = createBus();
    const stuck = bus.subscribe({ capacity: 2, whenFull: 'wait', stallLimit: 20 });
    const healthy = texts(bus.subscribe({ capacity: 2, whenFull: 'wait' }));
    let published = 0;
    const publishing = (async () => {
      for (; published < 50; published++) await bus.publish(delta(published));
    })();
    await waitFor(19);
    expect(published).toBe(2);
    await waitFor(1);
    await publishing;
    bus.close();
    expect(await healthy).toEqual(numbers(0, 50));
    const dropped = { type: 'events-dropped', at: 7, sessionId, count: 48 };
    expect(await collect(stuck)).toEqual([dropped, delta(48), delta(49)]);
  });

  it('that reads slowly is not stuck', async () => {
    const waitFor = tellTheTime();
    const bus = createBus();
    const reading = (async () => {
      const seen: string[] = [];
      for await (const event of bus.subscribe({ capacity: 1, whenFull: 'wait', stallLimit: 60 })) {
        await new Promise((resolve) => setTimeout(resolve, 59));
        if (event.type === 'text-delta') seen.push(event.text);
      }
      return seen;
    })();
    const publishing = (async () => {
      for (let i = 0; i < 12; i++) await bus.publish(delta(i));
      bus.close();
    })();
    for (let i = 0; i < 13; i++) await waitFor(59);
    await publishing;
    expect(await reading).toEqual(numbers(0, 12));
  });

  it('loses events at twice its capacity if publishers do not wait', async () => {
    const bus = createBus();
    const subscription = bus.subscribe({ capacity: 10, whenFull: 'wait' });
    for (let i = 0; i < 1000; i++) void bus.publish(delta(i));
    bus.close();
    const seen = await collect(subscription);
    expect(seen.length).toBe(11);
    expect(seen[0]).toMatchObject({ type: 'events-dropped', count: 990 });
  });
});

it('whatever readers come, read, pause and leave: nothing is lost unseen, doubled or out of order', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant('publish' as const), count: fc.integer({ min: 1, max: 12 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({ act: fc.constant('read' as const), reader: fc.nat(5), count: fc.integer({ min: 1, max: 9 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ act: fc.constant('join' as const), wait: fc.boolean(), capacity: fc.integer({ min: 1, max: 8 }) }),
    },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('leave' as const), reader: fc.nat(5) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const bus = createBus();
      const readers = [new TestReader(bus, 0, true, 3), new TestReader(bus, 0, false, 3)];
      let published = 0;
      const publishing: unknown[] = [];
      for (const each of steps) {
        if (each.act === 'publish') for (let i = 0; i < each.count; i++) publishing.push(bus.publish(delta(published++)));
        else if (each.act === 'join') readers.push(new TestReader(bus, published, each.wait, each.capacity));
        else if (each.act === 'leave') readers[each.reader]?.leave();
        else await readers[each.reader]?.read(each.count, published);
      }
      bus.close();
      await Promise.all(publishing);
      for (const reader of readers) await reader.readToEnd(published);
    }),
    { numRuns: 150 },
  );
});

/** Checks each event against what must come next. */
class TestReader {
  readonly subscription: EventSubscription;
  readonly #reader: AsyncIterator<RuntimeEvent>;
  #next: number;
  #left = false;

  constructor(bus: EventBus, next: number, wait: boolean, capacity: number) {
    this.subscription = bus.subscribe({ whenFull: wait ? 'wait' : 'drop', capacity });
    this.#reader = this.subscription[Symbol.asyncIterator]();
    this.#next = next;
  }

  leave(): void {
    this.subscription.close();
    this.#left = true;
  }

  /** Reads so many more, of those that were published. */
  async read(count: number, published: number): Promise<void> {
    const target = Math.min(this.#next + count, published);
    while (!this.#left && this.#next < target) await this.#readOne();
  }

  /** Whoever did not leave accounts for everything. */
  async readToEnd(published: number): Promise<void> {
    while (await this.#readOne());
    if (!this.#left) expect(this.#next).toBe(published);
  }

  async #readOne(): Promise<boolean> {
    const { done, value } = await this.#reader.next();
    if (done) return false;
    if (value.type === 'events-dropped') this.#next += value.count;
    else expect(value).toEqual(delta(this.#next++));
    return true;
  }
}

describe('a listener', () => {
  it('is called while the event is published, for the events it chose, until it stops', () => {
    const bus = createBus();
    const heard: RuntimeEvent[] = [];
    const stop = bus.listen((event) => heard.push(event), { conversationId: first });
    void bus.publish(delta(1));
    void bus.publish(delta(2, second));
    expect(heard).toEqual([delta(1)]);
    stop();
    void bus.publish(delta(3));
    expect(heard).toEqual([delta(1)]);
  });

  it('that throws is told about once and disturbs nobody', async () => {
    const bus = createBus();
    const heard: RuntimeEvent[] = [];
    bus.listen(() => {
      throw new Error('broken');
    });
    bus.listen((event) => heard.push(event));
    const subscription = bus.subscribe();
    for (let i = 0; i < 3; i++) void bus.publish(delta(i));
    bus.close();
    const message = 'A listener for events failed: broken';
    const warning = { type: 'warning', at: 7, sessionId, code: 'listener-failed', message };
    expect(heard).toEqual([delta(0), warning, delta(1), delta(2)]);
    expect(await collect(subscription)).toEqual(heard);
  });

  it('that fails later, or a filter that throws, is told about too', async () => {
    const bus = createBus();
    const warnings: string[] = [];
    bus.listen((event) => event.type === 'warning' && warnings.push(event.message));
    bus.listen((async () => Promise.reject(new Error('late'))) as () => void);
    const broken = () => {
      throw new Error('no filter');
    };
    const filtered = bus.subscribe({ filter: broken });
    for (let i = 0; i < 3; i++) void bus.publish(delta(i));
    await nextTick();
    bus.close();
    expect(warnings).toEqual(['A listener for events failed: no filter', 'A listener for events failed: late']);
    expect(await collect(filtered)).toEqual([]);
  });

  it('hears what another listener publishes after the event that led to it', () => {
    const bus = createBus();
    const heard: RuntimeEvent[] = [];
    bus.listen((event) => {
      if (event.type === 'text-delta' && event.text === '0') void bus.publish(delta(1));
    });
    bus.listen((event) => heard.push(event));
    void bus.publish(delta(0));
    expect(heard).toEqual([delta(0), delta(1)]);
  });
});

describe('memory', () => {
  it('of an event goes when the last reader has read it or left', async () => {
    const bus = createBus();
    const quick = bus.subscribe()[Symbol.asyncIterator]();
    const lazy = bus.subscribe();
    let big: RuntimeEvent | undefined = { ...delta(0), type: 'text-delta', text: 'x' };
    const trace = new WeakRef(big);
    void bus.publish(big);
    big = undefined;
    await quick.next();
    await collectGarbage();
    expect(trace.deref()).toBeDefined();
    lazy.close();
    await collectGarbage();
    expect(trace.deref()).toBeUndefined();
    bus.close();
  });

  it('of a ring never exceeds what the readers still need, whatever they do', () => {
    const step = fc.oneof(fc.constant('push' as const), fc.nat(2), fc.constant('drop' as const));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const ring = new EventRing();
        const cursors = [0, 0, 0];
        for (const each of steps) {
          if (each === 'push') ring.push(delta(ring.end), cursors.length);
          else if (each === 'drop') {
            if (ring.length > 0) ring.dropOldest();
          } else {
            const cursor = Math.max(cursors[each] as number, ring.start);
            cursors[each] = cursor;
            if (cursor < ring.end) {
              expect(ring.read(cursor)).toEqual(delta(cursor));
              cursors[each] = cursor + 1;
            }
          }
          const needed = ring.end - Math.max(Math.min(...cursors), ring.start);
          expect(ring.length).toBeLessThanOrEqual(Math.max(needed, 0));
        }
      }),
      { numRuns: 200 },
    );
  });
});

it('an older consumer finds conversation and task in one name', () => {
  expect(formatSubId(first, 'tsk_1' as never)).toBe(`${first}/tsk_1`);
});

/** Timers go by a clock that only the test moves on, however busy the machine is. */
function tellTheTime(): (milliseconds: number) => Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => vi.advanceTimersByTimeAsync(milliseconds);
}

function createBus(): EventBus {
  return new EventBus({ sessionId, clock: () => 7 });
}

function delta(number: number, conversationId: ConversationId = first): RuntimeEvent {
  return { type: 'text-delta', at: 1, sessionId, conversationId, text: String(number) };
}

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => String(from + i));
}

async function collect(subscription: EventSubscription): Promise<RuntimeEvent[]> {
  const events: RuntimeEvent[] = [];
  for await (const event of subscription) events.push(event);
  return events;
}

async function texts(subscription: EventSubscription): Promise<string[]> {
  const events = await collect(subscription);
  return events.map((event) => (event.type === 'text-delta' ? event.text : event.type));
}

/** Waits until unreachable objects are really gone. */
async function collectGarbage(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const collectNow = runInNewContext('gc') as () => void;
  for (let i = 0; i < 5; i++) {
    await nextTick();
    collectNow();
  }
}
