// The doctor's look at what is stored: every conversation and every entry, who writes just now, and what is due to go.
import type { Problem } from '../../model/ports/store-driver.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { withProgress } from '../output/progress.ts';
import { describeProblem } from '../problem-report.ts';
import type { Finding } from './finding.ts';

/** More than a person reads; the rest is counted. */
const mostNamed = 20;
/** Writers are looked for among the conversations that were active last. */
const conversationsAsked = 200;

/** `met` is what was found damaged while the store was opened. */
export async function checkContents(context: Context, store: ConversationStore, met: readonly Problem[]): Promise<Finding[]> {
  const { doctor } = context.text;
  const { conversations, entries, problems } = await withProgress(context, doctor.verifying, (progress) =>
    store.verify(progress),
  );
  // Permissions are the business of a check of their own, which also covers files the driver does not know.
  const different = new Map([...met, ...problems].map((problem) => [JSON.stringify(problem), problem]));
  const found = [...different.values()].filter(({ code }) => code !== 'loose-permissions');
  if (found.length === 0) return [{ check: 'store', status: 'ok', message: doctor.contentsFine(conversations, entries) }];
  const named = found.slice(0, mostNamed).map((problem): Finding => {
    return { check: 'store', status: 'problem', code: problem.code, ...describeProblem(context.text, problem) };
  });
  if (found.length > mostNamed)
    named.push({ check: 'store', status: 'problem', code: 'more', message: doctor.moreProblems(found.length - mostNamed) });
  return named;
}

export async function checkWriters({ text: { doctor }, now }: Context, store: ConversationStore): Promise<Finding[]> {
  const held: Finding[] = [];
  for (const { id } of (await store.list({ limit: conversationsAsked })).items) {
    const holder = await store.findLease(id);
    if (!holder) continue;
    const { owner, pid, host, expiresAt } = holder;
    held.push({
      check: 'writers',
      status: 'note',
      message: doctor.writer(id, owner, pid, host, Math.ceil((expiresAt - now()) / 1000)),
    });
  }
  return held.length > 0 ? held : [{ check: 'writers', status: 'ok', message: doctor.noWriters }];
}

export async function checkDue({ text: { doctor } }: Context, store: ConversationStore): Promise<Finding> {
  const { purge, expiring } = await store.planSweep();
  if (purge.length + expiring === 0) return { check: 'due', status: 'ok', message: doctor.nothingDue };
  return { check: 'due', status: 'note', message: doctor.due(purge.length, expiring), next: doctor.dueNext };
}
