// The task, asked for at a terminal where none was given. Typed as in a talk: pasted text is one task, a backslash goes on.
import { LineInput } from '../chat/line-input.ts';
import type { Context } from '../context.ts';
import { Interrupted } from '../interrupted.ts';

/** Undefined where nothing is said. */
export function askTask({ style, text }: Context): Promise<string | undefined> {
  process.stderr.write(`${style.dim(text.code.askTask)}\n`);
  return new Promise<string | undefined>((resolve, reject) => {
    const lines = new LineInput({
      input: process.stdin,
      output: process.stderr as NodeJS.WriteStream,
      prompt: `${style.cyan('>')} `,
      continued: `${style.dim('…')} `,
      onMessage: (said) => end(() => resolve(said)),
      onInterrupt: () => end(() => reject(new Interrupted())),
      onEnd: () => end(() => resolve(undefined)),
    });
    function end(settle: () => void): void {
      lines.close();
      settle();
    }
    lines.setBusy(false);
  });
}
