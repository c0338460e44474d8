// Brings node_modules to what package.json and package-lock.json ask for, and leaves it alone when it is there already.
// A stamp makes the usual answer cheap; without a matching stamp the installed tree itself is compared, so that an install made
// by hand is not repeated (repeating it would compile SQLite again).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describeInstall, isInstallCurrent, writeInstallStamp } from './install-stamp.mjs';
import { message } from './messages.mjs';
import { npmCommand } from './npm-command.mjs';
import { quietStep, StepFailed } from './quiet-step.mjs';
import { readIfPresent } from './read-if-present.mjs';
import { inRoot, root } from './root.mjs';
import { withSetupLock } from './setup-lock.mjs';

const sqlite = 'better-sqlite3-multiple-ciphers';

export async function ensureInstalled() {
  if (isInstallCurrent()) return;
  await withSetupLock(async () => {
    if (isInstallCurrent()) return;
    const wanted = describeInstall();
    if (!treeMatchesLock()) await install();
    if (!sqliteLoads()) await npm('compiling', ['rebuild', sqlite]);
    if (!sqliteLoads()) {
      process.stderr.write(`${message('sqliteHint')}\n`);
      throw new StepFailed('sqlite');
    }
    writeInstallStamp(wanted);
  });
}

/** A fresh tree is installed exactly as locked; a present one is brought up to date without compiling everything anew. */
async function install() {
  const fresh = !existsSync(inRoot('node_modules/.package-lock.json')) || process.env.CI === 'true';
  if (fresh && existsSync(inRoot('package-lock.json'))) {
    // npm refuses a lock file that does not fit package.json before it touches anything. A newcomer's start shall not end there.
    if (await npm('installing', ['ci'], process.env.CI === 'true' ? {} : { forgive: /EUSAGE/ })) return;
  }
  await npm(fresh ? 'installing' : 'updating', ['install', '--no-save']);
}

function npm(title, args, { forgive } = {}) {
  // A surrounding "npm start --silent" would silence this one too, and NODE_ENV=production would leave the build tools out.
  const [command, npmArgs] = npmCommand([...args, '--include=dev']);
  return quietStep(message(title), command, npmArgs, { hint: message('installHint'), forgive });
}

/** A folder with a package.json of its own, such as bench: installed when it has dependencies and they are not there. */
export async function installFolder(folder) {
  const { dependencies = {} } = JSON.parse(readFileSync(inRoot(folder, 'package.json'), 'utf8'));
  const missing = Object.keys(dependencies).filter((name) => !existsSync(inRoot(folder, 'node_modules', name)));
  if (missing.length > 0) await npm('updating', ['install', '--no-save', '--prefix', inRoot(folder)]);
}

/** Whether everything the lock file names is installed in the version it names; optional parts of other platforms may miss. */
function treeMatchesLock() {
  const locked = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (!locked || !installed) return false;
  const declared = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  for (const field of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    if (JSON.stringify(declared[field] ?? {}) !== JSON.stringify(locked[''][field] ?? {})) return false;
  }
  return Object.entries(locked).every(([place, wanted]) => {
    if (place === '') return true;
    const found = installed[place];
    if (!found || !existsSync(inRoot(place))) return wanted.optional === true;
    return found.version === wanted.version;
  });
}

function readPackages(file) {
  const text = readIfPresent(inRoot(file));
  return text === undefined ? undefined : JSON.parse(text).packages;
}

/** In a process of its own: a binary made for another Node.js may do worse than throw. */
function sqliteLoads() {
  const probe = `new (require(${JSON.stringify(sqlite)}))(':memory:').close()`;
  return spawnSync(process.execPath, ['-e', probe], { cwd: root, stdio: 'ignore' }).status === 0;
}
