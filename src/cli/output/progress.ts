// A bar on stderr for work that takes longer than a second, where somebody is watching.
import type { SingleBar } from 'cli-progress';
import type { Progress } from '../../model/ports/store-driver.ts';
import type { Context } from '../context.ts';

const worthShowingAfter = 1000;

/** Does the work with a bar that appears when it is worth showing and is gone when the work is done or has failed. */
export async function withProgress<Result>(
  context: Context,
  label: string,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  if (!context.terminal.stderr || context.flags.quiet) return work(() => undefined);
  const started = performance.now();
  let bar: SingleBar | undefined;
  let isLoading = false;
  let isDone = false;
  const progress: Progress = (done, total) => {
    if (bar) {
      bar.setTotal(total);
      bar.update(done);
    } else if (!isLoading && performance.now() - started > worthShowingAfter) {
      isLoading = true;
      void createBar(label).then((created) => {
        if (isDone) return;
        bar = created;
        bar.start(total, done);
      });
    }
  };
  try {
    return await work(progress);
  } finally {
    isDone = true;
    bar?.stop();
  }
}

/** Not shown before it is started. */
export async function createBar(label: string): Promise<SingleBar> {
  const { default: cliProgress } = await import('cli-progress');
  const format = `${label} [{bar}] {percentage}%  {value}/{total}`;
  return new cliProgress.SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true, gracefulExit: true, etaBuffer: 50 },
    cliProgress.Presets.rect,
  );
}
