// The calls of a conversation on their way out. Models' interfaces take an id once, and ids and names of letters, digits, `_` and `-` only;
// agents that talk to other models keep others. Results find their call by the id it had.
import { createHash } from 'node:crypto';

/** What every interface takes. */
const plainId = /^[A-Za-z0-9_-]{1,64}$/;
const digestLength = 24;

export class OutgoingCalls {
  readonly #used = new Set<string>();
  /** Ids as written, by the ids they had: the earliest call first, where several have the same. */
  readonly #open = new Map<string, string[]>();

  /** The id the call is written with. */
  open(callId: string): string {
    const id = this.#create(callId);
    this.#used.add(id);
    this.#open.set(callId, [...(this.#open.get(callId) ?? []), id]);
    return id;
  }

  /** The id of the call this is the result of, which is settled then; undefined where there is none. */
  settle(callId: string): string | undefined {
    const [id, ...others] = this.#open.get(callId) ?? [];
    if (others.length > 0) this.#open.set(callId, others);
    else this.#open.delete(callId);
    return id;
  }

  /** Calls without a result. None is open afterwards. */
  settleAll(): string[] {
    const ids = [...this.#open.values()].flat();
    this.#open.clear();
    return ids;
  }

  #create(callId: string): string {
    if (plainId.test(callId) && !this.#used.has(callId)) return callId;
    for (let turn = 0; ; turn += 1) {
      const id = `call_${createHash('sha256').update(`${callId}\n${turn}`).digest('hex').slice(0, digestLength)}`;
      if (!this.#used.has(id)) return id;
    }
  }
}

/** A tool's name as the interface takes it. */
export function formatToolName(name: string, longest: number): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longest) || '_';
}
