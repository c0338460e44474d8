// Summaries and topics of a chat, by the settings: after so many messages and when the talk ends, in the background. Written by the
// model of the chat only where that was chosen.
import { isContinuoError } from '../../model/error.ts';
import type { TextModel } from '../../model/ports/text-model.ts';
import type { SummaryKeeper } from '../../recall/context/summary-keeper.ts';
import type { SummaryWriter } from '../../recall/context/write-summary.ts';
import type { Summarise } from '../../runtime/history/summarise.ts';
import type { Session } from '../../runtime/session.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';

export async function createSummaryKeeper(
  { config: read, text }: Context,
  store: ConversationStore,
  summarise: Summarise | undefined,
  tell: (line: string) => void,
): Promise<SummaryKeeper> {
  const config = read();
  const reasonOf = (error: unknown) => (isContinuoError(error) ? describeError(error, text) : String(error));
  const { SummaryKeeper } = await import('../../recall/context/summary-keeper.ts');
  return new SummaryKeeper({
    store,
    threshold: config['conversation.auto_summary_threshold'].value ?? 10,
    autoExtract: config['conversation.topics.auto_extract'].value ?? true,
    maxTopics: config['conversation.topics.max_topics'].value ?? 5,
    writer: summarise && toWriter(summarise),
    onWriterFailed: (error) => tell(text.summary.writtenLocally(reasonOf(error))),
    onProblem: (error) => tell(text.summary.failed(reasonOf(error))),
  });
}

/** The model that writes summaries; undefined where the conversation's own sentences do. */
export async function createSummariser({ config }: Context, model: TextModel | undefined): Promise<Summarise | undefined> {
  if (!model || config()['conversation.summary.by'].value !== 'model') return undefined;
  const { summariseWith } = await import('../../runtime/history/summarise.ts');
  return summariseWith(model);
}

export function followTurns(session: Session, keeper: SummaryKeeper): void {
  session.events.listen((event) => {
    if (event.type === 'turn-end' && event.conversationId !== undefined) keeper.turnEnded(event.conversationId);
  });
}

function toWriter(summarise: Summarise): SummaryWriter {
  return ({ previous, said, signal }) => {
    const [from, to] = [said[0]?.seq ?? 1, said.at(-1)?.seq ?? 1];
    return summarise({ items: said, from, to, summary: previous }, { signal });
  };
}
