// Plain BM25 over words and, in CJK text, pairs of characters: what embedders are compared with.

export class Bm25 {
  readonly #documents: Map<string, number>[];
  readonly #lengths: number[];
  readonly #average: number;
  readonly #frequency = new Map<string, number>();

  constructor(texts: readonly string[]) {
    this.#documents = texts.map(countTerms);
    this.#lengths = this.#documents.map((terms) => [...terms.values()].reduce((sum, count) => sum + count, 0));
    this.#average = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
    for (const terms of this.#documents) {
      for (const term of terms.keys()) this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1);
    }
  }

  score(query: string, document: number): number {
    const terms = this.#documents[document];
    const length = 0.25 + (0.75 * (this.#lengths[document] ?? 0)) / this.#average;
    let score = 0;
    for (const term of countTerms(query).keys()) {
      const count = terms?.get(term) ?? 0;
      const frequency = this.#frequency.get(term) ?? 0;
      if (count === 0) continue;
      score +=
        (Math.log(1 + (this.#documents.length - frequency + 0.5) / (frequency + 0.5)) * count * 2.2) / (count + 1.2 * length);
    }
    return score;
  }
}

function countTerms(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const run of text.toLowerCase().match(/[a-z0-9]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+/g) ?? []) {
    const characters = [...run];
    const isWord = /^[a-z0-9]/.test(run) || characters.length === 1;
    for (const term of isWord ? [run] : characters.slice(1).map((second, i) => `${characters[i]}${second}`)) {
      terms.set(term, (terms.get(term) ?? 0) + 1);
    }
  }
  return terms;
}
