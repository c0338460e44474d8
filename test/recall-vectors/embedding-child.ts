// Embeds documents and tells of every batch that is written; killed in the middle of it.
import Database from 'better-sqlite3-multiple-ciphers';
import { EmbeddingQueue } from '../../src/recall/vectors/embedding-queue.ts';
import { createHashingEmbedder } from '../../src/testing/hashing-embedder.ts';
import { childInput, tell } from '../support/child-side.ts';

const { path, documents, batchSize } = childInput<{ path: string; documents: number; batchSize: number }>();
const database = new Database(path, { timeout: 10_000 });
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');

const queue = new EmbeddingQueue({
  index: { database, write: async (work) => database.transaction(() => work(database)).immediate() },
  embedder: createHashingEmbedder(),
  source: function* (after) {
    for (let document = after + 1; document <= documents; document++) yield { document, text: `kangaroo number ${document}` };
  },
  batchSize,
  onProgress: tell,
});
await queue.catchUp();
database.close();
