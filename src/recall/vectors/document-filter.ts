// Which documents a search may return: told by a function, a set or a bitmap. A bitmap costs nothing, a set as much as it holds, a
// function one call for every document there is.
import { hasBit, segmentRows, setBit } from './segment.ts';

/** One bit a document, the lowest of the first byte for document 0; what lies behind its end is not allowed. */
export type DocumentBitmap = Uint8Array;
export type AllowedDocuments = ((document: number) => boolean) | ReadonlySet<number> | DocumentBitmap;

export function buildDocumentBitmap(documents: Iterable<number>): DocumentBitmap {
  let bitmap = new Uint8Array(1024);
  for (const document of documents) {
    const at = Math.floor(document / 8);
    if (at >= bitmap.length) {
      const larger = new Uint8Array(Math.max(at + 1, bitmap.length * 2));
      larger.set(bitmap);
      bitmap = larger;
    }
    bitmap[at] = (bitmap[at] as number) | (1 << (document % 8));
  }
  return bitmap;
}

/** Puts into `mask` which of the present rows of a segment are allowed. */
export type SegmentFilter = (segment: number, present: Uint8Array, mask: Uint8Array) => void;

export function createSegmentFilter(allowed: AllowedDocuments): SegmentFilter {
  if (allowed instanceof Uint8Array) return (segment, present, mask) => intersect(allowed, segment, present, mask);
  if (typeof allowed === 'function') return (segment, present, mask) => ask(allowed, segment, present, mask);
  const bySegment = groupBySegment(allowed);
  return (segment, present, mask) => {
    mask.fill(0);
    for (const row of bySegment.get(segment) ?? []) {
      if (hasBit(present, row)) setBit(mask, row);
    }
  };
}

function intersect(bitmap: DocumentBitmap, segment: number, present: Uint8Array, mask: Uint8Array): void {
  const from = segment * mask.length;
  for (let i = 0; i < mask.length; i++) mask[i] = (present[i] as number) & (bitmap[from + i] ?? 0);
}

function ask(allowed: (document: number) => boolean, segment: number, present: Uint8Array, mask: Uint8Array): void {
  mask.fill(0);
  for (let row = 0; row < segmentRows; row++) {
    if (hasBit(present, row) && allowed(segment * segmentRows + row)) setBit(mask, row);
  }
}

function groupBySegment(documents: ReadonlySet<number>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const document of documents) {
    const segment = Math.floor(document / segmentRows);
    const group = groups.get(segment);
    if (group) group.push(document % segmentRows);
    else groups.set(segment, [document % segmentRows]);
  }
  return groups;
}
