// Runs a program in the project's folder with its output passed through, and gives its exit status.
import { spawn } from 'node:child_process';
import { root } from './root.mjs';

export function runProgram(command, args, { env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
    const forward = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      // The signal was meant for the whole run, not for the program alone.
      if (signal) process.kill(process.pid, signal);
      resolve(code ?? 1);
    });
  });
}
