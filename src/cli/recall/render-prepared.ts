// What would be put before a model, for people: what was asked, which conversations it comes from and why, and the text itself.
import { estimateTokens } from '../../base/token-estimate.ts';
import type { PreparedContext } from '../../recall/context/prepare-context.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import { describeSource, tokenBudget } from './prepare-here.ts';

export async function renderPrepared(
  context: Context,
  store: ConversationStore,
  asked: string,
  { section, why, sources }: PreparedContext,
): Promise<void> {
  const { output, style, text } = context;
  const lines: string[] = [];
  for (const source of sources) {
    const because = source.why.map((reason) => text.recall.because[reason]).join(text.recall.between);
    lines.push(`  ${await describeSource(context, store, source)} ${style.dim(`· ${because}`)}`);
  }
  output.line(style.dim(text.recall.asked(plainLine(asked))), text.recall.why[why], ...lines);
  if (section !== '')
    output.line('', style.dim(text.recall.tokens(estimateTokens(section), tokenBudget(context))), plainText(section));
  if (context.config()['recall.enabled'].value === false) output.note(style.yellow(text.recall.off));
}
