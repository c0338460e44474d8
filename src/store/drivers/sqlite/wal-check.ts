// SQLite silently ignores what follows the last good commit in its write-ahead log. After a crash that is right; after damage it
// would be silent loss. So the file is looked at before SQLite opens it: frames of the present generation that SQLite then does
// not count were torn or damaged, and that is reported.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { Problem } from '../../../model/ports/store-driver.ts';

const headerSize = 32;
const frameHeaderSize = 24;

export interface WalSize {
  frames: number;
  /** Bytes of a frame that was not written to its end. */
  loose: number;
}

/** The frames that belong together by their salt, whole or not. */
export function measureWal(databasePath: string): WalSize {
  const path = `${databasePath}-wal`;
  if (!existsSync(path)) return { frames: 0, loose: 0 };
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const header = Buffer.alloc(headerSize);
    if (readSync(file, header, 0, headerSize, 0) < headerSize) return { frames: 0, loose: size };
    const pageSize = header.readUInt32BE(8);
    const salt = header.subarray(16, 24);
    if (pageSize < 512 || pageSize > 65_536) return { frames: 0, loose: size };
    const frameSize = frameHeaderSize + pageSize;
    const frame = Buffer.alloc(frameHeaderSize);
    let frames = 0;
    for (let offset = headerSize; offset + frameHeaderSize <= size; offset += frameSize) {
      readSync(file, frame, 0, frameHeaderSize, offset);
      if (!frame.subarray(8, 16).equals(salt)) return { frames, loose: 0 };
      if (offset + frameSize > size) return { frames, loose: size - offset };
      frames += 1;
    }
    return { frames, loose: 0 };
  } finally {
    closeSync(file);
  }
}

/** What SQLite left out of the log that was measured before it opened the file. */
export function compareWal(database: Database, path: string, before: WalSize): Problem | undefined {
  if (before.frames === 0 && before.loose === 0) return undefined;
  const [state] = database.pragma('wal_checkpoint(PASSIVE)') as { log: number }[];
  const missing = before.frames - Math.max(0, state?.log ?? 0);
  if (missing <= 0 && before.loose === 0) return undefined;
  const detail = `the write-ahead log ends in ${missing > 0 ? `${missing} unusable pages` : `${before.loose} loose bytes`}; what was committed before them is intact`;
  return { code: 'torn-tail', file: `${path}-wal`, detail };
}
