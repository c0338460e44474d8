// npm test: installs what is missing, then types, lint, build and all tests. Extra arguments go to vitest. Ends with the line
// "N passed, N failed, N skipped" and a status other than 0 if anything failed or no test ran; a stage that fails counts as one.
import './support/require-node.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureInstalled } from './support/install.mjs';
import { readIfPresent } from './support/read-if-present.mjs';
import { inRoot } from './support/root.mjs';
import { runProgram } from './support/run-program.mjs';
import { stepsOrExit } from './support/steps-or-exit.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'continuo-test-run-'));
const countsFile = path.join(folder, 'counts.json');
const skipReasonsFile = path.join(folder, 'skip-reasons.jsonl');

const failedStages = [];

await stepsOrExit(() => stage('install', () => ensureInstalled().then(() => 0)));
await stage('types', () => runTool('typescript/bin/tsc', ['--noEmit']));
await stage('lint', () => runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']));
await stage('build', () => runProgram(process.execPath, [inRoot('scripts/build.mjs'), '--if-stale']));
const testsPassed = await stage('tests', runTests);
report(readCounts());

async function stage(name, work) {
  const started = performance.now();
  process.stdout.write(`── ${name}\n`);
  const passed = (await work()) === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`── ${name} ${passed ? 'ok' : 'FAILED'} (${seconds} s)\n`);
  if (!passed && name !== 'tests') failedStages.push(name);
  return passed;
}

function runTool(file, args) {
  return runProgram(process.execPath, [inRoot('node_modules', file), ...args]);
}

function runTests() {
  const reporter = inRoot('scripts/support/count-reporter.mjs');
  const env = { ...process.env, CONTINUO_TEST_COUNTS: countsFile, CONTINUO_SKIP_REASONS: skipReasonsFile };
  const args = ['run', '--reporter=default', `--reporter=${reporter}`, ...process.argv.slice(2)];
  return runProgram(process.execPath, [inRoot('node_modules/vitest/vitest.mjs'), ...args], { env });
}

function readCounts() {
  const text = readIfPresent(countsFile);
  const reasons = (readIfPresent(skipReasonsFile) ?? '').split('\n').filter(Boolean);
  rmSync(folder, { recursive: true, force: true });
  const counts = text === undefined ? { passed: 0, failed: 1, skipped: [] } : JSON.parse(text);
  return { ...counts, reasons: reasons.map((line) => JSON.parse(line)) };
}

function report({ passed, failed, skipped, reasons }) {
  if (skipped.length > 0) process.stdout.write(`\nSKIPPED, and so not shown to work here (${skipped.length}):\n`);
  for (const { file, name, mode, note } of skipped) {
    const missing = new Set(reasons.filter((entry) => entry.file.endsWith(file)).map((entry) => entry.reason));
    const reason = note ?? (missing.size > 0 ? `this file ${[...missing].join(' and ')}` : `marked "${mode}" in the source`);
    process.stdout.write(`  ${file} > ${name}: ${reason}\n`);
  }
  if (failedStages.length > 0) process.stdout.write(`\nFailed stages: ${failedStages.join(', ')}\n`);
  const failures = failed + failedStages.length;
  const broken = failures > 0 || !testsPassed || passed === 0;
  if (broken && failures === 0)
    process.stdout.write(`\n${passed === 0 ? 'No test ran.' : 'The test run itself ended with an error.'}\n`);
  process.stdout.write(`\n${passed} passed, ${failures} failed, ${skipped.length} skipped\n`);
  process.exitCode = broken ? 1 : 0;
}
