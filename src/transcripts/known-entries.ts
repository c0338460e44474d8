// Which entries of a session are stored already, by the agent's own ids: after a checkpoint whose successor was never written because the
// process died, and for sources that were rewritten. Where a storage policy withheld the id, kind and moment stand for it.
import type { Entry } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';
import type { ConversationStore, ReadOptions } from '../store/conversation-store.ts';

const pageSize = 1000;

export class KnownEntries {
  /** Where each entry is that was not met yet; 0 for one that was. */
  readonly #ids = new Map<string, number>();
  /** Several may be of one kind and moment: where those are that were not met yet. */
  readonly #nameless = new Map<string, number[]>();

  /** The entries after the position. */
  static async load(store: ConversationStore, id: ConversationId, after: number): Promise<KnownEntries> {
    const known = new KnownEntries();
    let options: ReadOptions | undefined = { after, limit: pageSize };
    while (options) {
      const page = await store.read(id, options);
      for (const entry of page.items) known.#add(entry);
      options = page.next;
    }
    return known;
  }

  /** The first that was never met; undefined where all were. What was said here and not by the agent is none of them. */
  get firstUnmet(): number | undefined {
    const places = [...this.#nameless.values()].flatMap(([first]) => first ?? []);
    // They stand in the order they are stored in.
    for (const seq of this.#ids.values()) {
      if (seq === 0) continue;
      places.push(seq);
      break;
    }
    return places.length === 0 ? undefined : places.reduce((first, seq) => Math.min(first, seq));
  }

  /** Whether it is stored already. One that is counts as met from now on. */
  meet(id: string, entry: { kind: string; at?: number | undefined }): boolean {
    if (this.#ids.has(id)) {
      this.#ids.set(id, 0);
      return true;
    }
    const places = this.#nameless.size > 0 ? this.#nameless.get(nameless(entry)) : undefined;
    places?.shift();
    return places !== undefined;
  }

  #add(entry: Entry): void {
    const id = foreignId(entry);
    if (id !== undefined) {
      if (!this.#ids.has(id)) this.#ids.set(id, entry.seq);
    } else if (entry.withheld) {
      const name = nameless(entry);
      const places = this.#nameless.get(name);
      if (places) places.push(entry.seq);
      else this.#nameless.set(name, [entry.seq]);
    }
  }
}

/** The agent's own id of an imported entry. */
export function foreignId({ meta }: Pick<Entry, 'meta'>): string | undefined {
  const id = meta?.foreignId;
  return typeof id === 'string' ? id : undefined;
}

function nameless({ kind, at }: { kind: string; at?: number | undefined }): string {
  return `${kind}@${at}`;
}
