// What the application asks the person: one of several answers, a line, permission. The text stands in the talk, the answer is typed.
import type { JsonValue } from '../../../base/json.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../../runtime/approvals/approvals.ts';
import { formatQuestion } from '../../chat/approval-question.ts';
import type { Context } from '../../context.ts';
import type { Question } from '../repl-host.ts';
import type { ScreenState } from '../view/screen-state.ts';
import { emptyEditor } from './editor.ts';
import { Questions } from './questions.ts';

export class AskPerson {
  readonly #context: Context;
  readonly #screen: ScreenState;
  readonly #say: (lines: readonly string[]) => void;
  readonly #questions: Questions;
  #isApproving = false;

  constructor(context: Context, screen: ScreenState, say: (lines: readonly string[]) => void) {
    this.#context = context;
    this.#screen = screen;
    this.#say = say;
    this.#questions = new Questions(
      () => screen.view.editor,
      (question, editor) => screen.show({ question, editor, offers: undefined }),
    );
  }

  get isAsking(): boolean {
    return this.#questions.isAsking;
  }

  async ask({ lines, choices }: Question): Promise<string | undefined> {
    const byKey = (typed: string) => choices.find(({ key }) => key.toLowerCase() === typed.trim().toLowerCase());
    const keys = choices.map(({ key }) => key).join('/');
    const typed = await this.#questions.ask({
      prompt: this.#context.text.repl.choose(keys),
      keys,
      accepts: (answer) => byKey(answer) !== undefined,
      onAsked: () => this.#say([...lines, ...choices.map(({ key, label }) => `  [${key}] ${label}`)]),
    });
    return typed === undefined ? undefined : byKey(typed)?.key;
  }

  askText(prompt: string, initial = ''): Promise<string | undefined> {
    return this.#questions.ask({ prompt, initial });
  }

  async approve(question: ApprovalQuestion, input: JsonValue | undefined): Promise<ApprovalAnswer> {
    const asked = formatQuestion(this.#context, question, input);
    const typed = await this.#questions.ask({
      prompt: asked.prompt.trim(),
      keys: asked.keys,
      accepts: (answer) => asked.read(answer) !== undefined,
      signal: question.signal,
      onAsked: () => {
        this.#isApproving = true;
        this.#say(asked.lines);
      },
    });
    this.#isApproving = false;
    if (question.signal.aborted) throw question.signal.reason;
    return (typed === undefined ? undefined : asked.read(typed)) ?? { allow: false };
  }

  /** Enter was pressed; what is no answer is told, with the answers there are. */
  answer(typed: string): void {
    const wanted = this.#questions.answer(typed);
    if (wanted) this.#screen.show({ editor: emptyEditor, notice: this.#context.text.repl.noAnswer(wanted.keys) });
  }

  /** False where nothing is asked that can be turned away from: permission is given or not. */
  turnAway(): boolean {
    if (!this.isAsking || this.#isApproving) return false;
    this.#questions.turnAway();
    return true;
  }

  close(): void {
    this.#questions.close();
  }
}
