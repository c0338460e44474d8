// A conversation with a model in lines: what is typed during a turn goes into it, permission is asked in between, and the end of the
// input leaves after the turn.
import type { JsonValue } from '../../base/json.ts';
import { type ContinuoError, isContinuoError } from '../../model/error.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../runtime/approvals/approvals.ts';
import type { Conversation } from '../../runtime/conversation.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { plainText } from '../output/plain-text.ts';
import { formatQuestion } from './approval-question.ts';
import type { ChatPlan } from './chat-options.ts';
import type { ChatParts } from './chat-parts.ts';
import { LineTalk } from './line-talk.ts';
import { hintLocked } from './locked.ts';
import type { TypedCommand } from './slash-line.ts';
import { TurnView } from './turn-view.ts';

export class Talk {
  conversation: Conversation | undefined;
  readonly lines: LineTalk;
  readonly #context: Context;
  readonly #plan: ChatPlan;
  readonly #store: ConversationStore;
  readonly #view: TurnView;
  #chat: ChatParts;
  #abort = new AbortController();
  #reported: unknown;

  constructor(
    context: Context,
    plan: ChatPlan,
    store: ConversationStore,
    chat: ChatParts,
    runCommand: (typed: TypedCommand) => Promise<void>,
  ) {
    this.#context = context;
    this.#plan = plan;
    this.#store = store;
    this.#chat = chat;
    this.lines = new LineTalk({
      context,
      say: (text, isFirst) => this.#say(text, isFirst),
      runCommand,
      stop: () => this.#stop(),
      tellFailure: (error) => this.#report(error),
    });
    this.#view = new TurnView(context, this.lines.input);
    this.use(chat, undefined);
  }

  get chat(): ChatParts {
    return this.#chat;
  }

  /** From now on this session is talked to; without a conversation, in a new one. */
  use(chat: ChatParts, conversation: Conversation | undefined): void {
    this.#chat = chat;
    this.conversation = conversation;
    chat.session.events.listen((event) => this.#view.show(event));
  }

  async run(first: string | undefined): Promise<void> {
    if (first !== undefined) {
      this.lines.input.setBusy(true);
      this.lines.tell([`${this.#context.style.cyan('>')} ${plainText(first)}`]);
    }
    await this.lines.run(first);
  }

  /** Asks for permission; whoever has no way to answer any more has said no. */
  async ask(question: ApprovalQuestion, input: JsonValue | undefined): Promise<ApprovalAnswer> {
    const { lines } = this;
    if (lines.isInputOver) return { allow: false };
    const asked = formatQuestion(this.#context, question, input);
    lines.tell(asked.lines);
    for (;;) {
      const answer = asked.read(await lines.input.ask(asked.prompt, question.signal));
      if (answer) return answer;
      if (lines.isInputOver) return { allow: false };
      lines.note(this.#context.text.repl.noAnswer(asked.keys));
    }
  }

  async #say(text: string, isFirst: boolean): Promise<void> {
    if (isFirst) this.#abort = new AbortController();
    const { timeout } = this.#plan;
    const { signal } = this.#abort;
    try {
      this.conversation ??= await hintLocked(this.#context, this.#store, () => this.#chat.session.root());
    } catch (error) {
      this.lines.fail(error);
      return;
    }
    try {
      await this.conversation.message(text, { signal, ...(timeout !== undefined && { timeout }) });
    } catch (error) {
      this.#report(error);
    }
  }

  #stop(): void {
    this.lines.note(this.#context.text.chat.stopping);
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
      this.lines.tell([style.dim(text.chat.stopped(isKept(this.conversation)))]);
      return;
    }
    const sentence = isContinuoError(error) ? describeError(error, text) : String((error as ContinuoError).message);
    this.lines.tell([`${style.red(text.errorHeading)}${plainText(sentence)}`]);
  }
}

/** Whether anything of what is said stays. */
export function isKept(conversation: Conversation | undefined): boolean {
  return conversation?.policy.kind !== 'none';
}
