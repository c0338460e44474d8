// npm run build: the library (JavaScript and types, file by file) and the command line (bundled, so that it starts fast) in dist.
// Everything is made in a folder of its own that then takes dist's place: an interrupted build leaves the old dist as it was.
import './support/require-node.mjs';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeInputs, isBuildCurrent } from './support/build-stamp.mjs';
import { bundleProgram } from './support/bundle-program.mjs';
import { ensureInstalled } from './support/install.mjs';
import { inRoot } from './support/root.mjs';
import { runProgram } from './support/run-program.mjs';
import { withSetupLock } from './support/setup-lock.mjs';
import { stepsOrExit } from './support/steps-or-exit.mjs';

const workshop = inRoot('.build');

await stepsOrExit(ensureInstalled);
await withSetupLock(async () => {
  if (process.argv.includes('--if-stale') && isBuildCurrent()) return;
  process.exitCode = await build();
});

async function build() {
  // Whatever lies there was left by a build that did not end; the lock says that none is running.
  rmSync(workshop, { recursive: true, force: true });
  mkdirSync(workshop, { recursive: true });
  const target = mkdtempSync(path.join(workshop, 'new-'));
  try {
    const stamp = describeInputs();
    const tsc = inRoot('node_modules/typescript/bin/tsc');
    const code = await runProgram(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', target]);
    if (code !== 0) return code;
    if (!(await bundleProgram(path.join(target, 'cli')))) return 1;
    writeFileSync(path.join(target, '.build-stamp'), stamp);
    chmodSync(target, 0o755);
    swapIn(target);
    return 0;
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function swapIn(target) {
  const dist = inRoot('dist');
  if (existsSync(dist)) renameSync(dist, path.join(workshop, 'old'));
  renameSync(target, dist);
}
