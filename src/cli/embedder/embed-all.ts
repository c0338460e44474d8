// Embeds everything that has no vector of this embedder yet, with a bar. Interrupted, what was done stays and the next run goes on.
import type { Embedder } from '../../model/ports/embedder.ts';
import type { RecallEngine } from '../../recall/recall-engine.ts';
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
  const engine = await openRecall({ home: context.home, store, embedder, ...(key && { key }) });
  const forget = context.cleanups.add(() => engine.close());
  try {
    return await embedMissing(context, engine);
  } finally {
    await engine.close();
    forget();
  }
}

/** The index first, then the vectors: two ways to go, two bars. */
export async function embedMissing(context: Context, engine: RecallEngine): Promise<number> {
  const { output, style, text } = context;
  const forget = context.cleanups.add(async () => output.note(style.dim(text.embedder.interrupted)));
  try {
    await withProgress(context, text.reindex.label, (onProgress) =>
      engine.catchUp({ onProgress, wait: waitForOthers, vectors: false }),
    );
    let count = 0;
    await withProgress(context, text.embedder.label, (onProgress) =>
      engine.catchUp({
        onEmbedding: ({ embedded, from, last, watermark }) => {
          count = embedded;
          onProgress(watermark - from, Math.max(1, last - from));
        },
      }),
    );
    await forgetFormer(context);
    return count;
  } finally {
    forget();
  }
}
