// What was run and what it said, in words for a model, a reviewer or a person. The output of a check that passed is not told.
import type { ValidationReport } from './build-validation-manager.ts';
import type { CheckRun } from './check-run.ts';

export function describeValidation(...reports: readonly Pick<ValidationReport, 'runs' | 'notes'>[]): string {
  const lines = reports.flatMap(({ runs, notes }) => [...runs.map(describeRun), ...notes.map((note) => `Note: ${note}.`)]);
  return lines.join('\n');
}

function describeRun({ command, ran, ok, reason, exitCode, output }: CheckRun): string {
  if (!ran) return `$ ${command}\n(not run: ${reason ?? 'no reason is known'})`;
  if (ok) return `$ ${command}\n(passed)`;
  const end = exitCode === undefined ? (reason ?? 'it did not end well') : `exit code ${exitCode}`;
  return `$ ${command}\n${output.trimEnd()}\n(failed: ${end})`;
}
