/** Fetches pinned tarballs from the npm registry into a folder, checks their integrity, keeps those already there. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const REGISTRY = 'https://registry.npmjs.org';
const AT_ONCE = 12;
const TRIES = 3;

export function tarballPath(folder, source) {
  return join(folder, `${source.name.replace('/', '+')}-${source.version}.tgz`);
}

async function fetchOne(folder, source) {
  const path = tarballPath(folder, source);
  if (existsSync(path)) {
    return;
  }
  const file = `${source.name.split('/').pop()}-${source.version}.tgz`;
  const answer = await fetch(`${REGISTRY}/${source.name}/-/${file}`, { signal: AbortSignal.timeout(300_000) });
  if (!answer.ok) {
    throw new Error(`${source.name}@${source.version}: the registry answers ${answer.status}`);
  }
  const bytes = Buffer.from(await answer.arrayBuffer());
  const [algorithm] = source.integrity.split('-');
  const found = `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`;
  if (found !== source.integrity) {
    throw new Error(`${source.name}@${source.version}: integrity differs`);
  }
  writeFileSync(`${path}.part`, bytes);
  renameSync(`${path}.part`, path);
}

/** Downloads every source; a failure after some tries stops the collection, since the corpus would not be the same. */
export async function download(folder, sources) {
  mkdirSync(folder, { recursive: true });
  const queue = [...sources];
  async function work() {
    for (let source = queue.shift(); source; source = queue.shift()) {
      for (let turn = 1; ; turn++) {
        try {
          await fetchOne(folder, source);
          break;
        } catch (error) {
          if (turn === TRIES) {
            throw error;
          }
        }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
