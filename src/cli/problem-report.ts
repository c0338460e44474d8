// Damage the store met on the way: it goes on with what is intact, and says what is not. Never silently, and never a thousand times.
import type { Problem } from '../model/ports/store-driver.ts';
import type { Context } from './context.ts';
import { plainText } from './output/plain-text.ts';
import { safeJson } from './output/safe-json.ts';

const mostNamed = 3;

/** A listener that warns of the first few different problems on stderr. */
export function warnOfProblems({ output, text, style }: Context): (problem: Problem) => void {
  const told = new Set<string>();
  return (problem) => {
    const { message } = describeProblem(text, problem);
    if (told.has(message) || told.size >= mostNamed) return;
    told.add(message);
    if (output.json) output.warn(safeJson({ problem: { ...problem, message } }));
    else output.warn(style.yellow(plainText(message)), ...(told.size === 1 ? [style.dim(text.doctor.seeDoctor)] : []));
  };
}

/** What is wrong in a sentence, and what to do about it. */
export function describeProblem(
  { doctor, translateReason }: Context['text'],
  problem: Problem,
): { message: string; next: string } {
  const { code, conversationId, file, line, detail } = problem;
  const where = [conversationId, file, line === undefined ? undefined : doctor.line(line)]
    .filter((part) => part !== undefined)
    .join(', ');
  const words = doctor.problems[code];
  return { message: words.message(where, translateReason(detail)), next: words.next };
}
