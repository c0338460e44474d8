// Asks for permission at the terminal, beside what goes to stdout. Ctrl-C there is Ctrl-C to the program.
import { createInterface } from 'node:readline/promises';
import type { JsonValue } from '../../base/json.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../runtime/approvals/approvals.ts';
import type { Context } from '../context.ts';
import { plainText } from '../output/plain-text.ts';
import { formatQuestion } from './approval-question.ts';

/** To be called only where stdin and stderr are a terminal. */
export async function askApproval(
  context: Context,
  question: ApprovalQuestion,
  input: JsonValue | undefined,
): Promise<ApprovalAnswer> {
  const asked = formatQuestion(context, question, input);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', () => {
    process.stderr.write('\n');
    lines.close();
    process.kill(process.pid, 'SIGINT');
  });
  try {
    process.stderr.write(`${asked.lines.join('\n')}\n`);
    for (;;) {
      const answer = asked.read(await lines.question(plainText(asked.prompt), { signal: question.signal }));
      if (answer) return answer;
      process.stderr.write(`${context.text.repl.noAnswer(asked.keys)}\n`);
    }
  } catch {
    return { allow: false };
  } finally {
    lines.close();
  }
}
