// The work as people watch it: answers and calls as in a talk, each phase in one line, what checks say in a few, the verdict of a
// review. All of it goes beside the result; at a terminal the answers are shown as they come.
import type { CodeAgentEvent } from '../../code-agent/code-agent.ts';
import type { WorkState } from '../../code-agent/code-agent-state.ts';
import type { ReviewVerdict } from '../../code-agent/review/review-verdict.ts';
import { describeValidation, type ValidationWords } from '../../code-agent/validation/describe-validation.ts';
import type { Checks } from '../../code-agent/work-loop.ts';
import type { RuntimeEvent } from '../../runtime/runtime-event.ts';
import { type TurnWatch, watchTurn } from '../chat/turn-watch.ts';
import type { Context } from '../context.ts';
import { plainLine, plainText } from '../output/plain-text.ts';

const mostOutput = 12;
const mostFailed = 20;
const mostReview = 30;

export class CodeView {
  readonly watch: TurnWatch;
  readonly #context: Context;
  readonly #isOwn: (event: RuntimeEvent) => boolean;
  #follow: (event: RuntimeEvent) => void = () => undefined;
  #beforeLine: () => void = () => undefined;
  /** Of the checks that run now. */
  #shownLines = 0;
  #hiddenLines = 0;
  #rest = '';

  /** `isOwn` tells the agent's conversation from that of a reviewer, whose words come as its verdict. */
  constructor(context: Context, isOwn: (event: RuntimeEvent) => boolean) {
    this.#context = context;
    this.#isOwn = isOwn;
    this.watch = watchTurn(context, (listener) => {
      this.#follow = listener;
    });
  }

  /** Called before anything is written. */
  set beforeLine(clear: () => void) {
    this.#beforeLine = clear;
  }

  show(event: CodeAgentEvent): void {
    if (event.type === 'phase') this.#showPhase(event);
    else if (event.type === 'check-output') this.#showOutput(event.text);
    else if (event.type === 'checks') this.#showChecks(event.checks);
    else if (event.type === 'review') this.#showVerdict(event.verdict);
    else this.#showTurn(event.event);
  }

  /** A line of its own, also in the middle of an answer. */
  line(text: string): void {
    this.#beforeLine();
    this.watch.finish();
    this.#context.output.note(text);
  }

  #showTurn(event: RuntimeEvent): void {
    const isSaid = event.type === 'text-delta' || event.type === 'thinking-delta';
    if (!this.#isOwn(event) && (isSaid || event.type === 'turn-end')) return;
    this.#beforeLine();
    this.#follow(event);
  }

  #showPhase({ phase, checks, reviews }: WorkState): void {
    const { text, style } = this.#context;
    if (phase === 'idle' || phase === 'done') return;
    const round = phase === 'reviewing' ? reviews + 1 : phase === 'checking' ? checks + 1 : 1;
    const words = text.code.phases[phase];
    this.line(style.dim(`── ${round > 1 ? text.code.round(words, round) : words}`));
  }

  #showOutput(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#showOutputLine(line);
  }

  #showOutputLine(line: string): void {
    if (line.trim() === '') return;
    this.#shownLines += 1;
    if (this.#shownLines <= mostOutput) this.line(this.#context.style.dim(`  ${plainLine(line)}`));
    else this.#hiddenLines += 1;
  }

  #showChecks({ outcome, reports }: Checks): void {
    const { text, style } = this.#context;
    this.#showOutputLine(this.#rest);
    const hidden = this.#hiddenLines;
    this.#rest = '';
    this.#shownLines = 0;
    this.#hiddenLines = 0;
    if (hidden > 0) this.line(style.dim(`  ${text.code.moreOutput(hidden)}`));
    // Also what could not be run: whoever reads it knows which rule is missing.
    if (outcome !== 'passed')
      for (const line of lastLines(describeValidation(reports, this.#words()), mostFailed)) this.line(style.dim(`  ${line}`));
    this.line(style[outcome === 'passed' ? 'dim' : 'yellow'](text.code.checkResults[outcome]));
  }

  #words(): ValidationWords {
    const { code, translateReason } = this.#context.text;
    const { notRun, failed, note, ...same } = code.checkWords;
    return {
      ...same,
      notRun: (reason) => notRun(translateReason(reason)),
      failed: (end) => failed(translateReason(end)),
      note: (said) => note(translateReason(said)),
    };
  }

  #showVerdict({ outcome, text: said }: ReviewVerdict): void {
    const { text, style } = this.#context;
    const lines = said === '' ? [] : plainText(said).split('\n');
    for (const line of lines.slice(0, mostReview)) this.line(style.dim(`  ${line}`));
    if (lines.length > mostReview) this.line(style.dim(`  ${text.code.moreOutput(lines.length - mostReview)}`));
    this.line(style[outcome === 'accepted' ? 'dim' : 'yellow'](text.code.verdicts[outcome]));
  }
}

function lastLines(text: string, most: number): string[] {
  const lines = plainText(text).trimEnd().split('\n');
  return lines.length > most ? ['…', ...lines.slice(-most)] : lines;
}
