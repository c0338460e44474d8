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
  const push = (chunk: Buffer) => {
    try {
      stream.push(chunk);
    } catch (cause) {
      throw new ContinuoError('io-failed', { path, reason: 'it is not zstd, or damaged' }, { cause });
    }
  };
  for await (const chunk of packed) {
    let fault: unknown;
    try {
      push(chunk);
    } catch (error) {
      fault = error;
    }
    const ready = unpacked;
    unpacked = [];
    yield* ready;
    if (fault !== undefined) throw fault;
  }
}
