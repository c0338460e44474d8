// The search index of a home whose store was exchanged: it is of another store, or readable where the store no longer is. It fills again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';

/** Whether there was one. */
export async function dropIndex(home: string): Promise<boolean> {
  const path = join(home, 'index.db');
  const isThere = existsSync(path);
  const { deleteIndex } = await import('../../recall/index/index-database.ts');
  deleteIndex(path);
  return isThere;
}

/** For the end of a command that dropped one. */
export function noteDropped({ output, style, text }: Context): void {
  output.note(style.dim(text.encryption.indexDropped));
}
