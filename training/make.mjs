/**
 * Makes the model from nothing: node training/make.mjs [options of distil.make]. Collects the corpus, fetches the teachers, makes a
 * Python environment and distils. Each step is skipped where its result is there. An hour on a CPU for the teachers alone; minutes on
 * a GPU.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const PYTHON = `${ROOT}work/python/bin/python`;

if (!existsSync(`${ROOT}work/corpus/counts.json`)) run(process.execPath, 'collect.mjs');
run(process.execPath, 'teachers.mjs');
if (!existsSync(PYTHON)) {
  run('python3', '-m', 'venv', 'work/python');
  run(PYTHON, '-m', 'pip', 'install', '-r', 'requirements.txt');
}
run(PYTHON, '-m', 'distil.make', ...process.argv.slice(2));

function run(program, ...args) {
  const { status, error } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
