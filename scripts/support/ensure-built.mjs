// Builds dist when it is missing or older than src. The build is a process of its own: its tools are heavy, and a start that has
// nothing to build must not load them.
import { isBuildCurrent } from './build-stamp.mjs';
import { message } from './messages.mjs';
import { quietStep } from './quiet-step.mjs';
import { inRoot } from './root.mjs';

export async function ensureBuilt() {
  if (isBuildCurrent()) return;
  await quietStep(message('building'), process.execPath, [inRoot('scripts/build.mjs'), '--if-stale']);
}
