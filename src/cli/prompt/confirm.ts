// A yes or no. Nothing but a clear yes counts as one. To be called only where stdin and stderr are a terminal.
import { createInterface } from 'node:readline';
import { Interrupted } from '../interrupted.ts';

const yes = new Set(['y', 'yes', '是', '好', '确定']);

export function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve, reject) => {
    lines.on('SIGINT', () => {
      process.stderr.write('\n');
      reject(new Interrupted());
      lines.close();
    });
    lines.on('close', () => resolve(false));
    lines.question(`${question} `, (answer) => {
      resolve(yes.has(answer.trim().toLowerCase()));
      lines.close();
    });
  });
}
