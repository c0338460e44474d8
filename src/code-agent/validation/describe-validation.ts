// What was run and what it said, in words for a model, a reviewer or a person. The output of a check that passed is not told.
import type { ValidationReport } from './build-validation-manager.ts';
import type { CheckRun } from './check-run.ts';

export type CheckReport = Pick<ValidationReport, 'runs' | 'notes'>;

/** How a person is told, in another language; reasons and notes come as they are. */
export interface ValidationWords {
  passed: string;
  notRun(reason: string): string;
  failed(end: string): string;
  exitCode(code: number): string;
  note(note: string): string;
}

export function describeValidation(reports: readonly CheckReport[], words: ValidationWords = english): string {
  return reports
    .flatMap(({ runs, notes }) => [...runs.map((run) => describeRun(run, words)), ...notes.map(words.note)])
    .join('\n');
}

const english: ValidationWords = {
  passed: '(passed)',
  notRun: (reason) => `(not run: ${reason})`,
  failed: (end) => `(failed: ${end})`,
  exitCode: (code) => `exit code ${code}`,
  note: (note) => `Note: ${note}.`,
};

function describeRun({ command, ran, ok, reason, exitCode, output }: CheckRun, words: ValidationWords): string {
  const said = output.trim() === '' || ok ? [] : [output.trimEnd()];
  if (!ran) return [`$ ${command}`, ...said, words.notRun(reason ?? 'no reason is known')].join('\n');
  if (ok) return `$ ${command}\n${words.passed}`;
  const end = exitCode === undefined ? (reason ?? 'it did not end well') : words.exitCode(exitCode);
  return `$ ${command}\n${output.trimEnd()}\n${words.failed(end)}`;
}
