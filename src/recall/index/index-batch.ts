// Documents of several conversations on their way into the index, written with one commit. A stretch is written only where the
// conversation's watermark still stands where the stretch begins: whoever else indexed it meanwhile, nothing is indexed twice.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import { tokenizeText } from '../tokens/tokenize-text.ts';
import { findConversation, putWatermark } from './conversation-catalogue.ts';
import { DocumentTable, type NewDocument } from './document-table.ts';
import { documentText } from './document-text.ts';

interface Stretch {
  id: Conversation['id'];
  /** The watermark before and after. */
  from: number;
  to: number;
  documents: NewDocument[];
}

export class IndexBatch {
  #stretches: Stretch[] = [];
  /** How many documents and characters of tokens wait. */
  documents = 0;
  characters = 0;

  /** Entries of the conversation after `from`; everything up to `to` counts as indexed when they are. */
  add(conversation: Conversation, from: number, to: number, entries: readonly Entry[], now: number): void {
    const documents: NewDocument[] = [];
    for (const entry of entries) {
      const document = toDocument(conversation, entry, now);
      if (!document) continue;
      documents.push(document);
      this.characters += document.tokens.length;
    }
    this.documents += documents.length;
    this.#stretches.push({ id: conversation.id, from, to, documents });
  }

  get isEmpty(): boolean {
    return this.#stretches.length === 0;
  }

  /** Call inside a write transaction. */
  write(database: Database): void {
    const table = new DocumentTable(database);
    for (const { id, from, to, documents } of this.#stretches) {
      const row = findConversation(database, id);
      if (!row || row.watermark !== from || row.excluded) continue;
      table.add(row.id, documents);
      putWatermark(database, row.id, to);
    }
  }
}

function toDocument(conversation: Conversation, entry: Entry, now: number): NewDocument | undefined {
  const found = documentText(entry);
  if (!found) return undefined;
  const { policy } = conversation;
  const expiresAt = policy.kind === 'ttl' ? entry.at + policy.milliseconds : null;
  if (expiresAt !== null && expiresAt <= now) return undefined;
  const { seq, at } = entry;
  return { seq, at, kind: found.kind, role: found.role, tokens: tokenizeText(found.text), expiresAt };
}
