// Reading one session file: as a whole, or only its first line.
import { ContinuoError } from '../model/error.ts';
import type { Sealer } from '../model/ports/sealer.ts';
import { damagedAt } from './envelope.ts';
import { decodeText, endsWith, readBytes, readFirstLine, withFile } from './regular-file.ts';
import type { SessionSnapshot, SessionSummary } from './session-snapshot.ts';
import { parseFirstLine, parseSnapshot, type SnapshotReading, snapshotEnd } from './snapshot-text.ts';

export interface ReadSummary {
  summary: SessionSummary;
  /** The first line as it is in the file: two states of a session differ in it. */
  firstLine: string;
}

export async function readSessionFile(
  path: string,
  sealer: Sealer | undefined,
): Promise<{ snapshot: SessionSnapshot; firstLine: string }> {
  return withFile(path, async (file, status) => {
    const text = decodeText(await readBytes(file, status, path), path);
    const { snapshot } = parseSnapshot(text, createReading(path, sealer));
    return { snapshot, firstLine: firstLineOf(text) };
  });
}

/** Reads the first line and the last bytes; the whole file only where somebody else has laid it out. */
export async function readSessionSummary(path: string, sealer: Sealer | undefined): Promise<ReadSummary> {
  return withFile(path, async (file, status) => {
    const reading = createReading(path, sealer);
    const size = Number(status.size);
    const firstLine = await readFirstLine(file);
    const found = firstLine === undefined ? undefined : parseFirstLine(firstLine, reading);
    if (found !== undefined && firstLine !== undefined) {
      if (!(await endsWith(file, size, snapshotEnd))) throw reading.fail('its end is missing');
      return { summary: { ...found.head, path, bytes: size, sealed: found.sealed }, firstLine };
    }
    const text = decodeText(await readBytes(file, status, path), path);
    const { snapshot, sealed } = parseSnapshot(text, reading);
    const { context: _context, ...head } = snapshot;
    return { summary: { ...head, path, bytes: size, sealed }, firstLine: firstLineOf(text) };
  });
}

function firstLineOf(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

function createReading(path: string, sealer: Sealer | undefined): SnapshotReading {
  return { path, sealer, fail: damagedAt(path), keyRequired: () => new ContinuoError('key-required', { path }) };
}
