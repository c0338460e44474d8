// continuo backup: a consistent copy in a new folder while others go on writing; --verify restores it to prove it.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { notePurges } from '../doctor/check-purges.ts';
import type { Help } from '../messages/messages.ts';
import { openHomeWithKey } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { withProgress } from '../output/progress.ts';
import { formatSize } from '../output/size.ts';

export function define(command: Command, { commands: { backup } }: Help): void {
  command.argument('<folder>', backup.arguments.folder).option('--verify', backup.options.verify);
}

export async function run(
  context: Context,
  [given = '']: readonly string[],
  { verify }: { verify?: boolean },
): Promise<undefined> {
  const { text, output } = context;
  const folder = resolve(given);
  const { store: opened, key } = await openHomeWithKey(context, 'care');
  await using store = opened;
  const startedAt = context.now();
  const manifest = await withProgress(context, text.backup.label, (progress) => store.backup(folder, progress));
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const verified = verify ? await proveBackup() : null;
  const json = { folder, driver: manifest.driver, createdAt: manifest.createdAt, files: manifest.files.length, bytes, verified };
  output.done(json, () => [
    text.backup.done(plainLine(folder), manifest.files.length, formatSize(bytes)),
    ...(verified ? [text.backup.verified(verified.conversations, verified.entries)] : []),
    ...(verified && verified.sessions > 0 ? [text.sessionFiles.verified(verified.sessions)] : []),
  ]);
  await notePurges(context);
  output.note(context.style.dim(text.backup.howBack(plainLine(folder))));

  async function proveBackup() {
    const { verifyBackup } = await import('../verify-backup.ts');
    return withProgress(context, text.backup.verifying, (progress) =>
      verifyBackup(context, store, { folder, key, startedAt }, progress),
    );
  }
}
