// A segment holds the sign bits of 4096 documents: document d is row d % 4096 of segment d / 4096, so that nothing has to be looked
// up, a document added twice takes its own place again, and a bitmap of documents is a bitmap of rows.

export const segmentRows = 4096;
/** Bytes of a bitmap with one bit a row. */
export const bitmapBytes = segmentRows / 8;

export function segmentOf(document: number): number {
  return Math.floor(document / segmentRows);
}

export function rowOf(document: number): number {
  return document % segmentRows;
}

export function hasBit(bits: Uint8Array, row: number): boolean {
  return (((bits[row >> 3] as number) >> (row & 7)) & 1) === 1;
}

export function setBit(bits: Uint8Array, row: number): void {
  bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
}

export function clearBit(bits: Uint8Array, row: number): void {
  bits[row >> 3] = (bits[row >> 3] as number) & ~(1 << (row & 7));
}

export function countBits(bits: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += bitsInByte[bits[i] as number] as number;
  return count;
}

const bitsInByte = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
