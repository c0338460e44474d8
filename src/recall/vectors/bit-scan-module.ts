// The bytes of the WebAssembly module that scans sign bits, put together here so that no opaque file has to be trusted. A scan reads
// blocks of 16 rows, byte by byte side by side: each half byte of a row picks one of 16 costs, and 16 rows are added up at a time.
//
// scan(bits, blockBytes, table, mask, maskEnd, distances, histogram)
//   bits       blocks of 16 rows; `blockBytes` each, a multiple of 32
//   table      for each half byte of a row 16 costs of at most 63, so that four of them fit into a byte
//   mask       16 bits a block: which rows count
//   distances  written: 16 bits a row, 65,535 where it does not count
//   histogram  added to: 32 bits a distance, how many rows have it
//
// collect(distances, end, limit, rows) → how many
//   rows       written: 16 bits each, the numbers of the rows whose distance does not exceed the limit

export function buildBitScanModule(): Uint8Array<ArrayBuffer> {
  const [i32, v128] = [0x7f, 0x7b];
  const scanType = [0x60, ...list(Array(7).fill([i32])), ...list([])];
  const collectType = [0x60, ...list(Array(4).fill([i32])), ...list([[i32]])];
  const memory = [...text('scan'), ...text('memory'), 0x02, 0x00, 0x01];
  const scanBody = [...list([locals(4, i32), locals(4, v128)]), ...scanCode(), end];
  const collectBody = [...list([locals(3, i32), locals(1, v128)]), ...collectCode(), end];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list([scanType, collectType])),
    ...section(2, list([memory])),
    ...section(3, list([[0x00], [0x01]])),
    ...section(
      7,
      list([
        [...text('scan'), 0x00, 0x00],
        [...text('collect'), 0x00, 0x01],
      ]),
    ),
    ...section(10, list([sized(scanBody), sized(collectBody)])),
  ]);
}

function collectCode(): number[] {
  const [distances, distancesEnd, limit, rows] = [0, 1, 2, 3];
  const [base, rowsStart, place, limits] = [4, 5, 6, 7];
  const takeRow = [
    ...[...get(rows), ...get(place), ...get(base), subtract, ...constant(1), shiftRight, ...storeShort],
    ...advance(rows, 2),
  ];
  const lookClosely = [
    ...[...get(distances), ...set(place)],
    ...loop([
      ...[...get(place), ...loadShort, ...get(limit), atMost, ...ifThen(takeRow)],
      ...[...get(place), ...constant(2), add, ...tee(place), ...get(distances), ...constant(16), add, lessThan],
    ]),
  ];
  return [
    ...[...get(limit), ...splatShort, ...set(limits), ...get(rows), ...set(rowsStart), ...get(distances), ...set(base)],
    ...loop([
      ...[...get(distances), ...loadVector(0), ...get(limits), ...shortsAtMost, ...anyTrue, ...ifThen(lookClosely)],
      ...[...get(distances), ...constant(16), add, ...tee(distances), ...get(distancesEnd), lessThan],
    ]),
    ...[...get(rows), ...get(rowsStart), subtract, ...constant(1), shiftRight],
  ];
}

function scanCode(): number[] {
  const [bits, blockBytes, table, mask, maskEnd, distances, histogram] = [0, 1, 2, 3, 4, 5, 6];
  const [counted, place, blockEnd, row] = [7, 8, 9, 10];
  const [low, high, first, second] = [11, 12, 13, 14];
  const cost = (offset: number, halfByte: number[]) => [...get(place), ...loadVector(offset), ...halfByte, ...swizzle];
  const lowHalf = (vector: number) => [...get(vector), ...splatConstant(0x0f), ...andVector];
  const highHalf = (vector: number) => [...get(vector), ...constant(4), ...shiftRightBytes];

  const addPair = [
    ...[...get(bits), ...loadVector(0), ...set(first)],
    ...[...get(bits), ...loadVector(16), ...set(second)],
    ...[...cost(0, lowHalf(first)), ...cost(16, highHalf(first)), ...addBytes],
    ...[...cost(32, lowHalf(second)), ...cost(48, highHalf(second)), ...addBytes, ...addBytes],
    ...[...tee(first), ...extendLow, ...get(low), ...addShorts, ...set(low)],
    ...[...get(first), ...extendHigh, ...get(high), ...addShorts, ...set(high)],
    ...advance(place, 64),
  ];
  const countRow = [
    ...[...get(row), ...loadShort, ...constant(2), shiftLeft, ...get(histogram), add],
    ...[...tee(place), ...get(place), ...loadWord, ...constant(1), add, ...storeWord],
  ];
  const countRows = [
    ...[...get(distances), ...set(row)],
    ...loop([
      ...[...get(counted), ...constant(1), and],
      ...ifElse(countRow, [...get(row), ...constant(-1), ...storeShort]),
      ...[...get(counted), ...constant(1), shiftRight, ...set(counted)],
      ...[...get(row), ...constant(2), add, ...tee(row), ...get(distances), ...constant(32), add, lessThan],
    ]),
  ];
  const scanBlock = [
    ...[...splatConstant(0), ...set(low), ...splatConstant(0), ...set(high), ...get(table), ...set(place)],
    ...loop([...addPair, ...get(bits), ...constant(32), add, ...tee(bits), ...get(blockEnd), lessThan]),
    ...[...get(distances), ...get(low), ...storeVector(0), ...get(distances), ...get(high), ...storeVector(16)],
    ...countRows,
  ];
  const skipBlock = [0, 16].flatMap((offset) => [...get(distances), ...splatConstant(0xff), ...storeVector(offset)]);
  return loop([
    ...[...get(mask), ...loadShort, ...set(counted), ...get(bits), ...get(blockBytes), add, ...set(blockEnd)],
    ...[...get(counted), ...ifElse(scanBlock, skipBlock)],
    ...[...get(blockEnd), ...set(bits), ...advance(distances, 32)],
    ...[...get(mask), ...constant(2), add, ...tee(mask), ...get(maskEnd), lessThan],
  ]);
}

const end = 0x0b;
const [add, subtract, and, shiftLeft, shiftRight] = [0x6a, 0x6b, 0x71, 0x74, 0x76];
const [lessThan, atMost] = [0x49, 0x4d];
const loadShort = [0x2f, 0x01, 0x00];
const storeShort = [0x3b, 0x01, 0x00];
const loadWord = [0x28, 0x02, 0x00];
const storeWord = [0x36, 0x02, 0x00];
const swizzle = simd(0x0e);
const splatShort = simd(0x10);
const shortsAtMost = simd(0x34);
const anyTrue = simd(0x53);
const andVector = simd(0x4e);
const shiftRightBytes = simd(0x6d);
const addBytes = simd(0x6e);
const extendLow = simd(0x89);
const extendHigh = simd(0x8a);
const addShorts = simd(0x8e);

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const constant = (value: number) => [0x41, value & 0x7f];
const advance = (local: number, by: number) => [...get(local), 0x41, ...signed(by), add, ...set(local)];
const loadVector = (offset: number) => simd(0x00, 0x00, offset);
const storeVector = (offset: number) => simd(0x0b, 0x00, offset);
const splatConstant = (byte: number) => simd(0x0c, ...Array<number>(16).fill(byte));

/** Runs the body as long as it leaves something other than 0. */
function loop(body: number[]): number[] {
  return [0x03, 0x40, ...body, 0x0d, 0x00, end];
}

function ifThen(then: number[]): number[] {
  return [0x04, 0x40, ...then, end];
}

function ifElse(then: number[], otherwise: number[]): number[] {
  return [0x04, 0x40, ...then, 0x05, ...otherwise, end];
}

function simd(operation: number, ...immediates: number[]): number[] {
  return [0xfd, ...unsigned(operation), ...immediates];
}

function section(id: number, content: number[]): number[] {
  return [id, ...sized(content)];
}

function sized(content: number[]): number[] {
  return [...unsigned(content.length), ...content];
}

function list(items: number[][]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function locals(count: number, type: number): number[] {
  return [count, type];
}

function text(value: string): number[] {
  return sized([...Buffer.from(value)]);
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** For 0 to 8,191: a value whose seventh bit is set needs a second byte, or it would be negative. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, value >>> 7];
}
