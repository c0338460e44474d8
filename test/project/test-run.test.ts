// npm test, tried on a small project: the closing line tells the truth, and what was skipped is named with its reason.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createMiniProject, type MiniProject } from '../support/mini-project.ts';

const hello = "console.log('continuo');\n";
const passing = "import { expect, it } from 'vitest';\n\nit('adds', () => expect(1 + 1).toBe(2));\n";
const failing = "import { expect, it } from 'vitest';\n\nit('fails', () => expect(1).toBe(2));\n";
const gated = `import { describe, it } from 'vitest';
import { needs } from '../../test/support/require-system.ts';

describe.runIf(needs(false, 'a full moon'))('at night', () => {
  it('howls', () => {});
});
it.skip('sleeps', () => {});
it('dreams', (context) => context.skip('too early'));
`;

let project: MiniProject;

afterEach(() => project.remove());

describe('npm test', () => {
  it('ends with the count, and names before it every skipped test and the reason', () => {
    project = createProject({ 'src/base/a.test.ts': passing, 'src/base/d.test.ts': gated });
    const { status, stdout } = project.node(['scripts/test.mjs']);
    expect({ status, stages: stagesOf(stdout), end: stdout.slice(stdout.indexOf('SKIPPED')).split('\n') }).toEqual({
      status: 0,
      stages: ['install ok', 'types ok', 'lint ok', 'build ok', 'tests ok'],
      end: [
        'SKIPPED, and so not shown to work here (3):',
        '  src/base/d.test.ts > at night > howls: this file needs a full moon',
        '  src/base/d.test.ts > sleeps: this file needs a full moon',
        '  src/base/d.test.ts > dreams: too early',
        '',
        '1 passed, 0 failed, 3 skipped',
        '',
      ],
    });
  });

  it('counts failures, files that do not load, missing parts of the system under CI and stages that fail', () => {
    project = createProject({
      'src/base/a.test.ts': passing,
      'src/base/b.test.ts': failing,
      'src/base/c.test.ts': "throw new Error('cannot load');\n",
      'src/base/d.test.ts': gated,
      'src/base/wrong.ts': "export const wrong: number = 'text';\n",
      'src/base/ugly.ts': 'export  const ugly = "double"\n',
    });
    const { status, stdout } = project.node(['scripts/test.mjs'], { env: { CI: 'true' } });
    expect({ status, stages: stagesOf(stdout), lastLine: lastLineOf(stdout) }).toEqual({
      status: 1,
      stages: ['install ok', 'types FAILED', 'lint FAILED', 'build FAILED', 'tests FAILED'],
      lastLine: '1 passed, 6 failed, 0 skipped',
    });
    expect(stdout).toContain('\nFailed stages: types, lint, build\n');
  });

  it('fails where no test ran, and passes its arguments on to vitest', () => {
    project = createProject({ 'src/base/a.test.ts': passing });
    const { status, stdout } = project.node(['scripts/test.mjs', 'no-such-file']);
    expect({ status, lastLine: lastLineOf(stdout) }).toEqual({ status: 1, lastLine: '0 passed, 0 failed, 0 skipped' });
    expect(stdout).toContain('\nNo test ran.\n');
  });
});

function createProject(files: Record<string, string>): MiniProject {
  const created = createMiniProject({ 'src/cli/main.ts': hello, 'src/base/hello.ts': hello, ...files });
  const gate = 'test/support/require-system.ts';
  cpSync(fileURLToPath(new URL('../support/require-system.ts', import.meta.url)), path.join(created.folder, gate), {
    recursive: true,
  });
  return created;
}

function stagesOf(stdout: string): string[] {
  return [...stdout.matchAll(/^── (\w+ (?:ok|FAILED)) \([\d.]+ s\)$/gm)].map((match) => match[1] as string);
}

function lastLineOf(stdout: string): string | undefined {
  return stdout.trimEnd().split('\n').at(-1);
}
