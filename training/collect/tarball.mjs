/** Reads the files of a .tgz one after the other, without unpacking to disk; only the wanted ones are kept in memory. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const BLOCK = 512;

function text(header, from, length) {
  const end = header.indexOf(0, from);
  return header.toString('utf8', from, end >= from && end < from + length ? end : from + length);
}

function paxPath(body) {
  return /(?:^|\n)\d+ path=([^\n]+)\n/.exec(body.toString('utf8'))?.[1];
}

/** The chunks of a stream as reads of exact size; undefined at its end. */
function exactReader(stream) {
  const chunks = stream[Symbol.asyncIterator]();
  let held = [];
  let size = 0;
  return async function read(length, keep = true) {
    while (size < length) {
      const { value, done } = await chunks.next();
      if (done) {
        return undefined;
      }
      held.push(value);
      size += value.length;
      if (!keep && size < length) {
        length -= size;
        held = [];
        size = 0;
      }
    }
    const all = held.length === 1 ? held[0] : Buffer.concat(held);
    held = all.length > length ? [all.subarray(length)] : [];
    size = all.length - length;
    return all.subarray(0, length);
  };
}

/** Yields { path, body } for each regular file whose path (without the leading folder) is wanted. */
export async function* filesOf(tarball, wanted) {
  const read = exactReader(createReadStream(tarball).pipe(createGunzip()));
  let longName;
  for (let header = await read(BLOCK); header && header[0] !== 0; header = await read(BLOCK)) {
    const size = Number.parseInt(text(header, 124, 12).trim() || '0', 8);
    const padded = Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] || 48);
    if (type === 'x' || type === 'L' || type === 'g') {
      const body = await read(padded);
      if (type === 'x') {
        longName = paxPath(body.subarray(0, size));
      } else if (type === 'L') {
        longName = text(body, 0, size);
      }
      continue;
    }
    const prefix = text(header, 345, 155);
    const full = longName ?? (prefix ? `${prefix}/` : '') + text(header, 0, 100);
    longName = undefined;
    const path = full.replace(/^[^/]*\//, '');
    if (type === '0' && wanted(path, size)) {
      const body = await read(padded);
      yield { path, body: Buffer.from(body.subarray(0, size)) };
    } else if (padded > 0) {
      await read(padded, false);
    }
  }
}
