// What the project itself says of a change: its formatter over the changed files, then its linter and its own check.
import type { ChangeSet } from './diff/diff-manager.ts';
import type { CodeAgentManagers } from './managers.ts';
import { describeValidation } from './validation/describe-validation.ts';
import type { Checks } from './work-loop.ts';

export async function checkChange(
  { postProcessManager, lintManager, buildValidationManager }: CodeAgentManagers,
  { files }: ChangeSet,
  { signal, onOutput }: { signal: AbortSignal; onOutput: (text: string) => void },
): Promise<Checks> {
  const changed = files.map(({ path }) => path);
  const present = files.filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  const format = await postProcessManager.process({ changed: present, signal });
  const lint = await lintManager.lint({ changed: present, signal });
  const build = await buildValidationManager.validate({ changed, signal, onOutput });
  const others = format.others.map((path) => `the formatter also altered ${path}, which was not part of the change`);
  const formats = { runs: format.runs.filter(({ ok }) => !ok), notes: [...format.notes, ...others] };
  const reports = [build, lint, formats].map(({ runs, notes }) => ({ runs, notes }));
  const failed = build.outcome === 'failed' || lint.outcome === 'failed';
  return {
    outcome: failed ? 'failed' : build.outcome === 'passed' ? 'passed' : 'unproven',
    text: describeValidation(reports),
    formatted: format.altered,
    reports,
  };
}
