// What Continuo wrote into another agent's folder is its own: the importer goes on from there and brings in only what that agent said
// since, as a branch of the conversation that was handed over. Kept in `conversation.meta.handovers`, by the key the session would get.
import type { JsonObject } from '../base/json.ts';
import type { Conversation } from '../model/conversation.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { isFields } from './fields.ts';
import { createImportState, formatImportKey, type ImportState, readImportState, withHeader } from './import-state.ts';
import type { TranscriptFormat } from './transcript-format.ts';

const pageSize = 1000;

/** Remembers how far the written session is known already. Of one that cannot be found or read again only that it was written. */
export async function rememberHandover(
  store: ConversationStore,
  conversation: Conversation,
  format: TranscriptFormat,
  written: { id: string; files: readonly string[] },
): Promise<void> {
  const state = await readWritten(format, written, conversation.lastSeq);
  const earlier = isFields(conversation.meta.handovers) ? conversation.meta.handovers : {};
  const handovers = { ...earlier, [formatImportKey(format.name, written.id)]: { ...state } };
  await store.mergeMeta(conversation.id, { handovers: handovers as JsonObject });
}

async function readWritten(
  format: TranscriptFormat,
  { id, files: [file] }: { id: string; files: readonly string[] },
  seq: number,
): Promise<ImportState | undefined> {
  if (file === undefined) return undefined;
  for await (const source of format.discover(file)) {
    if (source.type !== 'source' || source.id !== id) continue;
    let state = createImportState(format, source, seq);
    for await (const item of format.read(source)) {
      if (item.type === 'header') state = withHeader(state, item.header);
      if (item.type === 'entry') state.first ??= item.id;
      if (item.type === 'checkpoint') state.checkpoint = item.checkpoint;
    }
    return state.checkpoint && { ...state, size: source.size, modifiedAt: source.modifiedAt };
  }
  return undefined;
}

export interface Handover {
  conversation: Conversation;
  state: ImportState;
}

/** The sessions that were handed over, by key, also by conversations in the trash. Looked for once an import. */
export class Handovers {
  readonly #store: ConversationStore;
  #found: Promise<Map<string, Handover>> | undefined;

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  async find(key: string): Promise<Handover | undefined> {
    this.#found ??= this.#load();
    return (await this.#found).get(key);
  }

  async #load(): Promise<Map<string, Handover>> {
    const found = new Map<string, Handover>();
    let cursor: string | undefined;
    do {
      const page = await this.#store.list({ trash: 'include', limit: pageSize, ...(cursor !== undefined && { cursor }) });
      for (const conversation of page.items) {
        const { handovers } = conversation.meta;
        for (const [key, value] of isFields(handovers) ? Object.entries(handovers) : []) {
          const state = readImportState({ meta: { import: value as JsonObject } });
          if (!state || state.seq > conversation.lastSeq) continue;
          // Forks inherit what their origin was handed over as: one in the trash does not stand before one that is not.
          const earlier = found.get(key)?.conversation;
          if (earlier && earlier.trashedAt === undefined && conversation.trashedAt !== undefined) continue;
          found.set(key, { conversation, state });
        }
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
  }
}
