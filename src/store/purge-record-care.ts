// Looks at the record of purges, and takes what is no line out of it, with the file as it was kept beside it.
// Invariant: what other processes append while one mends it is in the mended file, too.
import type { FileHandle } from 'node:fs/promises';
import { writeFileAtomically } from '../base/private-files.ts';
import { toStoreError } from './io-fault.ts';
import { openRecord, PurgeRecord, type PurgeRecordLines, sortLines } from './purge-record.ts';

/** Undefined where nothing was purged yet; throws where it cannot be read. */
export async function lookAtPurgeRecord(path: string): Promise<PurgeRecordLines | undefined> {
  const bytes = await withRecord(path, readWhole);
  return bytes && sortLines(bytes.toString('utf8'));
}

/** The path of the file as it was; undefined where there is none. */
export async function mendPurgeRecord(path: string, now: number): Promise<string | undefined> {
  return withRecord(path, async (file) => {
    const copy = `${path}.damaged-${new Date(now).toISOString().replace(/\W/g, '')}`;
    const bytes = await readWhole(file);
    await writeFileAtomically(copy, bytes);
    const digests = findDigests(bytes);
    await writeFileAtomically(path, digests.map((digest) => `${digest}\n`).join(''));
    // Whoever had the former file open may have written to it until now; whoever writes later sees that it is another.
    await new PurgeRecord(path).addDigests(findDigests(await readWhole(file)));
    return copy;
  });
}

/** Also those that only an editor changed: other ends of lines, capitals, spaces. */
function findDigests(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n');
  return [...new Set(lines.map((line) => line.trim().toLowerCase()).filter((line) => /^[0-9a-f]{64}$/.test(line)))];
}

async function withRecord<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result | undefined> {
  try {
    const file = await openRecord(path);
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw toStoreError(error, path);
  }
}

async function readWhole(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.subarray(0, bytesRead);
}
