// Subscribers that chose the same events share a channel: one ring, and a cursor each. Publishing costs the same for one reader and
// for a thousand; only a reader that must not lose anything and is behind makes a publisher wait.
// Invariant: a reader is never more than its capacity behind if it may lose events, and never more than twice that if it may not.
import { EventRing } from './event-bus-ring.ts';
import type { RuntimeEvent } from './runtime-event.ts';

/** What a subscriber gets. Ends after `close`, also that of the bus; leaving a `for await` loop closes it. */
export interface EventSubscription extends AsyncIterable<RuntimeEvent> {
  /** Events that were not read are given up, and publishers that waited for this subscriber go on. Safe to call twice. */
  close(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ReaderOptions {
  capacity: number;
  whenFull: 'drop' | 'wait';
  /** Milliseconds a full reader may stand still before it is made one that loses events. */
  stallLimit: number;
  /** The event that tells about a loss. */
  buildDropped: (count: number) => RuntimeEvent;
}

interface Signal {
  promise: Promise<void>;
  resolve: () => void;
}

export class EventChannel {
  readonly ring = new EventRing();
  readonly #readers = new Set<ChannelReader>();
  readonly #onEmpty: () => void;
  #limit = 0;
  /** No patient reader is full while the ring ends at or before this position. */
  #roomUntil = Number.POSITIVE_INFINITY;
  #full = 0;
  #more: Signal | undefined;
  #room: Signal | undefined;
  ended = false;

  /** Calls back when the last reader has left. */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  open(options: ReaderOptions): EventSubscription {
    const reader = new ChannelReader(this, options);
    this.#readers.add(reader);
    this.retune();
    return reader;
  }

  /** Takes the event at once. Returns a promise where a patient reader has no room for it: it resolves when there is room again. */
  push(event: RuntimeEvent): Promise<void> | undefined {
    // A filter may have closed the last subscription that uses it.
    if (this.#readers.size === 0) return undefined;
    while (this.ring.length >= this.#limit) this.ring.dropOldest();
    this.ring.push(event, this.#readers.size);
    this.wake();
    if (this.ring.end > this.#roomUntil || this.#full > 0) this.#measureRoom();
    if (this.#full === 0) return undefined;
    this.#room ??= createSignal();
    return this.#room.promise;
  }

  /** No more events come: readers end when they have read what there is, publishers wait no longer. */
  end(): void {
    this.ended = true;
    for (const reader of this.#readers) reader.settle();
    this.wake();
    this.#openRoom();
  }

  /** Resolves when there may be something to read. */
  more(): Promise<void> {
    this.#more ??= createSignal();
    return this.#more.promise;
  }

  wake(): void {
    const waiting = this.#more;
    this.#more = undefined;
    waiting?.resolve();
  }

  remove(reader: ChannelReader): void {
    if (!this.#readers.delete(reader)) return;
    this.retune();
    this.wake();
    if (this.#readers.size === 0) this.#onEmpty();
  }

  /** Works the limits out again after a reader came, left or changed its way. */
  retune(): void {
    this.#limit = 0;
    for (const reader of this.#readers) this.#limit = Math.max(this.#limit, reader.most);
    this.#measureRoom();
  }

  /** A reader became full, or has room again. */
  countFull(change: 1 | -1): void {
    this.#full += change;
    if (this.#full === 0) this.#openRoom();
  }

  /** A full reader has room again up to this position. */
  lowerRoom(position: number): void {
    this.#roomUntil = Math.min(this.#roomUntil, position);
  }

  #measureRoom(): void {
    this.#roomUntil = Number.POSITIVE_INFINITY;
    for (const reader of this.#readers) {
      if (reader.patient && !reader.noteLag()) this.lowerRoom(reader.roomUntil);
    }
  }

  #openRoom(): void {
    const waiting = this.#room;
    this.#room = undefined;
    waiting?.resolve();
  }
}

class ChannelReader implements EventSubscription, AsyncIterator<RuntimeEvent, undefined> {
  readonly #channel: EventChannel;
  readonly #options: ReaderOptions;
  #patient: boolean;
  #cursor: number;
  #missed = 0;
  #stall: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(channel: EventChannel, options: ReaderOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#patient = options.whenFull === 'wait';
    this.#cursor = channel.ring.end;
  }

  [Symbol.asyncIterator](): AsyncIterator<RuntimeEvent, undefined> {
    return this;
  }

  next(): Promise<IteratorResult<RuntimeEvent, undefined>> {
    const result = this.#result();
    return result ? Promise.resolve(result) : this.#wait();
  }

  return(): Promise<IteratorResult<RuntimeEvent, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#channel.ring.release(this.#cursor, this.#channel.ring.end);
    this.settle();
    this.#patient = false;
    this.#channel.remove(this);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  /** Whether publishers wait for it. */
  get patient(): boolean {
    return this.#patient;
  }

  /** How many unread events the ring may have to keep for it. */
  get most(): number {
    return this.#patient ? this.#options.capacity * 2 : this.#options.capacity;
  }

  get roomUntil(): number {
    return this.#cursor + this.#options.capacity;
  }

  /** Whether publishers have to wait for it (or had to, until now: publishers that do not wait make it lose events). */
  noteLag(): boolean {
    const { ring } = this.#channel;
    if (this.#channel.ended || ring.end <= this.roomUntil) return false;
    if (ring.end - this.#cursor > this.most) this.#giveUp();
    else if (!this.#stall) {
      this.#stall = setTimeout(() => this.#giveUp(), this.#options.stallLimit);
      this.#channel.countFull(1);
    }
    return true;
  }

  /** Publishers need not wait for it any longer. */
  settle(): void {
    if (!this.#stall) return;
    clearTimeout(this.#stall);
    this.#stall = undefined;
    this.#channel.countFull(-1);
  }

  async #wait(): Promise<IteratorResult<RuntimeEvent, undefined>> {
    for (;;) {
      await this.#channel.more();
      const result = this.#result();
      if (result) return result;
    }
  }

  #result(): IteratorResult<RuntimeEvent, undefined> | undefined {
    if (this.#closed) return { done: true, value: undefined };
    const event = this.#take();
    if (event) return { done: false, value: event };
    if (!this.#channel.ended) return undefined;
    this.close();
    return { done: true, value: undefined };
  }

  #take(): RuntimeEvent | undefined {
    const { ring } = this.#channel;
    if (!this.#patient) this.#skipTo(ring.end - this.#options.capacity);
    if (this.#missed > 0) {
      const count = this.#missed;
      this.#missed = 0;
      return this.#options.buildDropped(count);
    }
    if (this.#cursor === ring.end) return undefined;
    const event = ring.read(this.#cursor);
    this.#cursor += 1;
    if (this.#stall) this.#noteProgress();
    return event;
  }

  #noteProgress(): void {
    if (this.#channel.ring.end <= this.roomUntil) {
      this.#channel.lowerRoom(this.roomUntil);
      this.settle();
    } else this.#stall?.refresh();
  }

  #giveUp(): void {
    this.#patient = false;
    this.#skipTo(this.#channel.ring.end - this.#options.capacity);
    this.settle();
    this.#channel.retune();
  }

  #skipTo(position: number): void {
    if (position <= this.#cursor) return;
    this.#channel.ring.release(this.#cursor, position);
    this.#missed += position - this.#cursor;
    this.#cursor = position;
  }
}

function createSignal(): Signal {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
