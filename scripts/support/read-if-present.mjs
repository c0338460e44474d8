// A file's text, or undefined where there is no such file.
import { readFileSync } from 'node:fs';

export function readIfPresent(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
