// Unpacks a zstd stream, also one that ends in the middle: what came before is given all the same. In JavaScript, because Node has it built
// in only from 22.15 on.
import { ContinuoError } from '../model/error.ts';

export async function* unpackZstd(packed: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  const { Decompress } = await import('fzstd');
  let unpacked: Buffer[] = [];
  const stream = new Decompress((data) => {
    // A copy: the bytes given are a window that is written over.
    if (data.length > 0) unpacked.push(Buffer.from(data));
  });
  const push = (chunk: Buffer, isLast: boolean): { ready: Buffer[]; fault?: unknown } => {
    unpacked = [];
    try {
      stream.push(chunk, isLast);
      return { ready: unpacked };
    } catch (fault) {
      return { ready: unpacked, fault };
    }
  };
  let beginning = Buffer.alloc(0);
  for await (const chunk of withEnd(packed)) {
    // The package waits for more where the beginning is something else and short.
    if (beginning.length < magic.length) beginning = Buffer.concat([beginning, chunk.bytes.subarray(0, magic.length)]);
    const isOther = (beginning.length >= magic.length || chunk.isLast) && !beginning.subarray(0, magic.length).equals(magic);
    const { ready, fault } = isOther ? { ready: [], fault: new Error('no zstd frame') } : push(chunk.bytes, chunk.isLast);
    yield* ready;
    if (fault !== undefined)
      throw new ContinuoError('io-failed', { path, reason: 'it is not zstd, or damaged' }, { cause: fault });
  }
}

const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

async function* withEnd(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  for await (const bytes of chunks) yield { bytes, isLast: false };
  yield { bytes: Buffer.alloc(0), isLast: true };
}
