// With conversation.cleanup.enable: a person at a terminal is told, at most once a day, how much a cleanup would put into the trash
// and how to see it. Nothing goes by itself. It never makes the command fail that it follows, and never holds it up for long.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../base/private-files.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { readRetention } from './retention-options.ts';

const oneDay = 24 * 60 * 60 * 1000;
/** A large store is not gone through for a remark. */
const patience = 1000;

export async function announceCleanup(context: Context, store: ConversationStore): Promise<void> {
  const { output, terminal, style, text } = context;
  const isWanted = context.config()['conversation.cleanup.enable'].value === true;
  if (!isWanted || !terminal.stderr || output.json || output.quiet) return;
  try {
    if (!(await isDue(context))) return;
    const count = await countDue(context, store);
    await writeFileAtomically(markPath(context), `${JSON.stringify({ at: context.now() })}\n`);
    if (count !== 0) output.note('', style.dim(count === undefined ? text.cleanup.dueUncounted : text.cleanup.due(count)));
  } catch {
    // A home that cannot be written is told of by those who have to write.
  }
}

/** Undefined where it takes too long to count. */
async function countDue(context: Context, store: ConversationStore): Promise<number | undefined> {
  const { planRetention } = await import('../../recall/retention/plan-retention.ts');
  const signal = AbortSignal.timeout(patience);
  try {
    const plan = await planRetention({ store, now: context.now(), settings: await readRetention(context), signal });
    return plan.trash.length;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function isDue(context: Context): Promise<boolean> {
  const text = await readFile(markPath(context), 'utf8').catch(() => '{}');
  const { at } = JSON.parse(text) as { at?: unknown };
  return typeof at !== 'number' || Math.abs(context.now() - at) >= oneDay;
}

function markPath({ home }: Context): string {
  return join(home, 'cleanup-announced.json');
}
