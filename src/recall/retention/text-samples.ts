// Which older conversations may stand as a whole in a newer one, without comparing every pair: of each older one a sample of its
// windows is kept, and the windows of a newer one are looked up among all samples at once.

const sampleSize = 32;
/** Of the sample; what is really contained has nearly all. */
const likelyShare = 0.7;
/** A conversation that is like many others but in none of them is not compared with all of those. */
const mostAttempts = 3;

export class TextSamples {
  readonly #places = new Map<number, number[]>();
  readonly #sizes: number[] = [];
  readonly #attempts: number[] = [];

  /** Takes a conversation in, under the next number. */
  add(windows: ReadonlySet<number>): number {
    const number = this.#sizes.length;
    const sample = Uint32Array.from(windows).sort().subarray(0, sampleSize);
    for (const window of sample) {
      const place = this.#places.get(window);
      if (place) place.push(number);
      else this.#places.set(window, [number]);
    }
    this.#sizes.push(sample.length);
    this.#attempts.push(0);
    return number;
  }

  /** The numbers of those that may be contained in a text of these windows. */
  findLikely(windows: ReadonlySet<number>, isWanted: (number: number) => boolean): number[] {
    const counts = new Uint8Array(this.#sizes.length);
    for (const window of windows) {
      const numbers = this.#places.get(window);
      if (numbers) for (const number of numbers) counts[number] = (counts[number] as number) + 1;
    }
    const likely: number[] = [];
    counts.forEach((count, number) => {
      if (count === 0 || count < (this.#sizes[number] as number) * likelyShare) return;
      const attempts = this.#attempts[number] as number;
      if (attempts >= mostAttempts || !isWanted(number)) return;
      this.#attempts[number] = attempts + 1;
      likely.push(number);
    });
    return likely;
  }
}
