// How like each other conversations are, by their words, from 0 (no word in common) to 1 (the same words). A profile is a conversation's
// most frequent words, where a word counts the more the fewer conversations have it (tf-idf); the similarity of two is the square root
// of their cosine. The root, because texts have few words in common even when they are about one thing: measured on short texts, any
// two of the same subject have 0.41 to 0.76, and the nearest of those about nothing alike have 0.15 to 0.41, most of them below 0.3.
import { holdsParticle, isStopWord } from '../tokens/stop-words.ts';

const profileSize = 64;

interface Profile {
  words: Uint32Array;
  weights: Float64Array;
}

interface Posting {
  profiles: number[];
  weights: number[];
}

export class WordProfiles {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #profiles: Profile[] = [];
  #postings: Posting[] | undefined;
  #sums: Float64Array | undefined;

  /** Takes a conversation in, under the next number. */
  add(counts: ReadonlyMap<string, number>): number {
    const words: number[] = [];
    const weights: number[] = [];
    for (const [word, count] of topOf(counts)) {
      words.push(this.#numberOf(word));
      weights.push(1 + Math.log(count));
    }
    return this.#profiles.push({ words: Uint32Array.from(words), weights: Float64Array.from(weights) }) - 1;
  }

  /** How like it the most similar other one is; where some are at least so like it as is `enough`, any value from there on. */
  nearest(number: number, enough: number): number {
    this.#postings ??= this.#weigh();
    const { words, weights } = this.#profiles[number] as Profile;
    this.#sums ??= new Float64Array(this.#profiles.length);
    const sums = this.#sums.fill(0);
    let best = 0;
    // The heaviest words first: sums only grow, so that what is related is mostly known after a few.
    for (const i of [...weights.keys()].sort((a, b) => (weights[b] as number) - (weights[a] as number))) {
      const { profiles, weights: others } = this.#postings[words[i] as number] as Posting;
      for (let j = 0; j < profiles.length; j += 1) {
        const other = profiles[j] as number;
        if (other === number) continue;
        const sum = (sums[other] as number) + (weights[i] as number) * (others[j] as number);
        sums[other] = sum;
        if (sum > best) best = sum;
      }
      if (best >= enough * enough) break;
    }
    return Math.min(1, Math.sqrt(best));
  }

  /** Its words, most frequent first, as a question for recall. */
  wordsOf(number: number, most: number): string[] {
    return [...(this.#profiles[number] as Profile).words.subarray(0, most)].map((word) => this.#words[word] as string);
  }

  /** Turns counts into weights of unit length, once all conversations are known. */
  #weigh(): Posting[] {
    const holders = new Uint32Array(this.#words.length);
    for (const { words } of this.#profiles) for (const word of words) holders[word] = (holders[word] as number) + 1;
    const postings = this.#words.map((): Posting => ({ profiles: [], weights: [] }));
    this.#profiles.forEach(({ words, weights }, number) => {
      words.forEach((word, i) => {
        weights[i] = (weights[i] as number) * Math.log(1 + this.#profiles.length / (holders[word] as number));
      });
      const length = Math.hypot(...weights);
      words.forEach((word, i) => {
        weights[i] = (weights[i] as number) / length;
        postings[word]?.profiles.push(number);
        postings[word]?.weights.push(weights[i] as number);
      });
    });
    return postings;
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.#numbers.set(word, this.#words.length);
    return this.#words.push(word) - 1;
  }
}

/** Adds the tokens that say what a text is about. */
export function countWords(tokens: readonly string[], counts: Map<string, number>): void {
  for (const token of tokens) {
    if (token.length < 2 || isStopWord(token) || holdsParticle(token)) continue;
    counts.set(token, (counts.get(token) ?? 0) + 1);
  }
}

function topOf(counts: ReadonlyMap<string, number>): [string, number][] {
  // Equals in the order of the words, so that the same text always gives the same profile.
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, profileSize);
}
