// continuo restore-backup: turns a backup into a home again. The home must be empty; nothing is ever overwritten.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { restoreBackup } from '../../store/backup.ts';
import type { Context } from '../context.ts';
import { notePurges } from '../doctor/check-purges.ts';
import type { Help } from '../messages/messages.ts';
import { plainLine } from '../output/plain-text.ts';
import { withProgress } from '../output/progress.ts';
import { formatSize } from '../output/size.ts';
import { dropIndex } from '../recall/drop-index.ts';

export function define(command: Command, { commands }: Help): void {
  command.argument('<folder>', commands['restore-backup'].arguments.folder);
}

export async function run(context: Context, [given = '']: readonly string[]): Promise<undefined> {
  const { home, text } = context;
  const folder = resolve(given);
  const manifest = await withProgress(context, text.backup.restoring, (progress) => restoreBackup(folder, home, progress));
  await dropIndex(home);
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const { driver, createdAt } = manifest;
  context.output.done({ home, folder, driver, createdAt, files: manifest.files.length, bytes }, () =>
    text.backup.restored(plainLine(home), manifest.files.length, formatSize(bytes)),
  );
  await notePurges(context);
}
