// npm run bench: installs and builds what is missing, then runs bench/main.ts with the arguments given. Every file of bench is
// bundled to one of the same name, so that a benchmark may start its neighbours as processes of their own (new URL('./x.js', …)).
import './support/require-node.mjs';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './support/ensure-built.mjs';
import { ensureInstalled, installFolder } from './support/install.mjs';
import { inRoot, root } from './support/root.mjs';
import { runProgram } from './support/run-program.mjs';
import { stepsOrExit } from './support/steps-or-exit.mjs';

const outdir = inRoot('node_modules/.cache/bench');

await stepsOrExit(async () => {
  await ensureInstalled();
  await ensureBuilt();
  if (existsSync(inRoot('bench/package.json'))) await installFolder('bench');
});
process.exitCode = (await bundle())
  ? await runProgram(process.execPath, [path.join(outdir, 'main.js'), ...process.argv.slice(2)])
  : 1;

async function bundle() {
  const { build } = await import('esbuild');
  rmSync(outdir, { recursive: true, force: true });
  const result = await build({
    absWorkingDir: root,
    entryPoints: listFiles(),
    outbase: 'bench',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['*.node', 'better-sqlite3-multiple-ciphers', 'better-sqlite3'],
    banner: { js: "import { createRequire as benchRequire } from 'node:module'; const require = benchRequire(import.meta.url);" },
    logLevel: 'warning',
  }).catch(() => undefined);
  return result !== undefined;
}

function listFiles() {
  return readdirSync(inRoot('bench'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.split(path.sep).includes('node_modules'))
    .map((file) => path.join('bench', file));
}
