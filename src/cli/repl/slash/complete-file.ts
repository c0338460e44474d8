// File names as they are typed after a command: the rest of the line, perhaps in quotes, and what could complete one.
import { readdir } from 'node:fs/promises';

const mostNames = 100;

/** A name may hold spaces. */
export function readFileName(words: readonly string[]): string {
  const name = words.join(' ');
  return /^(["']).*\1$/.test(name) ? name.slice(1, -1) : name;
}

/** Names in the folder that was typed so far; folders end with a slash. Hidden ones only where a dot was typed. */
export async function completeFile(typed: string, fits: (name: string) => boolean = () => true): Promise<string[]> {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const begun = typed.slice(folder.length);
  const entries = await readdir(folder === '' ? '.' : folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')))
    .filter((entry) => entry.isDirectory() || fits(entry.name))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort()
    .slice(0, mostNames);
}
