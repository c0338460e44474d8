// A talk in lines at a terminal, whoever is talked to: typed lines are said or are commands, commands run one after the other, Ctrl-C
// stops the turn at work and, between turns, leaves. What goes wrong in a turn is told; the talk goes on.
import type { Context } from '../context.ts';
import { plainLine } from '../output/plain-text.ts';
import { LineInput } from './line-input.ts';
import { readTypedLine, type TypedCommand } from './slash-line.ts';

export interface LineTalkOptions {
  context: Context;
  /** Has the words answered; resolves when their turn has ended. Nothing may be thrown. `isFirst` where no turn was at work. */
  say(text: string, isFirst: boolean): Promise<void>;
  runCommand(typed: TypedCommand): Promise<void>;
  /** Stops the turn at work. */
  stop(): void;
  /** The input has ended, or the person leaves, while a turn is at work: it goes on to its end unless it is stopped here. */
  onEnd?(): void;
  /** What went wrong in a command. */
  tellFailure(error: unknown): void;
}

export class LineTalk {
  readonly input: LineInput;
  readonly #options: LineTalkOptions;
  readonly #left: Promise<void>;
  #leave: (reason?: { error: unknown }) => void = () => undefined;
  /** Messages whose turn has not ended. */
  #open = 0;
  readonly #turns = new Set<Promise<void>>();
  #isStopping = false;
  #isInputOver = false;
  /** Commands are run one after the other; what is said meanwhile waits for them. */
  #commands: Promise<void> = Promise.resolve();
  #openCommands = 0;
  /** Ends a question of a command. */
  #question: AbortController | undefined;

  constructor(options: LineTalkOptions) {
    this.#options = options;
    this.#left = new Promise((resolve, reject) => {
      this.#leave = (reason) => (reason ? reject(reason.error) : resolve());
    });
    const { style } = options.context;
    this.input = new LineInput({
      input: process.stdin,
      output: process.stdout,
      prompt: `${style.cyan('>')} `,
      continued: `${style.dim('…')} `,
      onMessage: (text) => this.#take(text),
      onInterrupt: () => this.#interrupt(),
      onEnd: () => this.leave(),
    });
  }

  /** A turn is at work. */
  get isBusy(): boolean {
    return this.#open > 0;
  }

  get isInputOver(): boolean {
    return this.#isInputOver;
  }

  /** Until the person leaves; rejects where {@link fail} ends it. */
  async run(first?: string): Promise<void> {
    this.input.setBusy(first !== undefined);
    if (first !== undefined) void this.#say(first);
    await this.#left;
  }

  end(): void {
    this.#isInputOver = true;
    this.#question?.abort();
    this.input.close();
  }

  /** Nothing can be said here any more. */
  fail(error: unknown): void {
    this.#isInputOver = true;
    this.#leave({ error });
  }

  /** Leaves when no turn is at work. */
  leave(): void {
    this.#isInputOver = true;
    if (this.#open === 0) this.#leave();
    else this.#options.onEnd?.();
  }

  /** Waits for the commands that were begun: one of them may be opening something else. */
  async commandsEnded(): Promise<void> {
    await this.#commands;
  }

  /** Waits until no turn is at work. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#turns);
  }

  /** A dim line of the program's own, also while an answer is given. */
  note(line: string): void {
    this.input.line(this.#options.context.style.dim(plainLine(line)));
  }

  /** Lines of the program's own, between what is said. */
  tell(lines: readonly string[]): void {
    for (const line of lines) this.input.line(line);
  }

  /** One line for a command; undefined where nobody answers. */
  async askLine(prompt: string): Promise<string | undefined> {
    if (this.#isInputOver) return undefined;
    const question = new AbortController();
    this.#question = question;
    try {
      const line = await this.input.ask(prompt, question.signal);
      return this.#isInputOver ? undefined : line;
    } catch {
      return undefined;
    } finally {
      this.#question = undefined;
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
    this.input.setBusy(true);
    this.#commands = this.#commands.then(async () => {
      await this.#options.runCommand(typed).catch((error: unknown) => this.#options.tellFailure(error));
      this.#openCommands -= 1;
      this.input.setBusy(this.#open > 0 || this.#openCommands > 0);
    });
  }

  #say(text: string): Promise<void> {
    const turn = this.#sayNow(text).finally(() => this.#turns.delete(turn));
    this.#turns.add(turn);
    return turn;
  }

  async #sayNow(text: string): Promise<void> {
    if (this.#openCommands > 0) await this.#commands;
    this.#open += 1;
    this.input.setBusy(true);
    await this.#options.say(text, this.#open === 1);
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#isStopping = false;
    if (this.#isInputOver) this.#leave();
    else this.input.setBusy(this.#openCommands > 0);
  }

  #interrupt(): void {
    if (this.#question) this.#question.abort();
    else if (this.#open === 0 || this.#isStopping) this.#leave();
    else {
      this.#isStopping = true;
      this.#options.stop();
    }
  }
}
