// The talk itself, from the first prompt to the last: typed lines in, answers out, permission asked in between. What is typed during
// a turn goes into it. Ctrl-C stops the turn at work and, between turns, leaves; the end of the input leaves after the turn.
import type { JsonValue } from '../../base/json.ts';
import { type ContinuoError, isContinuoError } from '../../model/error.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../runtime/approvals/approvals.ts';
import type { Conversation } from '../../runtime/conversation.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import { formatQuestion } from './approval-question.ts';
import type { ChatPlan } from './chat-options.ts';
import type { ChatParts } from './chat-parts.ts';
import { LineInput } from './line-input.ts';
import { hintLocked } from './locked.ts';
import { readTypedLine, type TypedCommand } from './slash-line.ts';
import { TurnView } from './turn-view.ts';

export class Talk {
  conversation: Conversation | undefined;
  readonly #context: Context;
  readonly #plan: ChatPlan;
  readonly #store: ConversationStore;
  readonly #runCommand: (typed: TypedCommand) => Promise<void>;
  readonly #view: TurnView;
  #chat: ChatParts;
  readonly #input: LineInput;
  readonly #left: Promise<void>;
  #leave: (reason?: { error: unknown }) => void = () => undefined;
  /** Messages whose turn has not ended. */
  #open = 0;
  #abort = new AbortController();
  readonly #turns = new Set<Promise<void>>();
  #isStopping = false;
  #isInputOver = false;
  #reported: unknown;
  /** Commands are run one after the other; what is said meanwhile waits for them. */
  #commands: Promise<void> = Promise.resolve();
  #openCommands = 0;
  /** Ends a question of a command. */
  #question: AbortController | undefined;

  constructor(
    context: Context,
    plan: ChatPlan,
    store: ConversationStore,
    chat: ChatParts,
    runCommand: (typed: TypedCommand) => Promise<void>,
  ) {
    this.#runCommand = runCommand;
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
      onMessage: (text) => this.#take(text),
      onInterrupt: () => this.#interrupt(),
      onEnd: () => this.#endInput(),
    });
    this.#view = new TurnView(context, this.#input);
    this.use(chat, undefined);
  }

  get chat(): ChatParts {
    return this.#chat;
  }

  /** A turn is at work. */
  get isBusy(): boolean {
    return this.#open > 0;
  }

  /** From now on this session is talked to; without a conversation, in a new one. */
  use(chat: ChatParts, conversation: Conversation | undefined): void {
    this.#chat = chat;
    this.conversation = conversation;
    chat.session.events.listen((event) => this.#view.show(event));
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
    this.#question?.abort();
    this.#input.close();
  }

  /** Waits for the commands that were begun: one of them may be opening another session. */
  async commandsEnded(): Promise<void> {
    await this.#commands;
  }

  /** A dim line of the program's own, also while an answer is given. */
  note(line: string): void {
    this.#input.line(this.#context.style.dim(plainLine(line)));
  }

  /** Asks for permission; whoever has no way to answer any more has said no. */
  async ask(question: ApprovalQuestion, input: JsonValue | undefined): Promise<ApprovalAnswer> {
    if (this.#isInputOver) return { allow: false };
    const asked = formatQuestion(this.#context, question, input);
    for (const line of asked.lines) this.#input.line(line);
    for (;;) {
      const answer = asked.read(await this.#input.ask(asked.prompt, question.signal));
      if (answer) return answer;
      if (this.#isInputOver) return { allow: false };
      this.note(this.#context.text.repl.noAnswer(asked.keys));
    }
  }

  /** A line that was typed: said, or meant for the program itself. */
  #take(text: string): void {
    const typed = readTypedLine(text);
    if ('say' in typed) {
      void this.#say(typed.say);
      return;
    }
    this.#openCommands += 1;
    this.#input.setBusy(true);
    this.#commands = this.#commands.then(async () => {
      await this.#runCommand(typed).catch((error: unknown) => this.#report(error));
      this.#openCommands -= 1;
      this.#input.setBusy(this.#open > 0 || this.#openCommands > 0);
    });
  }

  /** Lines of the program's own, between what is said. */
  tell(lines: readonly string[]): void {
    for (const line of lines) this.#input.line(line);
  }

  /** One line for a command; undefined where nobody answers. */
  async askLine(prompt: string): Promise<string | undefined> {
    if (this.#isInputOver) return undefined;
    const question = new AbortController();
    this.#question = question;
    try {
      const line = await this.#input.ask(prompt, question.signal);
      return this.#isInputOver ? undefined : line;
    } catch {
      return undefined;
    } finally {
      this.#question = undefined;
    }
  }

  /** Waits until no turn is at work. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#turns);
  }

  leave(): void {
    this.#endInput();
  }

  #endInput(): void {
    this.#isInputOver = true;
    if (this.#open === 0) this.#leave();
  }

  #say(text: string): Promise<void> {
    const turn = this.#sayNow(text).finally(() => this.#turns.delete(turn));
    this.#turns.add(turn);
    return turn;
  }

  async #sayNow(text: string): Promise<void> {
    if (this.#openCommands > 0) await this.#commands;
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
    else this.#input.setBusy(this.#openCommands > 0);
  }

  #interrupt(): void {
    if (this.#question) {
      this.#question.abort();
      return;
    }
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
      this.#input.line(style.dim(text.chat.stopped(isKept(this.conversation))));
      return;
    }
    const sentence = isContinuoError(error) ? describeError(error, text) : String((error as ContinuoError).message);
    this.#input.line(`${style.red(text.errorHeading)}${plainText(sentence)}`);
  }
}

/** Whether anything of what is said stays. */
export function isKept(conversation: Conversation | undefined): boolean {
  return conversation?.policy.kind !== 'none';
}
