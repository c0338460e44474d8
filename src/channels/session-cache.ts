// Sessions in memory, least recently used first. Bounded by number and by approximate bytes.
// Invariant: a session that is busy or unsaved is never dropped; it is saved first, and stays where saving fails.
import type { KeyedSession } from './keyed-session.ts';

export interface CacheLimits {
  maxSessions: number;
  maxBytes: number;
}

interface Slot {
  session: KeyedSession;
  bytes: number;
  /** Saving it failed; tried again after it is used again. */
  isStuck: boolean;
}

export class SessionCache {
  readonly #limits: CacheLimits;
  readonly #onSaveFailed: (key: string, error: unknown) => void;
  readonly #slots = new Map<string, Slot>();
  #bytes = 0;

  constructor(limits: CacheLimits, onSaveFailed: (key: string, error: unknown) => void) {
    this.#limits = limits;
    this.#onSaveFailed = onSaveFailed;
  }

  get size(): number {
    return this.#slots.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  *sessions(): Iterable<KeyedSession> {
    for (const { session } of this.#slots.values()) yield session;
  }

  peek(key: string): KeyedSession | undefined {
    return this.#slots.get(key)?.session;
  }

  /** The session of the key, now the most recently used. */
  obtain(key: string, create: () => KeyedSession): KeyedSession {
    const known = this.#slots.get(key);
    if (!known) this.#makeRoom(1);
    const slot = known ?? { session: create(), bytes: 0, isStuck: false };
    slot.isStuck = false;
    this.#slots.delete(key);
    this.#slots.set(key, slot);
    return slot.session;
  }

  /** To be called when something was done with a session: weighs it again and makes room. */
  settle(session: KeyedSession): void {
    const slot = this.#slots.get(session.key);
    if (slot?.session === session) {
      this.#bytes += session.bytes - slot.bytes;
      slot.bytes = session.bytes;
      // Nothing is stored under the key, so there is nothing to remember.
      if (!session.session && !session.isBusy && !session.isUnsaved) this.drop(session);
    }
    this.#makeRoom();
  }

  /** Forgets the session unless it is busy or unsaved. */
  drop(session: KeyedSession): boolean {
    const slot = this.#slots.get(session.key);
    if (slot?.session !== session) return true;
    if (session.isBusy || session.isUnsaved) return false;
    this.#slots.delete(session.key);
    this.#bytes -= slot.bytes;
    return true;
  }

  /** Forgets sessions until so many more fit. */
  #makeRoom(wanted = 0): void {
    const { maxSessions, maxBytes } = this.#limits;
    for (const slot of this.#slots.values()) {
      const sessions = this.#slots.size + wanted;
      const isFull = sessions > maxSessions || (this.#bytes > maxBytes && sessions > 1);
      if (!isFull) return;
      if (slot.isStuck || slot.session.isBusy || this.drop(slot.session)) continue;
      void this.#saveAndDrop(slot);
    }
  }

  async #saveAndDrop(slot: Slot): Promise<void> {
    try {
      await slot.session.save();
    } catch (error) {
      slot.isStuck = slot.session.isUnsaved;
      this.#onSaveFailed(slot.session.key, error);
    }
    this.settle(slot.session);
  }
}
