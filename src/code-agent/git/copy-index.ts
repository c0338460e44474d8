// Copies an index with its time. Git takes a file for unchanged when size and time are as the index says, except where the file is as
// young as the index itself; a copy that looks younger would hide a change made in the same moment.
import { copyFile, stat, utimes } from 'node:fs/promises';

/** Copies nothing where there is no index yet. */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    // Looked at before it is copied, and rounded down: too old only makes git look at more files.
    const { mtimeMs } = await stat(from);
    await copyFile(from, to);
    const time = new Date(Math.floor(mtimeMs) - 1);
    await utimes(to, time, time);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
