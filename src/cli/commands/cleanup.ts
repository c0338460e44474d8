// continuo cleanup: which conversations are old enough to go into the trash, and putting them there once somebody agreed.
import type { Command } from 'commander';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { RetentionItem, RetentionPlan, RetentionResult } from '../../recall/retention/retention-plan.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findPreview } from '../conversation-view.ts';
import type { Help } from '../messages/messages.ts';
import { canAsk, openHome } from '../open-home.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { withProgress } from '../output/progress.ts';
import { shortenIds } from '../output/short-ids.ts';
import { confirm } from '../prompt/confirm.ts';
import { readRetention } from '../recall/retention-options.ts';

const mostShown = 50;

export function define(command: Command, { commands: { cleanup } }: Help): void {
  command.option('-y, --yes', cleanup.options.yes);
}

export async function run(context: Context, _args: readonly string[], { yes = false }: { yes?: boolean }): Promise<undefined> {
  const { output, text, style } = context;
  await using store = await openHome(context, 'read');
  const { planRetention } = await import('../../recall/retention/plan-retention.ts');
  const plan = await planRetention({ store, now: context.now(), settings: await readRetention(context) });
  const previews = await findPreviews(store, output.json ? plan.trash : plan.trash.slice(0, mostShown));
  if (!output.json && !(yes && output.quiet)) output.line(...(await renderPlan(context, store, plan, previews)));
  const isAsked = !yes && !output.json && canAsk(context) && plan.trash.length > 0;
  if (!yes && !isAsked) {
    if (output.json) output.result(toJson(plan, previews), () => []);
    else if (plan.trash.length > 0) output.note(style.dim(text.cleanup.howToDo));
    return;
  }
  if (isAsked && !(await confirm(text.cleanup.question))) throw new ContinuoError('not-confirmed');
  const { applyRetention } = await import('../../recall/retention/apply-retention.ts');
  const result = await withProgress(context, text.cleanup.label, (onProgress) =>
    applyRetention(plan, { store, confirmed: true, onProgress, clock: () => context.now() }),
  );
  output.done(toJson(plan, previews, result), () =>
    plan.trash.length === 0 ? [] : text.cleanup.done(result.trashed.length, result.left.length),
  );
}

/** What a conversation without a title is recognised by, as `list` shows it. */
async function findPreviews(store: ConversationStore, items: readonly RetentionItem[]): Promise<Map<ConversationId, string>> {
  const previews = new Map<ConversationId, string>();
  for (const { id, title } of items) {
    const conversation = title === undefined ? await store.find(id) : undefined;
    const preview = conversation && (await findPreview(store, conversation));
    if (preview !== undefined) previews.set(id, preview);
  }
  return previews;
}

async function renderPlan(
  { text, style, now }: Context,
  store: ConversationStore,
  plan: RetentionPlan,
  previews: ReadonlyMap<ConversationId, string>,
): Promise<string[]> {
  const words = text.cleanup;
  const shown = plan.trash.slice(0, mostShown);
  const ids = await shortenIds(
    store,
    shown.map(({ id }) => id),
  );
  const kept = Object.values(plan.kept).reduce((sum, count) => sum + count, 0);
  return [
    words.plan(plan.trash.length, plan.conversations),
    ...shown.map(({ id, title, usedAt, reason }) => {
      const facts = [formatAgo(usedAt, now(), text.time), words.reasons[reason]].join(' · ');
      return `  ${style.cyan(ids.get(id) ?? id)}  ${plainLine(title ?? previews.get(id) ?? text.search.nameless)}  ${style.dim(facts)}`;
    }),
    ...(plan.trash.length > shown.length ? ['  …'] : []),
    ...(kept > 0 ? [style.dim(words.kept(kept))] : []),
    ...(plan.complete ? [] : [style.dim(words.incomplete)]),
    ...(plan.tooFew === undefined ? [] : [style.dim(words.tooFew(plan.tooFew))]),
  ];
}

function toJson(
  { conversations, trash, kept, complete }: RetentionPlan,
  previews: ReadonlyMap<ConversationId, string>,
  result?: RetentionResult,
) {
  const items = (result?.trashed ?? trash).map(({ activeAt: _activeAt, lastSeq: _lastSeq, ...item }) => {
    const preview = previews.get(item.id);
    return preview === undefined ? item : { ...item, preview };
  });
  return { done: result !== undefined, conversations, trash: items, kept, left: result?.left ?? [], complete };
}
