/** Writing the corpus: lines without repeats, capped by group, in an order that only depends on the text itself. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

const BUCKETS = 32;
const FLUSH = 1 << 20;

/** 53 bits of a text, the same on every machine. */
export function hash(text) {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** A file written in big steps. */
export function fileWriter(path) {
  const file = openSync(path, 'w');
  let held = '';
  return {
    write(line) {
      held += `${line}\n`;
      if (held.length > FLUSH) {
        writeSync(file, held);
        held = '';
      }
    },
    close() {
      writeSync(file, held);
      closeSync(file);
    },
  };
}

/**
 * Lines without repeats (numbers, case and the spelling of identifiers aside) that remember their group. finish(caps) writes them in the order
 * of their hashes, which mixes all sources; of a group with more lines than its cap, an even sample stays.
 */
export function lineCollector(path) {
  const seen = new Set();
  const counts = new Map();
  const buckets = Array.from({ length: BUCKETS }, (_, at) => fileWriter(`${path}.part${at}`));
  return {
    add(text, group, line = text) {
      const key = hash(
        text
          .replace(/\w*[a-z0-9][A-Z]\w*/g, 'x')
          .toLowerCase()
          .replace(/\d+/g, '0'),
      );
      if (!seen.has(key)) {
        seen.add(key);
        counts.set(group, (counts.get(group) ?? 0) + 1);
        buckets[Math.floor(hash(text) / 2 ** 48) % BUCKETS].write(`${hash(text)}\t${group}\t${line}`);
      }
    },
    finish(caps = {}) {
      const out = fileWriter(path);
      const kept = {};
      for (const [at, bucket] of buckets.entries()) {
        bucket.close();
        const lines = readFileSync(`${path}.part${at}`, 'utf8').split('\n').slice(0, -1);
        rmSync(`${path}.part${at}`);
        const rows = lines.map((line) => {
          const [order, group] = line.split('\t', 2);
          return { order: Number(order), group, line: line.slice(order.length + group.length + 2) };
        });
        rows.sort((x, y) => x.order - y.order);
        for (const { order, group, line } of rows) {
          const share = (caps[group] ?? caps.default ?? Number.POSITIVE_INFINITY) / counts.get(group);
          if ((order % 1_000_003) / 1_000_003 < share) {
            kept[group] = (kept[group] ?? 0) + 1;
            out.write(line);
          }
        }
      }
      out.close();
      return kept;
    },
  };
}
