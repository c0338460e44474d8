// continuo compress: packs old text. Nothing that is read changes.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { readSpan } from '../option-values.ts';
import { withProgress } from '../output/progress.ts';
import { formatSize } from '../output/size.ts';

const defaultAge = '90d';

export function define(command: Command, { commands: { compress } }: Help): void {
  command.option('--older-than <span>', compress.options.olderThan);
}

export async function run(
  context: Context,
  _args: readonly string[],
  { olderThan = defaultAge }: { olderThan?: string },
): Promise<undefined> {
  const before = context.now() - readSpan(context, '--older-than', olderThan);
  const { text } = context;
  await using store = await openHome(context, 'care');
  const result = await withProgress(context, text.compress.label, (progress) => store.compressCold(before, progress));
  context.output.done({ before, ...result }, () =>
    result.entries === 0
      ? text.compress.nothing
      : text.compress.done(result.entries, formatSize(result.bytesBefore), formatSize(result.bytesAfter)),
  );
}
