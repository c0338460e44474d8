// Installs and builds what is missing, then becomes continuo: the command line runs in this very process, so that input, output,
// signals and the exit code are its own and no second process costs time.
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isBuildCurrent } from './build-stamp.mjs';
import { followParent } from './follow-parent.mjs';
import { isInstallCurrent } from './install-stamp.mjs';
import { inRoot } from './root.mjs';

export async function launch() {
  followParent();
  // The usual start has nothing to prepare and does not even load what prepares.
  if (!isInstallCurrent() || !isBuildCurrent()) await (await import('./prepare.mjs')).prepare();
  const main = inRoot('dist/cli/main.js');
  process.argv[1] = main;
  returnToCallersFolder();
  await import(pathToFileURL(main).href);
}

/** npm moves into the project's folder; relative paths among the arguments mean the folder the user is in. */
function returnToCallersFolder() {
  const folder = process.env.INIT_CWD;
  if (process.env.npm_lifecycle_event !== 'start' || !folder) return;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) process.chdir(folder);
}
