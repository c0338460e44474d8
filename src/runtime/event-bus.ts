// Carries a session's events from those who publish to those who read, in order. It knows events only: no conversation is kept
// alive by it. A reader chooses what happens when it falls behind: it loses the oldest events and is told so, or publishers wait.
// Invariant: memory is bounded by the capacities chosen, and no reader can hold a publisher longer than its stall limit.
import { type Clock, systemClock } from '../base/clock.ts';
import { ContinuoError } from '../model/error.ts';
import type { ConversationId, SessionId } from '../model/id.ts';
import { EventChannel, type EventSubscription } from './event-bus-channel.ts';
import type { RuntimeEvent } from './runtime-event.ts';

export type { EventSubscription };

const defaultCapacity = 1024;
const defaultStallLimit = 30_000;

export type EventFilter = (event: RuntimeEvent) => boolean;
export type EventListener = (event: RuntimeEvent) => void;

export interface EventBusOptions {
  sessionId: SessionId;
  clock?: Clock;
}

/** Which events: those of one conversation, those a filter accepts, both, or all. */
export interface EventChoice {
  conversationId?: ConversationId;
  filter?: EventFilter;
}

export interface SubscribeOptions extends EventChoice {
  /** How many unread events are kept for this subscriber. Default 1024. */
  capacity?: number;
  /** Beyond that: lose the oldest and get one `events-dropped` (default), or let publishers wait. */
  whenFull?: 'drop' | 'wait';
  /** Milliseconds after which a full subscriber that reads nothing is switched to `drop`. Default 30 seconds. */
  stallLimit?: number;
}

export class EventBus {
  readonly #sessionId: SessionId;
  readonly #clock: Clock;
  #all: EventChannel | undefined;
  readonly #conversations = new Map<ConversationId, EventChannel>();
  readonly #filters = new Map<EventFilter, EventChannel>();
  readonly #listeners = new Map<EventListener, EventChoice>();
  readonly #reported = new WeakSet<object>();
  #undelivered: RuntimeEvent[] | undefined;
  #closed = false;

  constructor(options: EventBusOptions) {
    this.#sessionId = options.sessionId;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Hands the event to everybody who chose it. Returns a promise where a `wait` subscriber is full, which resolves when there is
   * room: await it. The event itself has been taken either way, so events keep the order of the calls.
   */
  publish(event: RuntimeEvent): void | Promise<void> {
    if (this.#closed) return;
    let room = this.#all?.push(event);
    if (this.#conversations.size > 0 && event.conversationId !== undefined) {
      room = both(room, this.#conversations.get(event.conversationId)?.push(event));
    }
    for (const [filter, channel] of this.#filters) {
      if (this.#accepts(filter, event)) room = both(room, channel.push(event));
    }
    if (this.#listeners.size > 0) this.#tellListeners(event);
    return room;
  }

  /** Events published from now on. On a closed bus there are none. */
  subscribe(options: SubscribeOptions = {}): EventSubscription {
    const { capacity = defaultCapacity, stallLimit = defaultStallLimit, whenFull = 'drop', conversationId } = options;
    if (!Number.isSafeInteger(capacity) || capacity < 1) {
      throw new ContinuoError('invalid-input', { what: 'capacity', reason: 'it must be a whole number above 0' });
    }
    const buildDropped = (count: number): RuntimeEvent => {
      const event: RuntimeEvent = { type: 'events-dropped', at: this.#clock(), sessionId: this.#sessionId, count };
      if (conversationId !== undefined) event.conversationId = conversationId;
      return event;
    };
    return this.#channelFor(options).open({ capacity, whenFull, stallLimit, buildDropped });
  }

  /**
   * Calls back while the event is being published: for listeners that are quick and cannot wait. What a listener throws is told in
   * one `warning` event and disturbs nobody else. Returns the way to stop.
   */
  listen(callback: EventListener, choice: EventChoice = {}): () => void {
    const listener: EventListener = (event) => callback(event);
    if (!this.#closed) this.#listeners.set(listener, choice);
    return () => this.#listeners.delete(listener);
  }

  /** No more events: subscribers end when they have read what was published, publishers wait no longer. Safe to call twice. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#listeners.clear();
    for (const channel of [this.#all, ...this.#conversations.values(), ...this.#filters.values()]) channel?.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  #channelFor({ conversationId, filter }: EventChoice): EventChannel {
    if (this.#closed) return endedChannel();
    if (filter && conversationId !== undefined) {
      return openIn(this.#filters, (event) => event.conversationId === conversationId && filter(event));
    }
    if (filter) return openIn(this.#filters, filter);
    if (conversationId !== undefined) return openIn(this.#conversations, conversationId);
    this.#all ??= new EventChannel(() => {
      this.#all = undefined;
    });
    return this.#all;
  }

  /** Listeners see events in order too: what one of them publishes is told when all have heard the present event. */
  #tellListeners(event: RuntimeEvent): void {
    if (this.#undelivered) {
      this.#undelivered.push(event);
      return;
    }
    const queue = [event];
    this.#undelivered = queue;
    try {
      for (let next = queue.shift(); next; next = queue.shift()) {
        for (const [listener, choice] of this.#listeners) this.#tell(listener, choice, next);
      }
    } finally {
      this.#undelivered = undefined;
    }
  }

  #tell(listener: EventListener, { conversationId, filter }: EventChoice, event: RuntimeEvent): void {
    if (conversationId !== undefined && event.conversationId !== conversationId) return;
    if (filter && !this.#accepts(filter, event)) return;
    try {
      const result: unknown = listener(event);
      if (result instanceof Promise) result.catch((error: unknown) => this.#reportOnce(listener, error));
    } catch (error) {
      this.#reportOnce(listener, error);
    }
  }

  #accepts(filter: EventFilter, event: RuntimeEvent): boolean {
    try {
      return filter(event);
    } catch (error) {
      this.#reportOnce(filter, error);
      return false;
    }
  }

  #reportOnce(culprit: object, error: unknown): void {
    if (this.#reported.has(culprit)) return;
    this.#reported.add(culprit);
    const reason = error instanceof Error ? error.message : String(error);
    const message = `A listener for events failed: ${reason}`;
    void this.publish({ type: 'warning', at: this.#clock(), sessionId: this.#sessionId, code: 'listener-failed', message });
  }
}

function openIn<Key>(channels: Map<Key, EventChannel>, key: Key): EventChannel {
  let channel = channels.get(key);
  if (!channel) {
    channel = new EventChannel(() => channels.delete(key));
    channels.set(key, channel);
  }
  return channel;
}

function endedChannel(): EventChannel {
  const channel = new EventChannel(() => {});
  channel.end();
  return channel;
}

function both(first: Promise<void> | undefined, second: Promise<void> | undefined): Promise<void> | undefined {
  if (!first || !second) return first ?? second;
  return Promise.all([first, second]).then(() => {});
}
