// Installs and builds what is missing, then becomes continuo: the command line runs in this very process, so that input, output,
// signals and the exit code are its own and no second process costs time.
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './ensure-built.mjs';
import { followParent } from './follow-parent.mjs';
import { ensureInstalled } from './install.mjs';
import { inRoot } from './root.mjs';
import { stepsOrExit } from './steps-or-exit.mjs';

export async function launch() {
  followParent();
  await stepsOrExit(async () => {
    await ensureInstalled();
    await ensureBuilt();
  });
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
