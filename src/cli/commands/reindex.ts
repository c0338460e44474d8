// continuo reindex: the search index made anew from the log, or only the vectors that are missing in it.
import type { Command } from 'commander';
import { ContinuoError } from '../../model/error.ts';
import type { RecallEngine } from '../../recall/recall-engine.ts';
import type { Context } from '../context.ts';
import { embedMissing } from '../embedder/embed-all.ts';
import { exitStatus } from '../exit-codes.ts';
import type { Help } from '../messages/messages.ts';
import { openHomeWithKey } from '../open-home.ts';
import { withProgress } from '../output/progress.ts';
import { embedderOptions } from '../recall/configured-embedder.ts';
import { usageError } from '../usage-error.ts';

const waitForOthers = 10_000;

export function define(command: Command, { commands: { reindex } }: Help): void {
  command.option('--vectors', reindex.options.vectors);
}

export async function run(
  context: Context,
  _words: readonly string[],
  { vectors = false }: { vectors?: boolean },
): Promise<number | undefined> {
  const { home, text } = context;
  const { embedder } = await embedderOptions(context);
  if (vectors && !embedder) throw usageError(text.embedder.noneToTest);
  const opened = await openHomeWithKey(context, 'care');
  await using store = opened.store;
  const { openRecall } = await import('../../open-recall.ts');
  let problem: unknown;
  const engine = await openRecall({
    home,
    store,
    ...(opened.key && { key: opened.key }),
    embedder: embedder ?? null,
    onProblem: ({ what, error }) => {
      if (what === 'index-unavailable' || what === 'indexing-failed') problem = error;
    },
  });
  const forget = context.cleanups.add(() => engine.close());
  try {
    const done = await makeIndex(context, engine, vectors);
    if (!done)
      throw problem instanceof ContinuoError ? problem : new ContinuoError('io-failed', { path: home, reason: String(problem) });
    const { entries, documents, complete } = done;
    const embedded = embedder && complete ? await embedMissing(context, engine) : undefined;
    context.output.done({ home, entries, documents, complete, embedded: embedded ?? null }, () => [
      ...(complete ? [] : [text.reindex.busy]),
      ...(complete && !vectors ? [text.reindex.done(entries, documents)] : []),
      ...(embedded === undefined ? [] : [text.embedder.embedded(embedded)]),
    ]);
    return complete ? undefined : exitStatus.failed;
  } finally {
    await engine.close();
    forget();
  }
}

function makeIndex(context: Context, engine: RecallEngine, isOnlyCaughtUp: boolean): ReturnType<RecallEngine['rebuild']> {
  return withProgress(context, context.text.reindex.label, (onProgress) => {
    const options = { onProgress, wait: waitForOthers, vectors: false };
    return isOnlyCaughtUp ? engine.catchUp(options) : engine.rebuild(options);
  });
}
