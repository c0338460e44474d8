// After commands that write: what is due goes. Only what was announced is due, namely conversations somebody trashed, past the date
// they were told, and text under a ttl policy. It never makes the command fail that it follows.
import { isContinuoError } from '../model/error.ts';
import type { ConversationStore, SweepResult } from '../store/conversation-store.ts';
import type { Context } from './context.ts';
import { describeError } from './error-report.ts';

export async function sweepDue(context: Context, store: ConversationStore): Promise<SweepResult> {
  try {
    return await store.sweep();
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
