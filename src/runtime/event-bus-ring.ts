// The events that somebody has still to read, each kept once however many readers it has. A slot counts its readers and lets go of
// the event with the last of them, so that what was read by all does not stay in memory. Positions count up and are never reused.
import type { RuntimeEvent } from './runtime-event.ts';

const firstSize = 16;

export class EventRing {
  #events: (RuntimeEvent | undefined)[] = new Array(firstSize).fill(undefined);
  #readers: number[] = new Array(firstSize).fill(0);
  #start = 0;
  #end = 0;

  /** Position of the oldest event that is kept. */
  get start(): number {
    return this.#start;
  }

  /** Position of the next event to come. */
  get end(): number {
    return this.#end;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  push(event: RuntimeEvent, readers: number): void {
    if (this.length === this.#events.length) this.#grow();
    const slot = this.#end & (this.#events.length - 1);
    this.#events[slot] = event;
    this.#readers[slot] = readers;
    this.#end += 1;
  }

  /** The event at the position, which one of its readers has now read. */
  read(position: number): RuntimeEvent {
    const event = this.#events[position & (this.#events.length - 1)] as RuntimeEvent;
    this.release(position, position + 1);
    return event;
  }

  /** One reader gives up its claim on the events of these positions; those that are no longer kept are passed over. */
  release(from: number, to: number): void {
    const mask = this.#events.length - 1;
    for (let position = Math.max(from, this.#start); position < to; position++) {
      const slot = position & mask;
      const left = (this.#readers[slot] as number) - 1;
      this.#readers[slot] = left;
      if (left === 0) this.#events[slot] = undefined;
    }
    while (this.#start < this.#end && this.#readers[this.#start & mask] === 0) this.#start += 1;
  }

  /** Lets go of the oldest event, read or not. */
  dropOldest(): void {
    const slot = this.#start & (this.#events.length - 1);
    this.#events[slot] = undefined;
    this.#readers[slot] = 0;
    this.#start += 1;
  }

  #grow(): void {
    const size = this.#events.length * 2;
    const events: (RuntimeEvent | undefined)[] = new Array(size).fill(undefined);
    const readers: number[] = new Array(size).fill(0);
    for (let position = this.#start; position < this.#end; position++) {
      const old = position & (this.#events.length - 1);
      events[position & (size - 1)] = this.#events[old];
      readers[position & (size - 1)] = this.#readers[old] as number;
    }
    this.#events = events;
    this.#readers = readers;
  }
}
