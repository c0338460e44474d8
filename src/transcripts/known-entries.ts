// Which entries of a session are stored already, by the agent's own ids: after a checkpoint whose successor was never written because the
// process died, and for sources that were rewritten. Where a storage policy withheld the id, kind and moment stand for it.
import type { Entry } from '../model/entry.ts';
import type { ConversationId } from '../model/id.ts';
import type { ConversationStore, ReadOptions } from '../store/conversation-store.ts';

const pageSize = 1000;

export class KnownEntries {
  readonly #ids = new Set<string>();
  readonly #nameless = new Set<string>();

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

  get size(): number {
    return this.#ids.size + this.#nameless.size;
  }

  has(id: string, entry: { kind: string; at?: number | undefined }): boolean {
    return this.#ids.has(id) || (this.#nameless.size > 0 && this.#nameless.has(nameless(entry)));
  }

  #add(entry: Entry): void {
    const id = foreignId(entry);
    if (id !== undefined) this.#ids.add(id);
    else if (entry.withheld) this.#nameless.add(nameless(entry));
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
