// Whether dist is what src would build to. The stamp holds two answers: sizes and times of every input, which is cheap to compare,
// and a hash of the contents, which settles the matter when only the times have changed (a fresh clone, a branch switched and back).
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot, root } from './root.mjs';

const stampFile = inRoot('dist/.build-stamp');
const inputs = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/support/bundle-program.mjs',
  'scripts/support/launcher.cjs',
  'src',
];

export function isBuildCurrent() {
  const stamp = readStamp();
  if (stamp === undefined) return false;
  const files = listInputs();
  const listing = hashListing(files);
  if (stamp.listing === listing) return true;
  const contents = hashContents(files);
  if (stamp.contents !== contents) return false;
  writeFileSync(stampFile, JSON.stringify({ listing, contents }));
  return true;
}

/** Taken before a build begins, so that what changes during it counts as changed. */
export function describeInputs() {
  const files = listInputs();
  return JSON.stringify({ listing: hashListing(files), contents: hashContents(files) });
}

function listInputs() {
  const files = [];
  const visit = (file) => {
    const stats = statSync(file);
    if (stats.isFile()) files.push({ file, size: stats.size, time: stats.mtimeMs });
    else for (const name of readdirSync(file).sort()) if (!/\.test\.tsx?$/.test(name)) visit(path.join(file, name));
  };
  for (const input of inputs) visit(inRoot(input));
  return files;
}

function hashListing(files) {
  const hash = createHash('sha256');
  for (const { file, size, time } of files) hash.update(`${path.relative(root, file)}\0${size}\0${time}\n`);
  return hash.digest('hex');
}

function hashContents(files) {
  const hash = createHash('sha256');
  for (const { file, size } of files) hash.update(`${path.relative(root, file)}\0${size}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}
