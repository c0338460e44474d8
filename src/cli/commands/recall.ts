// continuo recall: what would be put before a model now, and why. It looks, and sends nothing.
import type { Command } from 'commander';
import { estimateTokens } from '../../base/token-estimate.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { openHomeWithKey } from '../open-home.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import { findHere, gatherHere } from '../recall/here.ts';
import { openHomeRecall } from '../recall/open-home-recall.ts';
import { describeSource, prepareHere, tokenBudget } from '../recall/prepare-here.ts';
import { readFolder } from '../recall/read-folder.ts';

export function define(command: Command, { commands: { recall } }: Help): void {
  command.argument('[words...]', recall.arguments.words).option('--project <folder>', recall.options.project);
}

export async function run(context: Context, words: readonly string[], options: { project?: string }): Promise<undefined> {
  const { output, style, text } = context;
  const gathering = gatherHere(context, readFolder(context, options.project));
  const opened = await openHomeWithKey(context, 'read');
  await using store = opened.store;
  const here = await findHere(context, store, gathering);
  const recall = await openHomeRecall(context, opened, here);
  try {
    const asked = words.join(' ').trim() || text.recall.goOn;
    const { section, why, intent, sources, quoted } = await prepareHere(context, { store, recall, here, asked });
    const tokens = estimateTokens(section);
    const budget = tokenBudget(context);
    if (output.json) {
      const project = { key: here.key, path: here.evidence.path };
      const { kind, content, when } = intent;
      const passages = quoted.length;
      output.result(
        { asked, project, why, intent: { kind, content, when: when ?? null }, sources, passages, tokens, budget, section },
        () => [],
      );
      return;
    }
    const lines: string[] = [];
    for (const source of sources) {
      const because = source.why.map((reason) => text.recall.because[reason]).join(', ');
      lines.push(`  ${await describeSource(context, store, source)} ${style.dim(`· ${because}`)}`);
    }
    output.line(style.dim(text.recall.asked(plainLine(asked))), text.recall.why[why], ...lines);
    if (section !== '') output.line('', style.dim(text.recall.tokens(tokens, budget)), plainText(section));
    if (context.config()['recall.enabled'].value === false) output.note(style.yellow(text.recall.off));
  } finally {
    await recall.close();
  }
}
