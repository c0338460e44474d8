// Counting what is stored.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Conversation } from '../../../model/conversation.ts';
import type { DriverStats } from '../../../model/ports/store-driver.ts';
import { summarize } from '../../store-summary.ts';
import { walkFolders } from './folder-walk.ts';
import { readConversation } from './list.ts';
import { absolutePath } from './log-path.ts';
import type { Shelf } from './reconcile.ts';

export async function measureStore(shelf: Shelf): Promise<DriverStats> {
  const conversations: Conversation[] = [];
  let done = 0;
  for (const row of shelf.catalogue.all()) {
    const conversation = readConversation(row, shelf);
    if (conversation) conversations.push(conversation);
    if (++done % 200 === 0) await nextTurn();
  }
  return { ...summarize(conversations), entries: shelf.catalogue.entryCount(), bytesOnDisk: bytesOnDisk(shelf) };
}

function bytesOnDisk({ folder, drafts }: Shelf): number {
  let total = 0;
  const add = (path: string) => {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status?.isFile()) total += status.size;
  };
  for (const name of readdirSync(folder)) add(join(folder, name));
  for (const { path } of walkFolders(folder)) add(absolutePath(folder, path));
  for (const { path } of drafts.files()) add(absolutePath(folder, path));
  return total;
}
