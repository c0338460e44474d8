// One line at a terminal, beside what goes to stdout. Only what was sent with Enter is an answer: what is half typed when the terminal
// goes away is dropped. To be called only where stdin and stderr are a terminal.
import { createInterface } from 'node:readline';
import { Interrupted } from '../interrupted.ts';

/** Undefined where the input has ended. Throws `Interrupted` at Ctrl-C, and the signal's reason. */
export function askLine(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const { stdin, stderr } = process;
  let isOver = false;
  const onEnd = () => {
    isOver = true;
  };
  // Before readline's own listener, which hands over what was not sent.
  stdin.once('end', onEnd);
  const lines = createInterface({ input: stdin, output: stderr });
  return new Promise<string | undefined>((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    lines.on('SIGINT', () => {
      stderr.write('\n');
      reject(new Interrupted());
    });
    lines.on('close', () => resolve(undefined));
    lines.question(`${question} `, (answer) => resolve(isOver ? undefined : answer));
  }).finally(() => {
    stdin.off('end', onEnd);
    lines.close();
  });
}
