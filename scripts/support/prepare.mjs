// Installs and builds what is missing, in that order.
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled } from './install.mjs';
import { stepsOrExit } from './steps-or-exit.mjs';

export async function prepare() {
  await stepsOrExit(async () => {
    await ensureInstalled();
    await ensureBuilt();
  });
}
