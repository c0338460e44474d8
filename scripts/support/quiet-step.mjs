// Runs a program behind one line on stderr. Its output is kept back and shown whole only if it fails; stdout stays untouched.
import { spawn } from 'node:child_process';
import { message } from './messages.mjs';
import { root } from './root.mjs';

/** Thrown when a step failed and everything there is to say about it has been said. */
export class StepFailed extends Error {}

/** True when the program succeeded, false when it failed in the way `forgive` describes; any other failure is shown and thrown. */
export async function quietStep(title, command, args, { env = process.env, hint, forgive } = {}) {
  const stopTicking = showProgress(title);
  const { code, output } = await runCaptured(command, args, env);
  stopTicking();
  if (code === 0) return true;
  if (forgive?.test(output)) return false;
  process.stderr.write(`${message('failed')}\n\n$ ${[command, ...args].join(' ')}\n${output.trimEnd()}\n\n`);
  if (hint) process.stderr.write(`${hint}\n`);
  throw new StepFailed(title);
}

function showProgress(title) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  if (!process.stderr.isTTY) {
    process.stderr.write(`${title}\n`);
    return () => {};
  }
  const draw = () => process.stderr.write(`\r\x1b[K${title}${seconds() > 0 ? ` ${seconds()} s` : ''}`);
  draw();
  const timer = setInterval(draw, 1000);
  return () => {
    clearInterval(timer);
    draw();
    process.stderr.write('\n');
  };
}

function runCaptured(command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    const release = dieTogether(child);
    const finish = (code, text = '') => {
      release();
      resolve({ code, output: Buffer.concat(chunks).toString() + text });
    };
    child.once('error', (error) => finish(127, error.message));
    child.once('close', (code, signal) => finish(code ?? 1, signal ? `ended by ${signal}` : ''));
  });
}

/** A signal that ends this process must not leave an install or a build running behind it. */
function dieTogether(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const onSignal = (signal) => {
    child.kill(signal);
    release();
    process.kill(process.pid, signal);
  };
  const release = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return release;
}
