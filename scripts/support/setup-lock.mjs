// One install or build at a time per checkout. The lock is a file outside of node_modules (which an install replaces) that holds
// its owner's process id, so that a lock left by a dead process is taken over.
import { createHash } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { message } from './messages.mjs';
import { root } from './root.mjs';

const user = process.getuid?.() ?? os.userInfo().username;
const lockFile = path.join(
  os.tmpdir(),
  `continuo-setup-${user}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`,
);
const longestSetup = 20 * 60_000;

export async function withSetupLock(work) {
  await acquire();
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

async function acquire() {
  for (let attempt = 0; !tryAcquire(); attempt++) {
    if (attempt === 4) process.stderr.write(`${message('waiting')}\n`);
    await delay(250);
  }
}

/** Written under another name first and then linked, so that a lock is never seen without its owner. */
function tryAcquire() {
  const own = `${lockFile}.${process.pid}`;
  writeFileSync(own, String(process.pid), { mode: 0o600 });
  try {
    linkSync(own, lockFile);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    dropIfAbandoned();
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function dropIfAbandoned() {
  if (!isAbandoned(lockFile)) return;
  const aside = `${lockFile}.${process.pid}.dead`;
  try {
    renameSync(lockFile, aside);
    // Another waiter may have replaced the dead owner's lock with its own in between: put that one back.
    if (!isAbandoned(aside)) linkSync(aside, lockFile);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

function isAbandoned(file) {
  try {
    return !isAlive(Number(readFileSync(file, 'utf8'))) || Date.now() - statSync(file).mtimeMs > longestSetup;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
