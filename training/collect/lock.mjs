/**
 * Adds packages to sources.json, pinned: version, licence and integrity as the registry states them today.
 * Usage: node collect/lock.mjs < list, one package a line: `take[,take...] group name[@version]`.
 * A package whose licence is not allowed is refused and named on stderr.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { declaredLicence, isAllowed } from './licence.mjs';

const FILE = new URL('../sources.json', import.meta.url);
const AT_ONCE = 24;
const BIGGEST = 600_000_000;

async function pin(line) {
  const [take, group, spec] = line.trim().split(/\s+/);
  const at = spec.lastIndexOf('@');
  const name = at > 0 ? spec.slice(0, at) : spec;
  const version = at > 0 ? spec.slice(at + 1) : 'latest';
  const answer = await fetch(`https://registry.npmjs.org/${name.replace('/', '%2f')}/${version}`, {
    signal: AbortSignal.timeout(60_000),
  });
  if (!answer.ok) {
    throw new Error(`the registry answers ${answer.status}`);
  }
  const manifest = await answer.json();
  const licence = declaredLicence(manifest);
  if (!isAllowed(licence)) {
    throw new Error(`licence "${licence}" is not allowed`);
  }
  if (!manifest.dist.integrity) {
    throw new Error('the registry states no integrity');
  }
  if (manifest.dist.unpackedSize > BIGGEST) {
    throw new Error(`${Math.round(manifest.dist.unpackedSize / 1e6)} MB are too much`);
  }
  return { name, version: manifest.version, licence, integrity: manifest.dist.integrity, group, take: take.replaceAll(',', ' ') };
}

function readSources() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    return { packages: [] };
  }
}

const sources = readSources();
const byName = new Map(sources.packages.map((one) => [one.name, one]));
const lines = readFileSync(0, 'utf8')
  .split('\n')
  .filter((line) => line.trim() && !line.startsWith('#'));
async function work() {
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    try {
      const one = await pin(line);
      byName.set(one.name, one);
    } catch (error) {
      process.stderr.write(`refused ${line}: ${error.message}\n`);
    }
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
sources.packages = [...byName.values()].sort((a, b) => (a.group + a.name < b.group + b.name ? -1 : 1));
writeFileSync(FILE, `${JSON.stringify(sources, null, 2)}\n`);
process.stderr.write(`${sources.packages.length} packages in sources.json\n`);
