// After commands that write: what is due goes. Only what was announced is due, namely conversations somebody trashed, past the date
// they were told, and text under a ttl policy. It never makes the command fail that it follows.
import { isContinuoError } from '../model/error.ts';
import type { ConversationStore, SweepResult } from '../store/conversation-store.ts';
import type { Context } from './context.ts';
import { describeError } from './error-report.ts';
import { cleanIndex } from './recall/clean-index.ts';

export async function sweepDue(context: Context, store: ConversationStore): Promise<SweepResult> {
  try {
    const swept = await store.sweep();
    if (swept.purged.length + swept.withheld + swept.removed > 0) await cleanIndex(context, store);
    return swept;
  } catch (error) {
    if (!isContinuoError(error)) throw error;
    context.output.note(context.text.sweep.postponed(describeError(error, context.text)));
    return { purged: [], withheld: 0, removed: 0 };
  }
}

/** One line where something went. */
export function noteSwept(context: Context, { purged, withheld, removed }: SweepResult): void {
  if (purged.length + withheld + removed > 0)
    context.output.note(context.style.dim(context.text.sweep.done(purged.length, withheld + removed)));
}
