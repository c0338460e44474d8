// Asks for permission at the terminal, beside what goes to stdout. Ctrl-C there is Ctrl-C to the program.
import type { JsonValue } from '../../base/json.ts';
import { settlesWithin } from '../../base/settles-within.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../runtime/approvals/approvals.ts';
import type { Context } from '../context.ts';
import { Interrupted } from '../interrupted.ts';
import { plainText } from '../output/plain-text.ts';
import { askLine } from '../prompt/ask-line.ts';
import { formatQuestion } from './approval-question.ts';

const patience = 2000;

/** To be called only where stdin and stderr are a terminal. */
export async function askApproval(
  context: Context,
  question: ApprovalQuestion,
  input: JsonValue | undefined,
): Promise<ApprovalAnswer> {
  const asked = formatQuestion(context, question, input);
  try {
    process.stderr.write(`${asked.lines.join('\n')}\n`);
    for (;;) {
      const typed = await askLine(plainText(asked.prompt.trimEnd()), question.signal);
      if (typed === undefined) return { allow: false };
      const answer = asked.read(typed);
      if (answer) return answer;
      process.stderr.write(`${context.text.repl.noAnswer(asked.keys)}\n`);
    }
  } catch (error) {
    if (error instanceof Interrupted) await interrupt(question.signal);
    return { allow: false };
  }
}

/** The signal arrives in a moment. An answer before it would be kept as a no of the person, who has given none. */
async function interrupt(signal: AbortSignal): Promise<void> {
  process.kill(process.pid, 'SIGINT');
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  if (!signal.aborted) await settlesWithin(aborted, patience);
}
