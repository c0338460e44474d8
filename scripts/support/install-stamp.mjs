// Whether node_modules was brought to what package.json, package-lock.json and this Node.js ask for. Asked at every start, so cheap.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readIfPresent } from './read-if-present.mjs';
import { inRoot } from './root.mjs';

const stampFile = inRoot('node_modules/.continuo-install-stamp');

export function isInstallCurrent() {
  return readIfPresent(stampFile) === describeInstall();
}

export function writeInstallStamp(description) {
  writeFileSync(stampFile, description);
}

export function describeInstall() {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
    readFileSync(inRoot('package.json'), 'utf8'),
  );
  return createHash('sha256')
    .update(JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]))
    .update(readIfPresent(inRoot('package-lock.json')) ?? '')
    .update([process.platform, process.arch, process.versions.modules].join())
    .digest('hex');
}
