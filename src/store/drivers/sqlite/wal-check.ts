// SQLite silently ignores what follows the last good commit in its write-ahead log. After a crash that is right; after damage it
// would be silent loss. So the file is looked at before SQLite opens it: frames of the present generation that SQLite then does
// not count were torn or damaged, and that is reported.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Database } from 'better-sqlite3-multiple-ciphers';
import type { Problem } from '../../../model/ports/store-driver.ts';

const headerSize = 32;
const frameHeaderSize = 24;

export interface WalSize {
  /** Up to the last one of the present generation. */
  frames: number;
  /** Bytes of a header or a frame that was not written to its end, or not as it should be. */
  loose: number;
  /** What tells this generation of the log from others. */
  generation: string;
}

const nothing: WalSize = { frames: 0, loose: 0, generation: '' };

export function measureWal(databasePath: string): WalSize {
  const path = `${databasePath}-wal`;
  if (!existsSync(path)) return nothing;
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const header = Buffer.alloc(headerSize);
    if (readSync(file, header, 0, headerSize, 0) < headerSize || !isWhole(header)) return { ...nothing, loose: size };
    const frameSize = frameHeaderSize + header.readUInt32BE(8);
    const written = Math.floor((size - headerSize) / frameSize);
    let frames = 0;
    for (let i = 0; i < written; i++) if (belongs(file, headerSize + i * frameSize, header)) frames = i + 1;
    // Behind older frames the rest of a frame is old, too.
    const loose = frames === written ? size - headerSize - written * frameSize : 0;
    return { frames, loose, generation: generationOf(header) };
  } finally {
    closeSync(file);
  }
}

/**
 * What SQLite left out of the log that was measured before it opened the file. Frames another process is just writing look the same
 * as torn ones, so a suspicion is looked into while `alone` keeps everybody from writing.
 */
export function compareWal(
  database: Database,
  path: string,
  before: WalSize,
  alone: (look: () => Problem | undefined) => Problem | undefined,
): Problem | undefined {
  const isSuspicious = () => describeLoss(database, path, before) !== undefined;
  if ((before.frames === 0 && before.loose === 0) || !isSuspicious()) return undefined;
  return alone(() => {
    const now = measureWal(path);
    // Another process has begun the log anew since: what was measured is in the database by now.
    return now.generation === before.generation ? describeLoss(database, path, now) : undefined;
  });
}

function describeLoss(database: Database, path: string, wal: WalSize): Problem | undefined {
  const [state] = database.pragma('wal_checkpoint(PASSIVE)') as { busy: number; log: number }[];
  // Another process is writing the log back at this moment: that one sees what there is to see.
  if (state?.busy !== 0 || state.log < 0) return undefined;
  const missing = wal.frames - state.log;
  if (missing <= 0 && wal.loose === 0) return undefined;
  const detail =
    missing > 0
      ? `the write-ahead log ends in ${missing} unusable pages; what was committed before them is intact`
      : `the write-ahead log ends in ${wal.loose} loose bytes; what was committed before them is intact`;
  return { code: 'torn-tail', file: `${path}-wal`, detail };
}

/** Frames of older generations differ in both halves of the salt; where only one differs, it was damaged. */
function belongs(file: number, offset: number, header: Buffer): boolean {
  const frame = Buffer.alloc(frameHeaderSize);
  readSync(file, frame, 0, frameHeaderSize, offset);
  return frame.readUInt32BE(8) === header.readUInt32BE(16) || frame.readUInt32BE(12) === header.readUInt32BE(20);
}

function generationOf(header: Buffer): string {
  return header.toString('hex', 12, 24);
}

/** Whether the header matches the checksum it ends with. */
function isWhole(header: Buffer): boolean {
  const magic = header.readUInt32BE(0);
  if ((magic & ~1) !== 0x377f0682) return false;
  const word = (offset: number) => (magic & 1 ? header.readUInt32BE(offset) : header.readUInt32LE(offset));
  let first = 0;
  let second = 0;
  for (let offset = 0; offset < 24; offset += 8) {
    first = (first + word(offset) + second) >>> 0;
    second = (second + word(offset + 4) + first) >>> 0;
  }
  return first === header.readUInt32BE(24) && second === header.readUInt32BE(28);
}
