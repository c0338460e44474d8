// continuo sweep: takes away what is due now, or shows what would go.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { keyOf, openHome } from '../open-home.ts';
import { cleanIndex } from '../recall/clean-index.ts';
import { describeDoomed, findDoomedFiles } from '../team/look-at-sessions.ts';
import { renderListed, withPreviews } from './list.ts';

export function define(command: Command, { commands: { sweep } }: Help): void {
  command.option('--dry-run', sweep.options.dryRun);
}

export async function run(
  context: Context,
  _args: readonly string[],
  { dryRun = false }: { dryRun?: boolean },
): Promise<undefined> {
  const { output, text } = context;
  await using store = await openHome(context, 'read');
  const plan = await store.planSweep();
  const ids = (conversations: readonly { id: string }[]) => conversations.map(({ id }) => id);
  const sessionFiles = await findDoomedFiles(context, keyOf(store), plan.purge);
  const kept = { keptForForks: ids(plan.keptForForks) };
  if (dryRun) {
    const table = plan.purge.length === 0 ? [] : await renderListed(context, store, await withPreviews(store, plan.purge), false);
    const json = { dryRun, purged: ids(plan.purge), sessionFiles, ...kept, expiring: plan.expiring, withheld: 0, removed: 0 };
    output.result(json, () => [
      text.sweep.plan(plan.purge.length, plan.expiring),
      ...table,
      ...describeDoomed(context, sessionFiles),
    ]);
  } else {
    const { purged, withheld, removed } = await store.sweep();
    if (purged.length + withheld + removed > 0) await cleanIndex(context, store);
    const sentence =
      purged.length + withheld + removed === 0 ? text.sweep.nothing : text.sweep.done(purged.length, withheld + removed);
    output.done({ dryRun, purged, sessionFiles, ...kept, expiring: 0, withheld, removed }, () => [
      sentence,
      ...(sessionFiles.length > 0 ? [text.sessionFiles.went(sessionFiles.length)] : []),
    ]);
  }
  if (plan.keptForForks.length > 0) output.note(context.style.dim(text.sweep.keptForForks(plan.keptForForks.length)));
}
