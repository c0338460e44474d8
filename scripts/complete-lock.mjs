// Completes package-lock.json for every platform. A registry mirror that carries only some platforms makes npm leave the others'
// optional packages out of the lock file; "npm ci" then refuses it everywhere, and other platforms miss their binaries. The version
// is exact in the package that asks for them and the platform is in the name, so the entries can be written without the registry.
// Usage: node scripts/complete-lock.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from './support/root.mjs';

const lockFile = inRoot('package-lock.json');
const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
const missing = findMissing(lock.packages);

if (process.argv.includes('--check')) {
  for (const { name, neededBy } of missing)
    console.error(`package-lock.json has no entry for ${name}, an optional part of ${neededBy}`);
  process.exitCode = missing.length === 0 ? 0 : 1;
} else if (missing.length > 0) {
  for (const { place, entry } of missing) lock.packages[place] = entry;
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
}

function findMissing(packages) {
  return Object.entries(packages).flatMap(([neededBy, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !(`node_modules/${name}` in packages) && !(`${neededBy}/node_modules/${name}` in packages))
      .map(([name, version]) => ({
        name,
        neededBy,
        place: `node_modules/${name}`,
        entry: { version, ...(dev ? { dev } : {}), optional: true, ...parsePlatform(name, version) },
      })),
  );
}

function parsePlatform(name, version) {
  const parts = /-?\b(android|darwin|freebsd|linux|openbsd|netbsd|openharmony|sunos|aix|win32)-(\w+)(?:-(\w+))?$/.exec(name);
  if (!parts || !/^\d/.test(version)) throw new Error(`Cannot tell the platform of ${name}@${version}; add its entry by hand.`);
  const [, os, cpu, abi = ''] = parts;
  const libc = os !== 'linux' ? undefined : abi.startsWith('musl') ? 'musl' : 'glibc';
  return { cpu: [cpu], ...(libc ? { libc: [libc] } : {}), os: [os] };
}
