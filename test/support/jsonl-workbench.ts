// What the tests of the jsonl driver share: folders of their own, conversations and entries by the shortest name.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '../../src/model/conversation.ts';
import { type ConversationId, createConversationId } from '../../src/model/id.ts';
import type { EncodedEntry, EntryRecord, StoreDriver } from '../../src/model/ports/store-driver.ts';
import { JsonlDriver, type JsonlDriverOptions } from '../../src/store/drivers/jsonl/jsonl-driver.ts';

export const now = 1_700_000_000_000;

/** Folders and drivers that are put away together. */
export class Workbench {
  readonly #folders: string[] = [];
  readonly #drivers: StoreDriver[] = [];

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'continuo-jsonl-'));
    this.#folders.push(folder);
    return folder;
  }

  async open(folder = join(this.folder(), 'data'), options: Partial<JsonlDriverOptions> = {}): Promise<JsonlDriver> {
    const driver = new JsonlDriver({ folder, ...options });
    await driver.open();
    this.#drivers.push(driver);
    return driver;
  }

  async clear(): Promise<void> {
    for (const driver of this.#drivers.splice(0)) await driver.close();
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

export function conversation(fields: Partial<Conversation> = {}): Conversation {
  const id = createConversationId(now);
  return {
    id,
    tags: [],
    pinned: false,
    policy: { kind: 'full' },
    meta: {},
    createdAt: now,
    activeAt: now,
    lastSeq: 0,
    ...fields,
  };
}

export function said(text: string, fields: Partial<EncodedEntry> = {}): EncodedEntry {
  return { at: now, kind: 'message', header: '{"role":"user"}', text, data: null, expiresAt: null, ...fields };
}

export async function append(driver: StoreDriver, id: ConversationId, ...entries: EncodedEntry[]): Promise<void> {
  const [outcome] = await driver.append([{ conversationId: id, entries, now }]);
  if (!outcome || 'error' in outcome) throw outcome?.error;
}

export function readAll(driver: StoreDriver, id: ConversationId): Promise<EntryRecord[]> {
  return driver.readEntries(id, { after: 0, before: Number.POSITIVE_INFINITY, limit: 1_000_000, order: 'forward' });
}

export async function texts(driver: StoreDriver, id: ConversationId): Promise<(string | null)[]> {
  return (await readAll(driver, id)).map((record) => record.text);
}

/** Every byte and every name below the folder, as one text. */
export function rawBytes(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => `${entry.name}\n${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'latin1') : ''}`)
    .join('\n');
}
