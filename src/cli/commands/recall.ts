// continuo recall: what would be put before a model now, and why. It looks, and sends nothing.
import type { Command } from 'commander';
import { estimateTokens } from '../../base/token-estimate.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { openHomeWithKey } from '../open-home.ts';
import { findHere, gatherHere } from '../recall/here.ts';
import { openHomeRecall } from '../recall/open-home-recall.ts';
import { prepareHere, tokenBudget } from '../recall/prepare-here.ts';
import { readFolder } from '../recall/read-folder.ts';
import { renderPrepared } from '../recall/render-prepared.ts';

export function define(command: Command, { commands: { recall } }: Help): void {
  command.argument('[words...]', recall.arguments.words).option('--project <folder>', recall.options.project);
}

export async function run(context: Context, words: readonly string[], options: { project?: string }): Promise<undefined> {
  const { output, text } = context;
  const gathering = gatherHere(context, readFolder(context, options.project));
  const opened = await openHomeWithKey(context, 'read');
  await using store = opened.store;
  const here = await findHere(context, store, gathering);
  const recall = await openHomeRecall(context, opened, here);
  try {
    const asked = words.join(' ').trim() || text.recall.goOn;
    const prepared = await prepareHere(context, { store, recall, here, asked });
    if (output.json) {
      const { section, why, intent, sources, quoted } = prepared;
      const tokens = estimateTokens(section);
      const budget = tokenBudget(context);
      const project = { key: here.key, path: here.evidence.path };
      const { kind, content, when } = intent;
      const passages = quoted.length;
      output.result(
        { asked, project, why, intent: { kind, content, when: when ?? null }, sources, passages, tokens, budget, section },
        () => [],
      );
      return;
    }
    await renderPrepared(context, store, asked, prepared);
  } finally {
    await recall.close();
  }
}
