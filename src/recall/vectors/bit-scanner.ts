// Runs the scan over sign bits: in WebAssembly where the machine knows its vector instructions, in plain JavaScript otherwise. Both
// work on the same memory in the same layout and come to the same distances.
import { buildBitScanModule } from './bit-scan-module.ts';

export interface ScanPlace {
  bits: number;
  /** Bytes of 16 rows. */
  blockBytes: number;
  table: number;
  mask: number;
  maskEnd: number;
  distances: number;
  histogram: number;
}

export interface BitScanner {
  readonly kind: 'simd' | 'plain';
  /** Another object after the memory has grown. */
  readonly buffer: ArrayBuffer;
  /** Makes the memory at least so many bytes large and keeps what is in it. */
  grow(bytes: number): void;
  scan(place: ScanPlace): void;
  /** Writes the numbers of the rows whose distance does not exceed the limit to `rows`, 16 bits each; says how many. */
  collect(distances: number, end: number, limit: number, rows: number): number;
}

export function createBitScanner(kind: BitScanner['kind'] = 'simd'): BitScanner {
  return (kind === 'simd' ? createSimdScanner() : undefined) ?? new PlainScanner();
}

const pageBytes = 65_536;

interface ScanExports {
  scan(...places: number[]): void;
  collect(distances: number, end: number, limit: number, rows: number): number;
}

/** The little of WebAssembly that is used; its types belong to browsers. */
interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => WebAssemblyMemory;
  Instance: new (module: object, imports: object) => { exports: ScanExports };
}

interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

function createSimdScanner(): BitScanner | undefined {
  const api = (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly;
  const bytes = buildBitScanModule();
  if (!api?.validate(bytes)) return undefined;
  try {
    const memory = new api.Memory({ initial: 1 });
    const { exports } = new api.Instance(new api.Module(bytes), { scan: { memory } });
    return new SimdScanner(memory, exports);
  } catch (error) {
    // A process with little address space cannot reserve what WebAssembly wants.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

class SimdScanner implements BitScanner {
  readonly kind = 'simd';
  readonly #memory: WebAssemblyMemory;
  readonly #exports: ScanExports;

  constructor(memory: WebAssemblyMemory, exports: ScanExports) {
    this.#memory = memory;
    this.#exports = exports;
  }

  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  grow(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / pageBytes));
  }

  scan({ bits, blockBytes, table, mask, maskEnd, distances, histogram }: ScanPlace): void {
    this.#exports.scan(bits, blockBytes, table, mask, maskEnd, distances, histogram);
  }

  collect(distances: number, end: number, limit: number, rows: number): number {
    return this.#exports.collect(distances, end, limit, rows);
  }
}

class PlainScanner implements BitScanner {
  readonly kind = 'plain';
  #buffer = new ArrayBuffer(pageBytes);

  get buffer(): ArrayBuffer {
    return this.#buffer;
  }

  grow(bytes: number): void {
    if (bytes <= this.#buffer.byteLength) return;
    const larger = new ArrayBuffer(Math.ceil(bytes / pageBytes) * pageBytes);
    new Uint8Array(larger).set(new Uint8Array(this.#buffer));
    this.#buffer = larger;
  }

  scan(place: ScanPlace): void {
    const bytes = new Uint8Array(this.#buffer);
    const rows = (place.maskEnd - place.mask) * 8;
    const distances = new Uint16Array(this.#buffer, place.distances, rows);
    const histogram = new Uint32Array(this.#buffer, place.histogram, 65_536);
    const rowBytes = place.blockBytes / 16;
    for (let row = 0; row < rows; row++) {
      if (!(((bytes[place.mask + (row >> 3)] as number) >> (row & 7)) & 1)) {
        distances[row] = 65_535;
        continue;
      }
      let from = place.bits + (row >> 4) * place.blockBytes + (row & 15);
      let table = place.table;
      let distance = 0;
      for (let i = 0; i < rowBytes; i++, from += 16, table += 32) {
        const byte = bytes[from] as number;
        distance += (bytes[table + (byte & 15)] as number) + (bytes[table + 16 + (byte >> 4)] as number);
      }
      distances[row] = distance;
      histogram[distance] = (histogram[distance] as number) + 1;
    }
  }
  collect(distances: number, end: number, limit: number, rows: number): number {
    const from = new Uint16Array(this.#buffer, distances, (end - distances) / 2);
    const into = new Uint16Array(this.#buffer, rows, from.length);
    let count = 0;
    for (let row = 0; row < from.length; row++) if ((from[row] as number) <= limit) into[count++] = row;
    return count;
  }
}
