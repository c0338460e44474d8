// A turn as people watch it: the answer as it comes, each tool call in one dim line with its outcome folded into another. What a
// terminal could obey is made visible first.
import type { RuntimeEvent, RuntimeEventOf } from '../../runtime/runtime-event.ts';
import type { Context } from '../context.ts';
import { describeTold } from '../error-report.ts';
import { PlainStream, plainLine } from '../output/plain-text.ts';

const longestSummary = 120;

/** Where a turn is shown. */
export interface Screen {
  write(text: string): void;
  /** A line of its own, also in the middle of an answer. */
  line(text: string): void;
}

export class TurnView {
  readonly #context: Context;
  readonly #screen: Screen;
  readonly #said = new PlainStream();
  #isThinking = false;

  constructor(context: Context, screen: Screen) {
    this.#context = context;
    this.#screen = screen;
  }

  show(event: RuntimeEvent): void {
    const isThinking = event.type === 'thinking-delta';
    const line = isThinking && this.#isThinking ? undefined : this.#describe(event);
    this.#isThinking = isThinking;
    if (event.type === 'text-delta') this.#screen.write(this.#said.push(event.text));
    else if (line !== undefined) this.#screen.line(this.#context.style[event.type === 'warning' ? 'yellow' : 'dim'](line));
  }

  /** The line an event is worth, if any. */
  #describe(event: RuntimeEvent): string | undefined {
    const words = this.#context.text.chat;
    switch (event.type) {
      case 'thinking-delta':
        return words.thinking;
      case 'tool-call':
        return `→ ${plainLine(event.tool)} ${summarizeInput(event.input)}`.trimEnd();
      case 'tool-result':
        return `← ${this.#describeResult(event)}`;
      case 'model-retry':
        return words.retry(event.attempt, Math.ceil(event.delay / 1000), retryReason(words.retryReasons, event.code));
      case 'history-trim':
        return words.trimmed(event.dropped);
      case 'input-drain':
        return words.drained(event.count);
      case 'warning':
        return plainLine(describeTold(event, this.#context.text));
      default:
        return undefined;
    }
  }

  #describeResult({ text: said, failed, code }: RuntimeEventOf<'tool-result'>): string {
    const { text } = this.#context;
    if (code === 'approval-denied') return text.chat.denied;
    const { lines, exitCode } = readOutput(said);
    const first = plainLine(lines.find((line) => line.trim() !== '') ?? '');
    const folded = lines.length > 1 ? `${text.chat.lines(lines.length)} · ${cut(first)}` : cut(first);
    return [...(failed ? [text.transcript.failed] : []), ...(failed && exitCode !== undefined ? [exitCode] : []), folded].join(
      ' · ',
    );
  }
}

/** What a call is about, in one line: the values of its input. */
export function summarizeInput(input: unknown): string {
  if (typeof input !== 'object' || input === null) return cut(plainLine(JSON.stringify(input) ?? ''));
  const values = Object.values(input).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return cut(plainLine(values.join(' ').slice(0, longestSummary * 4)));
}

/** What a tool said, and how a command of it ended: that line is none of its output. */
function readOutput(said: string): { lines: string[]; exitCode?: string } {
  const lines = said.trimEnd().split('\n');
  const exitCode = lines.length > 1 ? /^\((exit code \d+)\)$/.exec(lines.at(-1) ?? '')?.[1] : undefined;
  return exitCode === undefined ? { lines } : { lines: lines.slice(0, -1), exitCode };
}

function retryReason(reasons: Context['text']['chat']['retryReasons'], code: string): string {
  return code === 'model-rate-limited' || code === 'model-unreachable' ? reasons[code] : reasons.other;
}

function cut(text: string): string {
  return text.length > longestSummary ? `${text.slice(0, longestSummary)}…` : text;
}
