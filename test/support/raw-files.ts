// Looks at a store as a stranger with the disk in hand would: every byte of every file, and the names.
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const wordLength = 14;
const [firstByte, lastByte] = [...Buffer.from('qz')] as [number, number];

/** A word that occurs nowhere else and is quickly found among millions of bytes. */
export function createMarkedWord(): string {
  return `q${randomBytes(6).toString('hex')}z`;
}

/** Which of the marked words are somewhere below the folder, each with the files that hold it. */
export function findWords(folder: string, words: readonly string[]): Record<string, string[]> {
  const wanted = new Set(words);
  const found: Record<string, Set<string>> = {};
  for (const path of listPaths(folder)) {
    const name = relative(folder, path);
    for (const bytes of [Buffer.from(name), readBytes(path)]) {
      for (const word of markedWords(bytes)) {
        if (!wanted.has(word)) continue;
        found[word] ??= new Set();
        found[word].add(name);
      }
    }
  }
  return Object.fromEntries(Object.entries(found).map(([word, names]) => [word, [...names]]));
}

/** The marked words of a text: looking for thousands of words in megabytes one by one takes seconds. */
export function wordsIn(text: string): Set<string> {
  return markedWords(Buffer.from(text));
}

/** Everything below the folder and the folder itself. */
export function listPaths(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true });
  return [folder, ...inside.map((entry) => join(entry.parentPath, entry.name))];
}

/** What begins and ends like a marked word. Looks at bytes and past repetitions: megabytes of words are searched hundreds of times. */
function markedWords(bytes: Buffer): Set<string> {
  const words = new Set<string>();
  let last = -wordLength;
  for (let at = 0; at <= bytes.length - wordLength; at++) {
    if (bytes[at] !== firstByte || bytes[at + wordLength - 1] !== lastByte) continue;
    if (!isSame(bytes, at, last)) words.add(bytes.toString('latin1', at, at + wordLength));
    last = at;
  }
  return words;
}

function isSame(bytes: Buffer, one: number, other: number): boolean {
  if (other < 0) return false;
  for (let i = 1; i < wordLength - 1; i++) if (bytes[one + i] !== bytes[other + i]) return false;
  return true;
}

function readBytes(path: string): Buffer {
  try {
    return lstatSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0);
  } catch (error) {
    // Temporary files come and go.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
