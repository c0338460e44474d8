// Who speaks next. Members that a member of round n addresses speak in round n + 1; in one round nobody speaks twice, so that a round
// ends however members address each other, and rounds are counted.

export interface QueuedMember {
  id: string;
  /** Counted from 1, from the last word of a human on. */
  round: number;
}

export class RoutingQueue {
  #waiting: QueuedMember[] = [];
  /** Who was queued in which round, so that a loop cannot make a round endless. */
  #seen = new Set<string>();

  get waiting(): readonly QueuedMember[] {
    return this.#waiting;
  }

  get next(): QueuedMember | undefined {
    return this.#waiting[0];
  }

  /** Adds members behind those that wait. Returns the ids that had their place in this round already. */
  add(ids: readonly string[], round: number): string[] {
    const repeated: string[] = [];
    for (const id of ids) {
      const place = `${round} ${id}`;
      if (this.#seen.has(place)) repeated.push(id);
      else {
        this.#seen.add(place);
        this.#waiting.push({ id, round });
      }
    }
    return repeated;
  }

  take(): QueuedMember | undefined {
    return this.#waiting.shift();
  }

  clear(): void {
    this.#waiting = [];
    this.#seen.clear();
  }

  /** A human spoke: those who still wait do so in the first round again. */
  restart(): void {
    const ids = this.#waiting.map(({ id }) => id);
    this.clear();
    this.add(ids, 1);
  }
}
