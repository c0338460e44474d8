// conversation.semantic_search.embedding_dimension against the embedder in use. The embedder knows its vectors best: where the setting
// says something else, the embedder counts, and whoever wrote the setting is told once what to write instead.
import { ContinuoError } from '../../model/error.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import type { EmbedderSource } from '../../recall/embedders/embedder-slot.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';

export function withDimensionCheck(context: Context, source: EmbedderSource): EmbedderSource {
  const expected = context.config()['conversation.semantic_search.embedding_dimension'].value;
  if (expected === undefined) return source;
  return async () => {
    const embedder = typeof source === 'function' ? await source() : source;
    if (embedder.dimension !== expected) tell(context, embedder, expected);
    return embedder;
  };
}

function tell({ output, style, text }: Context, { id, dimension }: Embedder, expected: number): void {
  const mismatch = new ContinuoError('dimension-mismatch', { embedder: id, found: dimension, expected });
  output.note(style.yellow([describeError(mismatch, text), text.recall.dimension(dimension)].join(text.sentenceGap)));
}
