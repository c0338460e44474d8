// continuo reindex: the search index made anew from the log.

import { ContinuoError } from '../../model/error.ts';
import type { Context } from '../context.ts';
import { exitStatus } from '../exit-codes.ts';
import { openHomeWithKey } from '../open-home.ts';
import { withProgress } from '../output/progress.ts';

const waitForOthers = 10_000;

export function define(): void {}

export async function run(context: Context): Promise<number | undefined> {
  const { home, text, output } = context;
  const opened = await openHomeWithKey(context, 'care');
  await using store = opened.store;
  const { openRecall } = await import('../../open-recall.ts');
  let problem: unknown;
  const engine = await openRecall({
    home,
    store,
    ...(opened.key && { key: opened.key }),
    onProblem: ({ what, error }) => {
      if (what === 'index-unavailable' || what === 'indexing-failed') problem = error;
    },
  });
  const forget = context.cleanups.add(() => engine.close());
  try {
    const done = await withProgress(context, text.reindex.label, (onProgress) =>
      engine.rebuild({ onProgress, wait: waitForOthers }),
    );
    if (!done)
      throw problem instanceof ContinuoError ? problem : new ContinuoError('io-failed', { path: home, reason: String(problem) });
    const { entries, documents, complete } = done;
    output.done({ home, entries, documents, complete }, () =>
      complete ? text.reindex.done(entries, documents) : text.reindex.busy,
    );
    return complete ? undefined : exitStatus.failed;
  } finally {
    await engine.close();
    forget();
  }
}
