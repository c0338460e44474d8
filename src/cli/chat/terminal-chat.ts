// A conversation at a terminal, from its opening to its end: what is said before the talk, and how to come back after it.
import type { Conversation as ConversationRecord } from '../../model/conversation.ts';
import type { Conversation } from '../../runtime/conversation.ts';
import type { OpenOptions } from '../../runtime/session.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { openHomeWithKey } from '../open-home.ts';
import { shortenId } from '../output/short-ids.ts';
import { commonRuler } from '../output/text-ruler.ts';
import { wrapText } from '../output/wrap-text.ts';
import { announceCleanup } from '../recall/announce-cleanup.ts';
import { findHere, gatherHere, type Here } from '../recall/here.ts';
import { noteSwept, sweepDue } from '../sweep-due.ts';
import type { ChatPlan } from './chat-options.ts';
import { type ChatParts, createChat } from './chat-parts.ts';
import { describeStart } from './chat-start.ts';
import { findWanted, noteHistory } from './find-here.ts';
import { describeInterruption } from './interruption.ts';
import { runLineCommand } from './line-host.ts';
import { hintLocked } from './locked.ts';
import { PlainHost, type PlainHostOptions } from './plain-host.ts';
import { isKept, Talk } from './talk.ts';

export async function runTerminal(context: Context, plan: ChatPlan, first: string | undefined): Promise<number | undefined> {
  const { output, style } = context;
  const gathering = gatherHere(context, plan.project);
  const opened = await openHomeWithKey(context, 'write');
  await using store = opened.store;
  const here = await findHere(context, store, gathering);
  const stored = await findWanted(context, store, plan.wanted, here);
  const root =
    'begin' in plan.wanted
      ? { create: { ...plan.wanted.begin, project: here.key, meta: { place: here.place } } }
      : { resume: (stored as ConversationRecord).id };
  let talk: Talk | undefined;
  const create = (wanted: ChatPlan, from: OpenOptions) =>
    createChat(context, opened, wanted, {
      root: from,
      here,
      tell: (line) => talk?.lines.note(line),
      ...(plan.canAsk && { ask: async (question, input) => talk?.ask(question, input) ?? { allow: false } }),
    });
  const chat = await create(plan, root);
  if (!stored && plan.hintsHistory) await noteHistory(context, store, here);
  const forget = context.cleanups.add(async () => {
    talk?.lines.end();
    await (talk?.chat ?? chat).close();
  });
  try {
    const resumed = stored && (await hintLocked(context, store, () => chat.session.root()));
    output.line(...(await describeTalk(context, store, plan, chat, here, stored, resumed)).map(style.dim));
    const interruption = resumed && (await describeInterruption(context, store, resumed.id));
    if (interruption !== undefined) output.line(...wrap(context, interruption).map(style.yellow));
    talk = new Talk(context, plan, store, chat, (typed) => runLineCommand(typed, host));
    const describe: PlainHostOptions['describe'] = (wanted, using, record, conversation) =>
      describeTalk(context, store, wanted, using, here, record, conversation);
    const host = new PlainHost({ context, opened, here, plan, talk, create, describe });
    talk.conversation = resumed;
    await talk.run(first);
  } finally {
    talk?.lines.end();
    await talk?.lines.commandsEnded();
    await (talk?.chat ?? chat).close();
    forget();
  }
  await printEnd(context, store, talk.conversation);
  return undefined;
}

/** What is said before the talk: who answers, which conversation this is, which keys there are. */
async function describeTalk(
  context: Context,
  store: ConversationStore,
  plan: ChatPlan,
  chat: ChatParts,
  here: Here,
  stored: ConversationRecord | undefined,
  resumed: Conversation | undefined,
): Promise<string[]> {
  const facts = await describeStart(context, store, plan, chat, here, stored, resumed);
  return [...facts, context.text.chat.keys].flatMap((sentence) => wrap(context, sentence));
}

function wrap({ terminal }: Context, sentence: string): string[] {
  return wrapText(sentence, terminal.columns ?? 80, commonRuler).split('\n');
}

async function printEnd(context: Context, store: ConversationStore, conversation: Conversation | undefined): Promise<void> {
  const { output, style, text } = context;
  if (!conversation) {
    output.line(style.dim(text.chat.nothingSaid));
    return;
  }
  noteSwept(context, await sweepDue(context, store));
  await announceCleanup(context, store);
  output.line(style.dim(isKept(conversation) ? text.chat.left(await shortenId(store, conversation.id)) : text.chat.leftUnkept));
}
