// One turn for a script: the answer on stdout, everything else on stderr; or JSON, at the end or while it happens. A turn that was
// told to stop is waited for, so that what had been said is saved and reported before the program ends.
import { type ContinuoError, isContinuoError } from '../../model/error.ts';
import type { Conversation } from '../../runtime/conversation.ts';
import type { RuntimeEvent, RuntimeEventOf } from '../../runtime/runtime-event.ts';
import type { Session } from '../../runtime/session.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { toJson } from '../conversation-view.ts';
import { exitCodes, exitStatus } from '../exit-codes.ts';
import { giveCure } from '../next-step.ts';
import { openHomeWithKey } from '../open-home.ts';
import { safeJson } from '../output/safe-json.ts';
import { shortenId } from '../output/short-ids.ts';
import { findHere, gatherHere } from '../recall/here.ts';
import { settling } from '../stoppable.ts';
import { noteSwept, sweepDue } from '../sweep-due.ts';
import { askApproval } from './ask-approval.ts';
import type { ChatPlan } from './chat-options.ts';
import { type ChatParts, createChat } from './chat-parts.ts';
import { describeElsewhere } from './chat-start.ts';
import { inLanguage } from './event-language.ts';
import { findWanted, noteHistory } from './find-here.ts';
import { describeInterruption } from './interruption.ts';
import { hintLocked } from './locked.ts';
import { isKept } from './talk.ts';
import { watchTurn } from './turn-watch.ts';

/** So long a script waits, after its answer, for a summary that a model writes once in a while. */
const patience = 10_000;

export async function runScript(context: Context, plan: ChatPlan, said: string): Promise<number | undefined> {
  const gathering = gatherHere(context, plan.project);
  const opened = await openHomeWithKey(context, 'write');
  await using store = opened.store;
  const here = await findHere(context, store, gathering);
  const stored = await findWanted(context, store, plan.wanted, here);
  const elsewhere = describeElsewhere(context, plan, here, stored);
  if (elsewhere !== undefined) context.output.note(context.style.dim(elsewhere));
  const root =
    'begin' in plan.wanted
      ? { create: { ...plan.wanted.begin, project: here.key, meta: { place: here.place } } }
      : { resume: (stored as { id: string }).id };
  const chat = await createChat(context, opened, plan, {
    root,
    here,
    tell: (line) => context.output.note(context.style.dim(line)),
    ...(plan.canAsk && { ask: (question, input) => askApproval(context, question, input) }),
  });
  if (!stored && plan.hintsHistory) await noteHistory(context, store, here);
  return await settling(context, (signal) =>
    answerOnce(context, plan, store, chat, said, signal)
      .finally(() => chat.settle(AbortSignal.any([signal, AbortSignal.timeout(patience)])))
      .finally(() => chat.close()),
  );
}

async function answerOnce(
  context: Context,
  plan: ChatPlan,
  store: ConversationStore,
  { session, recalled }: ChatParts,
  said: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const printed = plan.streamJson ? printEvents(context, session) : undefined;
  const conversation = await hintLocked(context, store, () => session.root());
  await tellInterruption(context, plan, store, conversation);
  const watch = watchTurn(context, (listener) => session.events.listen(listener));
  let error: ContinuoError | undefined;
  try {
    await conversation.message(said, { signal, ...(plan.timeout !== undefined && { timeout: plan.timeout }) });
  } catch (caught) {
    // An error in the words themselves comes before any turn.
    if (!isContinuoError(caught) || !watch.end) throw caught;
    error = caught;
  }
  await printed;
  const swept = await sweepDue(context, store);
  if (plan.streamJson) return error && exitCodes[error.code];
  if (context.output.json) {
    const { type: _type, at: _at, error: told, toolCalls: _count, ...end } = watch.end as RuntimeEventOf<'turn-end'>;
    const record = toJson(store, await store.get(conversation.id));
    const turn = { ...withoutOrigin(end), toolCalls: watch.toolCalls, model: conversation.model.id, recalled };
    context.output.result(
      { conversation: record, created: 'begin' in plan.wanted, ...turn, error: told ?? null, swept },
      () => [],
    );
    return error && exitCodes[error.code];
  }
  if (error) {
    watch.finish();
    const goOn = isKept(conversation) ? context.text.chat.goOn(await shortenId(store, conversation.id)) : '';
    if (!signal.aborted) throw goOn === '' ? error : giveCure(error, goOn);
    const { chat, sentenceGap } = context.text;
    context.output.note([chat.stopped(isKept(conversation)), goOn].join(sentenceGap).trimEnd());
    return exitStatus.interrupted;
  }
  await watch.print();
  noteSwept(context, swept);
  return exitStatus.ok;
}

/** Every event until the end of the turn, at the pace of whoever reads. */
async function printEvents({ output, text }: Context, session: Session): Promise<void> {
  for await (const event of session.events.subscribe({ whenFull: 'wait' })) {
    await output.write(`${safeJson(inLanguage(event, text))}\n`);
    if (event.type === 'turn-end') return;
  }
}

function withoutOrigin<Body extends Partial<RuntimeEvent>>(
  event: Body,
): Omit<Body, 'sessionId' | 'conversationId' | 'taskId' | 'spanId' | 'subId'> {
  const { sessionId: _session, conversationId: _conversation, taskId: _task, spanId: _span, subId: _sub, ...rest } = event;
  return rest as Omit<Body, 'sessionId' | 'conversationId' | 'taskId' | 'spanId' | 'subId'>;
}

async function tellInterruption(context: Context, plan: ChatPlan, store: ConversationStore, { id }: Conversation): Promise<void> {
  const sentence = 'begin' in plan.wanted ? undefined : await describeInterruption(context, store, id);
  if (sentence !== undefined) context.output.note(context.style.yellow(sentence));
}
