// The second stage of a search: the cosine between the question and the stored vectors of the candidates. sqlite-vec picks the best
// of them without bringing the others out of the database; where it cannot be loaded all are brought and compared here. The last
// word is the same in both cases: a few best are compared with the question's own numbers, not with rounded ones.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { load } from 'sqlite-vec';
import { cosine, toInt8Vector } from './int8-vector.ts';

export interface SimilarDocument {
  document: number;
  /** The cosine: 1 where both point the same way. */
  similarity: number;
}

export interface ExactDistance {
  readonly kind: 'sqlite-vec' | 'plain';
  /** The best of the candidates, best first; those that are equal by their number. */
  rank(table: string, candidates: readonly number[], query: Float32Array, limit: number): SimilarDocument[];
}

export function createExactDistance(database: Database, kind: ExactDistance['kind'] = 'sqlite-vec'): ExactDistance {
  const pick = kind === 'sqlite-vec' && loadExtension(database) ? pickInDatabase : pickAll;
  return {
    kind: pick === pickInDatabase ? 'sqlite-vec' : 'plain',
    rank: (table, candidates, query, limit) => {
      const rows = pick(database, table, candidates, query, limit + spare(limit));
      const similar = rows.map(([document, { buffer, byteOffset, length }]) => ({
        document,
        similarity: cosine(query, new Int8Array(buffer, byteOffset, length)),
      }));
      return similar.sort((a, b) => b.similarity - a.similarity || a.document - b.document).slice(0, limit);
    },
  };
}

type VectorRow = [document: number, vector: Buffer];

/** Rounding may change the order of close neighbours: look at some more than are asked for. */
function spare(limit: number): number {
  return Math.max(16, limit);
}

function pickInDatabase(
  database: Database,
  table: string,
  candidates: readonly number[],
  query: Float32Array,
  limit: number,
): VectorRow[] {
  const rounded = toInt8Vector(query);
  if (!rounded) return [];
  return database
    .prepare<[string, Uint8Array, number], VectorRow>(
      `SELECT document, vector FROM ${table} WHERE document IN (SELECT value FROM json_each(?))
       ORDER BY vec_distance_cosine(vec_int8(vector), vec_int8(?)) LIMIT ?`,
    )
    .raw()
    .all(JSON.stringify(candidates), new Uint8Array(rounded.buffer), limit);
}

function pickAll(database: Database, table: string, candidates: readonly number[]): VectorRow[] {
  return database
    .prepare<[string], VectorRow>(`SELECT document, vector FROM ${table} WHERE document IN (SELECT value FROM json_each(?))`)
    .raw()
    .all(JSON.stringify(candidates));
}

/** A platform that sqlite-vec is not built for is no reason to fail. */
function loadExtension(database: Database): boolean {
  try {
    database.prepare('SELECT vec_version()').get();
    return true;
  } catch {
    // Not loaded yet into this connection.
  }
  try {
    load(database);
    return true;
  } catch {
    return false;
  }
}
