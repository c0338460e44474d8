// Looks at an index without changing it: whoever opens it for work throws a broken one away, and whoever examines a home wants to
// know that it is broken.
import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { isContinuoError } from '../../model/error.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { unlockDatabase } from '../../store/drivers/sqlite/database-file.ts';
import { VectorModels } from '../vectors/vector-models.ts';
import { isIndexDamage } from './index-database.ts';
import { type IndexStatus, indexBytes, readIndexStatus } from './index-status.ts';
import { isOfThisVersion } from './schema.ts';

export type IndexLook =
  | { state: 'absent' }
  /** It would be thrown away and made anew by the next search. */
  | { state: 'damaged' | 'other-version'; bytes: number }
  /** Of a newer program: it is left alone. */
  | { state: 'newer-version'; bytes: number; found: number; known: number }
  | ({ state: 'ok'; models: IndexedModel[] } & IndexStatus);

/** An embedder whose vectors are in the index. */
export interface IndexedModel {
  id: string;
  dimension: number;
  /** Another one answers until this one is complete. */
  isBuilding: boolean;
  /** Indexed documents it has not looked at yet. */
  behind: number;
}

export interface InspectOptions {
  path: string;
  /** The raw key of the store, where it is encrypted. */
  key?: Uint8Array;
  store: ConversationStore;
  /** Whether every page is looked at. */
  verify?: boolean;
}

export async function inspectIndex({ path, key, store, verify = false }: InspectOptions): Promise<IndexLook> {
  if (!existsSync(path)) return { state: 'absent' };
  const { default: Sqlite } = await import('better-sqlite3-multiple-ciphers');
  let database: Database | undefined;
  try {
    database = new Sqlite(path, { readonly: true, timeout: 5000 });
    if (key) unlockDatabase(database, key);
    if (!isOfThisVersion(database)) return { state: 'other-version', bytes: indexBytes(path) };
    if (verify && !isSound(database)) return { state: 'damaged', bytes: indexBytes(path) };
    const status = await readIndexStatus(store, database, path);
    return { state: 'ok', ...status, models: listModels(database) };
  } catch (error) {
    if (isContinuoError(error, 'index-newer')) {
      const { found, known } = error.details as { found: number; known: number };
      return { state: 'newer-version', bytes: indexBytes(path), found, known };
    }
    if (!isIndexDamage(error, path)) throw error;
    return { state: 'damaged', bytes: indexBytes(path) };
  } finally {
    database?.close();
  }
}

function isSound(database: Database): boolean {
  return database.prepare<[], string>('PRAGMA quick_check(1)').pluck().get() === 'ok';
}

function listModels(database: Database): IndexedModel[] {
  const count = database.prepare<[number], number>('SELECT count(*) FROM documents WHERE id > ?').pluck();
  return new VectorModels(database)
    .list()
    .filter(({ state }) => state !== 'retired')
    .map(({ id, dimension, state, watermark }) => ({
      id,
      dimension,
      isBuilding: state === 'building',
      behind: count.get(watermark) ?? 0,
    }));
}
