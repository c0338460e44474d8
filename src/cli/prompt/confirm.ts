// A yes or no. Nothing but a clear yes counts as one. To be called only where stdin and stderr are a terminal.
import { askLine } from './ask-line.ts';

const yes = new Set(['y', 'yes', '是', '好', '确定']);

export async function confirm(question: string): Promise<boolean> {
  const answer = await askLine(question);
  return answer !== undefined && yes.has(answer.trim().toLowerCase());
}
