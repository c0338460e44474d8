// A conversation at a terminal: typed lines in, answers out, permission asked in between. What is typed during a turn goes into it.
// Ctrl-C stops the turn at work and, between turns, leaves; the end of the input leaves after the turn.
import type { Conversation as ConversationRecord } from '../../model/conversation.ts';
import { type ContinuoError, isContinuoError } from '../../model/error.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../runtime/approvals/approvals.ts';
import type { Conversation } from '../../runtime/conversation.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { openHome } from '../open-home.ts';
import { plainText } from '../output/plain-text.ts';
import { shortenId } from '../output/short-ids.ts';
import { commonRuler } from '../output/text-ruler.ts';
import { wrapText } from '../output/wrap-text.ts';
import { noteSwept, sweepDue } from '../sweep-due.ts';
import { formatQuestion } from './approval-question.ts';
import type { ChatPlan } from './chat-options.ts';
import { type ChatParts, createChat } from './chat-parts.ts';
import { describeStart } from './chat-start.ts';
import { findWanted, noteHistory } from './find-here.ts';
import { describeInterruption } from './interruption.ts';
import { LineInput } from './line-input.ts';
import { hintLocked } from './locked.ts';
import { TurnView } from './turn-view.ts';

export async function runTerminal(context: Context, plan: ChatPlan, first: string | undefined): Promise<number | undefined> {
  await using store = await openHome(context, 'write');
  const stored = await findWanted(context, store, plan.wanted, plan.project);
  if (!stored && plan.hintsHistory) await noteHistory(context, store, plan.project);
  const root = 'begin' in plan.wanted ? { create: plan.wanted.begin } : { resume: (stored as ConversationRecord).id };
  let talk: Talk | undefined;
  const chat = await createChat(context, store, plan, {
    root,
    ...(plan.canAsk && { ask: async (question) => talk?.ask(question) ?? { allow: false } }),
  });
  const forget = context.cleanups.add(async () => {
    talk?.end();
    await chat.close();
  });
  try {
    const resumed = stored && (await hintLocked(context, store, () => chat.session.root()));
    await printStart(context, store, plan, chat, stored, resumed);
    talk = new Talk(context, plan, store, chat);
    talk.conversation = resumed;
    await talk.run(first);
  } finally {
    talk?.end();
    await chat.close();
    forget();
  }
  await printEnd(context, store, talk.conversation);
  return undefined;
}

async function printStart(
  context: Context,
  store: ConversationStore,
  plan: ChatPlan,
  chat: ChatParts,
  stored: ConversationRecord | undefined,
  resumed: Conversation | undefined,
): Promise<void> {
  const { output, style, text, terminal } = context;
  const wrap = (sentence: string) => wrapText(sentence, terminal.columns ?? 80, commonRuler).split('\n');
  const facts = await describeStart(context, store, plan, chat, stored, resumed);
  output.line(...[...facts, text.chat.keys].flatMap(wrap).map(style.dim));
  const interruption = resumed && (await describeInterruption(context, store, resumed.id));
  if (interruption !== undefined) output.line(...wrap(interruption).map(style.yellow));
}

async function printEnd(context: Context, store: ConversationStore, conversation: Conversation | undefined): Promise<void> {
  const { output, style, text } = context;
  if (!conversation) {
    output.line(style.dim(text.chat.nothingSaid));
    return;
  }
  noteSwept(context, await sweepDue(context, store));
  const isKept = conversation.policy.kind !== 'none';
  output.line(style.dim(isKept ? text.chat.left(await shortenId(store, conversation.id)) : text.chat.leftUnkept));
}

/** The talk itself, from the first prompt to the last. */
class Talk {
  conversation: Conversation | undefined;
  readonly #context: Context;
  readonly #plan: ChatPlan;
  readonly #store: ConversationStore;
  readonly #chat: ChatParts;
  readonly #input: LineInput;
  readonly #left: Promise<void>;
  #leave: (reason?: { error: unknown }) => void = () => undefined;
  /** Messages whose turn has not ended. */
  #open = 0;
  #abort = new AbortController();
  #isStopping = false;
  #isInputOver = false;
  #reported: unknown;

  constructor(context: Context, plan: ChatPlan, store: ConversationStore, chat: ChatParts) {
    this.#context = context;
    this.#plan = plan;
    this.#store = store;
    this.#chat = chat;
    this.#left = new Promise((resolve, reject) => {
      this.#leave = (reason) => (reason ? reject(reason.error) : resolve());
    });
    const { style } = context;
    this.#input = new LineInput({
      input: process.stdin,
      output: process.stdout,
      prompt: `${style.cyan('>')} `,
      continued: `${style.dim('…')} `,
      onMessage: (text) => void this.#say(text),
      onInterrupt: () => this.#interrupt(),
      onEnd: () => {
        this.#isInputOver = true;
        if (this.#open === 0) this.#leave();
      },
    });
    const view = new TurnView(context, this.#input);
    chat.session.events.listen((event) => view.show(event));
  }

  async run(first: string | undefined): Promise<void> {
    this.#input.setBusy(first !== undefined);
    if (first !== undefined) {
      this.#input.line(`${this.#context.style.cyan('>')} ${plainText(first)}`);
      void this.#say(first);
    }
    await this.#left;
  }

  end(): void {
    this.#isInputOver = true;
    this.#input.close();
  }

  /** Asks for permission; whoever has no way to answer any more has said no. */
  async ask(question: ApprovalQuestion): Promise<ApprovalAnswer> {
    if (this.#isInputOver) return { allow: false };
    const asked = formatQuestion(this.#context, question);
    for (const line of asked.lines) this.#input.line(line);
    for (;;) {
      const answer = asked.read(await this.#input.ask(asked.prompt, question.signal));
      if (answer) return answer;
      if (this.#isInputOver) return { allow: false };
    }
  }

  async #say(text: string): Promise<void> {
    if (this.#open === 0) this.#abort = new AbortController();
    this.#open += 1;
    this.#input.setBusy(true);
    const { timeout } = this.#plan;
    const { signal } = this.#abort;
    try {
      this.conversation ??= await hintLocked(this.#context, this.#store, () => this.#chat.session.root());
    } catch (error) {
      this.#leave({ error });
      return;
    }
    try {
      await this.conversation.message(text, { signal, ...(timeout !== undefined && { timeout }) });
    } catch (error) {
      this.#report(error);
    }
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#isStopping = false;
    if (this.#isInputOver) this.#leave();
    else this.#input.setBusy(false);
  }

  #interrupt(): void {
    if (this.#open === 0 || this.#isStopping) {
      this.#leave();
      return;
    }
    this.#isStopping = true;
    this.#input.line(this.#context.style.dim(this.#context.text.chat.stopping));
    this.#abort.abort();
    // A message that was said during the turn may have begun another one, which knows no signal.
    this.conversation?.cancel();
  }

  /** Messages that went into one turn fail with one error: it is told once. */
  #report(error: unknown): void {
    if (error === this.#reported) return;
    this.#reported = error;
    const { text, style } = this.#context;
    if (isContinuoError(error, 'cancelled')) {
      this.#input.line(style.dim(text.chat.cancelled));
      return;
    }
    const sentence = isContinuoError(error) ? describeError(error, text) : String((error as ContinuoError).message);
    this.#input.line(`${style.red(text.errorHeading)}${plainText(sentence)}`);
  }
}
