// The port for turning text into vectors. Texts that mean alike lie near each other; nearness is the cosine.

export interface EmbedOptions {
  signal?: AbortSignal;
  /** What the texts are: some models embed a question and a passage differently. A passage unless given. */
  kind?: 'query' | 'passage';
}

export interface Embedder {
  /** Name and version of everything that decides about a vector: where it changes, everything is embedded anew. */
  readonly id: string;
  readonly dimension: number;
  /** One vector a text, in their order, of unit length; all zeros for a text without content. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
}
