// Looks at a store as a stranger with the disk in hand would: every byte of every file, and the names.
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const markedWord = /q[0-9a-f]{12}z/g;

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
    for (const [word] of `${name}\n${readBytes(path)}`.matchAll(markedWord)) {
      if (!wanted.has(word)) continue;
      found[word] ??= new Set();
      found[word].add(name);
    }
  }
  return Object.fromEntries(Object.entries(found).map(([word, names]) => [word, [...names]]));
}

/** Everything below the folder and the folder itself. */
export function listPaths(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true });
  return [folder, ...inside.map((entry) => join(entry.parentPath, entry.name))];
}

function readBytes(path: string): string {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, 'latin1') : '';
  } catch (error) {
    // Temporary files come and go.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
