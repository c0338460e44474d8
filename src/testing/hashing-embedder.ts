// An embedder for tests: every word, and every pair of neighbouring CJK characters, adds to one coordinate chosen by its hash. Texts
// that share words are near each other; it knows nothing of meaning. The same text gives the same bytes everywhere.
import type { Embedder } from '../model/ports/embedder.ts';

export interface HashingEmbedderOptions {
  /** 256 unless given. */
  dimension?: number;
  /** Another name is another model: its words fall on other coordinates. */
  name?: string;
}

export function createHashingEmbedder({ dimension = 256, name = 'hashing' }: HashingEmbedderOptions = {}): Embedder {
  return {
    id: `${name}-${dimension}@1`,
    dimension,
    embed: async (texts, { signal } = {}) => {
      signal?.throwIfAborted();
      return texts.map((text) => embedText(text, dimension, name));
    },
  };
}

function embedText(text: string, dimension: number, name: string): Float32Array {
  const vector = new Float32Array(dimension);
  for (const feature of featuresOf(text)) {
    const hash = hashOf(`${name} ${feature}`);
    const at = hash % dimension;
    vector[at] = (vector[at] as number) + (hash & 0x40000000 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

function* featuresOf(text: string): Generator<string> {
  const folded = text.normalize('NFKC').toLowerCase();
  for (const [run] of folded.matchAll(cjk)) {
    const characters = [...run];
    if (characters.length === 1) yield run;
    for (let i = 1; i < characters.length; i++) yield `${characters[i - 1]}${characters[i]}`;
  }
  for (const [word] of folded.replace(cjk, ' ').matchAll(/[\p{L}\p{N}]+/gu)) yield word;
}

/** FNV-1a, stirred at the end so that the low bits are as good as the high ones. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 13), 0x297a2d39);
  return (hash ^ (hash >>> 16)) >>> 0;
}
