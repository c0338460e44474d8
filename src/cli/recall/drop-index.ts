// The search index of a home whose store was exchanged: it is of another store, or readable where the store no longer is. It fills again.
import { join } from 'node:path';

export async function dropIndex(home: string): Promise<void> {
  const { deleteIndex } = await import('../../recall/index/index-database.ts');
  deleteIndex(join(home, 'index.db'));
}
