// The stores every campaign runs over: each durable driver, plain and encrypted. Fixed keys, so that any process can open them.

import { createLineSealer } from '../../src/crypto/line-sealer.ts';
import type { StoreDriver } from '../../src/model/ports/store-driver.ts';
import { ConversationStore, type StoreOptions } from '../../src/store/conversation-store.ts';
import { JsonlDriver } from '../../src/store/drivers/jsonl/jsonl-driver.ts';
import { SqliteDriver } from '../../src/store/drivers/sqlite/sqlite-driver.ts';

export const subjectNames = ['sqlite', 'sqlite-encrypted', 'jsonl', 'jsonl-encrypted'] as const;
export type SubjectName = (typeof subjectNames)[number];

export const subjectKey = new Uint8Array(32).fill(7);

/** A driver over the folder; what two of them do with one folder is what two processes would do. */
export function createSubjectDriver(name: SubjectName, folder: string): StoreDriver {
  if (name === 'sqlite') return new SqliteDriver({ folder });
  if (name === 'sqlite-encrypted') return new SqliteDriver({ folder, key: subjectKey });
  if (name === 'jsonl') return new JsonlDriver({ folder });
  return new JsonlDriver({ folder, sealer: createLineSealer(subjectKey, folder) });
}

export function openSubject(
  name: SubjectName,
  folder: string,
  options: Partial<Omit<StoreOptions, 'driver'>> = {},
): Promise<ConversationStore> {
  return ConversationStore.open({ ...options, driver: createSubjectDriver(name, folder) });
}

export function isEncrypted(name: SubjectName): boolean {
  return name.endsWith('-encrypted');
}
