// Embeds everything that has no vector of this embedder yet, with a bar. Interrupted, what was done stays and the next run goes on.
import { ContinuoError } from '../../model/error.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import type { RecallEngine, RecallProblem } from '../../recall/recall-engine.ts';
import type { Context } from '../context.ts';
import { openHomeWithKey } from '../open-home.ts';
import { withProgress } from '../output/progress.ts';
import { forgetFormer } from '../recall/configured-embedder.ts';

const waitForOthers = 10_000;

/** How many got a vector. */
export async function embedAll(context: Context, embedder: Embedder): Promise<number> {
  const { store: opened, key } = await openHomeWithKey(context, 'care');
  await using store = opened;
  const { openRecall } = await import('../../open-recall.ts');
  const { home } = context;
  let problem: unknown;
  const onProblem = ({ error }: RecallProblem) => {
    problem = error;
  };
  const engine = await openRecall({ home, store, embedder, onProblem, ...(key && { key }) });
  const forget = context.cleanups.add(() => engine.close());
  try {
    const count = await embedMissing(context, engine);
    if (count !== undefined) return count;
    throw problem instanceof ContinuoError ? problem : new ContinuoError('io-failed', { path: home, reason: String(problem) });
  } finally {
    await engine.close();
    forget();
  }
}

/** The index first, then the vectors: two ways to go, two bars. Undefined where the index cannot be opened. */
export async function embedMissing(context: Context, engine: RecallEngine): Promise<number | undefined> {
  const { output, style, text } = context;
  const forget = context.cleanups.add(async () => output.note('', style.dim(text.embedder.interrupted)));
  try {
    const indexed = await withProgress(context, text.reindex.label, (onProgress) =>
      engine.catchUp({ onProgress, wait: waitForOthers, vectors: false }),
    );
    if (!indexed) return undefined;
    const count = await embedIndexed(context, engine);
    // Another program that still has the one before may have given up what was made here.
    const { vectors } = await engine.status();
    if (vectors?.behind === 0) await forgetFormer(context);
    return count;
  } finally {
    forget();
  }
}

/** What is indexed and has no vector yet. */
export async function embedIndexed(context: Context, engine: RecallEngine): Promise<number> {
  let count = 0;
  await withProgress(context, context.text.embedder.label, (onProgress) =>
    engine.catchUp({
      onEmbedding: ({ embedded, from, last, watermark }) => {
        count = embedded;
        onProgress(watermark - from, Math.max(1, last - from));
      },
    }),
  );
  return count;
}
