import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SmallProject } from '../../../test/support/small-project.ts';
import { PostProcessManager } from './post-process-manager.ts';

const signal = new AbortController().signal;

/** Writes every file it is given in capitals, and a line into a file of its own where `also` says so. */
const fakeFormatter = (also = '') => `
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const files = process.argv.slice(2).filter((word) => word !== 'format' && !word.startsWith('--'));
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  if (text.includes('syntax error')) process.exit(2);
  if (text !== text.toUpperCase()) writeFileSync(file, text.toUpperCase());
}
if (${JSON.stringify(also)} !== '') appendFileSync(${JSON.stringify(also)}, 'x');
`;

function managerOf(project: SmallProject, env: Record<string, string> = {}): PostProcessManager {
  return new PostProcessManager({ root: project.root, runner: project.runner, env });
}

describe('formatting', () => {
  it('alters the files it is given, and tells which', async () => {
    const project = new SmallProject({ '.prettierrc': '', 'a.ts': 'low', 'b.ts': 'HIGH', 'c.ts': 'low', 'd.bin': 'low' });
    project.program('node_modules/.bin/prettier', fakeFormatter());
    expect(await managerOf(project).process({ changed: ['a.ts', 'b.ts', 'd.bin', 'gone.ts'], signal })).toEqual({
      ok: true,
      outcome: 'passed',
      runs: [
        {
          ...{ formatter: 'prettier', files: ['a.ts', 'b.ts'], folder: '' },
          command: 'node_modules/.bin/prettier --write --ignore-unknown a.ts b.ts',
          ...{
            why: 'prettier because of .prettierrc',
            ran: true,
            ok: true,
            exitCode: 0,
            milliseconds: expect.any(Number),
            output: '',
          },
        },
      ],
      altered: ['a.ts'],
      others: [],
      othersChecked: true,
      notes: [],
    });
    expect(readFileSync(join(project.root, 'c.ts'), 'utf8')).toBe('low');
  });

  it('says so where the formatter touched another file', async () => {
    const project = new SmallProject({ 'biome.json': '{}', 'a.ts': 'low', 'b.ts': 'low' });
    project.program('node_modules/.bin/biome', fakeFormatter('b.ts'));
    const report = await managerOf(project).process({ changed: ['a.ts'], signal });
    expect(report).toMatchObject({
      altered: ['a.ts'],
      others: ['b.ts'],
      notes: ['files that the formatter was not given changed while it ran: b.ts'],
    });
  });

  it('is done by one formatter for each file: the first that is installed', async () => {
    const project = new SmallProject({ '.prettierrc': '', 'biome.json': '{}', 'a.ts': 'low', 'readme.md': 'low' });
    project.program('node_modules/.bin/biome', fakeFormatter());
    const report = await managerOf(project).process({ changed: ['a.ts', 'readme.md'], signal });
    expect(report.runs.map(({ formatter, files }) => [formatter, files])).toEqual([['biome', ['a.ts']]]);
    expect(report.notes).toEqual(['prettier is set up in .prettierrc but not installed, and was not run']);
    project.program('node_modules/.bin/prettier', fakeFormatter());
    const again = await managerOf(project).detect({ changed: ['a.ts', 'readme.md'] });
    expect(again.map(({ tool, files }) => [tool.name, files])).toEqual([['prettier', ['a.ts', 'readme.md']]]);
  });

  it('tells a formatter that failed, and a project without one', async () => {
    const project = new SmallProject({ 'biome.json': '{}', 'a.ts': 'syntax error', 'b.py': '' });
    project.program('node_modules/.bin/biome', fakeFormatter());
    expect(await managerOf(project).process({ changed: ['a.ts'], signal })).toMatchObject({
      ok: false,
      outcome: 'failed',
      altered: [],
    });
    expect(await managerOf(project).process({ changed: ['b.py'], signal })).toEqual({
      ...{ ok: true, outcome: 'nothing-found', runs: [], altered: [], others: [], othersChecked: true, notes: [] },
    });
  });

  it('runs rustfmt with the edition of the workspace, and tells of the modules it formats besides', async () => {
    const project = new SmallProject({
      'Cargo.toml': '[workspace.package]\nedition = "2021"\n',
      'one/Cargo.toml': '[package]\nname = "one"\nedition.workspace = true\n',
      'one/src/lib.rs': 'mod inner;\n',
      'one/src/inner.rs': 'pub fn  b(){}\n',
    });
    const machine = new SmallProject();
    // The real one follows the modules of a file as well.
    machine.program('rustfmt', "require('node:fs').writeFileSync('src/inner.rs', 'pub fn b() {}\\n');");
    project.env.PATH = `${machine.root}:${project.env.PATH}`;
    const report = await managerOf(project, project.env).process({ changed: ['one/src/lib.rs'], signal });
    expect(report).toMatchObject({
      outcome: 'passed',
      runs: [{ command: 'cd one && rustfmt --edition 2021 src/lib.rs' }],
      altered: [],
      others: ['one/src/inner.rs'],
    });
  });
});
