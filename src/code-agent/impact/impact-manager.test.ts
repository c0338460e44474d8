import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSourceProject } from '../../../test/support/source-project.ts';
import { estimateTokens } from '../../base/token-estimate.ts';
import { CodeContextManager } from '../context/code-context-manager.ts';
import { ImpactManager } from './impact-manager.ts';

function open(files: Record<string, string>) {
  const project = createSourceProject(files);
  const contextManager = new CodeContextManager({ root: project.root });
  return { ...project, impact: new ImpactManager({ root: project.root, contextManager }) };
}

const chain = {
  'src/row.ts': 'export interface Row { id: number }\nexport const emptyRow = { id: 0 };\nconst hidden = 1;\n',
  'src/store.ts':
    "import { emptyRow, type Row } from './row.ts';\n\nexport const open = (): Row => emptyRow;\n// emptyRow\nconst text = 'emptyRow';\n",
  'src/app.ts': "import { open } from './store.ts';\nopen();\n",
  'src/main.ts': "import './app.ts';\n",
  'src/store.test.ts': "import { open } from './store.ts';\nopen();\n",
  'src/other.ts': "export const other = 'row';\n",
};

describe('the impact of a change', () => {
  it('goes from file to file with the way, the tests and the names that are used', async () => {
    const { impact } = open(chain);
    expect(await impact.impactOf(['src/row.ts'], { depth: 3 })).toEqual({
      changed: [{ path: 'src/row.ts', exists: true, exports: ['Row', 'emptyRow'] }],
      affected: [
        {
          path: 'src/store.ts',
          depth: 1,
          via: ['src/row.ts'],
          isTest: false,
          uses: [
            { symbol: 'emptyRow', lines: [3] },
            { symbol: 'Row', lines: [3] },
          ],
        },
        { path: 'src/app.ts', depth: 2, via: ['src/row.ts', 'src/store.ts'], isTest: false, uses: [] },
        { path: 'src/store.test.ts', depth: 2, via: ['src/row.ts', 'src/store.ts'], isTest: true, uses: [] },
        { path: 'src/main.ts', depth: 3, via: ['src/row.ts', 'src/store.ts', 'src/app.ts'], isTest: false, uses: [] },
      ],
      tests: ['src/store.test.ts'],
      broken: [],
      complete: true,
    });
  });

  it('goes no further than asked, and says that there is more', async () => {
    const { impact } = open(chain);
    const near = await impact.impactOf(['src/row.ts'], { depth: 1 });
    expect([near.affected.map(({ path }) => path), near.complete]).toEqual([['src/store.ts'], false]);
    const few = await impact.impactOf(['src/row.ts'], { limit: 2 });
    expect([few.affected.map(({ path }) => path), few.complete]).toEqual([['src/store.ts', 'src/app.ts'], false]);
  });

  it('lists who still imports a file that is gone, by whatever ending', async () => {
    const { impact, root } = open({
      ...chain,
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'src/late.js': "const row = require('@/row');\n",
    });
    rmSync(join(root, 'src/row.ts'));
    const report = await impact.impactOf([join(root, 'src/row.ts')], { depth: 1 });
    expect(report.changed).toEqual([{ path: 'src/row.ts', exists: false, exports: ['emptyRow', 'Row'] }]);
    expect(report.broken).toEqual([
      { path: 'src/late.js', line: 1, specifier: '@/row', target: 'src/row.ts' },
      { path: 'src/store.ts', line: 1, specifier: './row.ts', target: 'src/row.ts' },
    ]);
    expect(report.affected.map(({ path, uses }) => [path, uses.map(({ symbol }) => symbol)])).toEqual([
      ['src/late.js', []],
      ['src/store.ts', ['emptyRow', 'Row']],
    ]);
    expect(impact.describe(report)).toBe(
      [
        'Broken imports (the file is gone):',
        '- src/late.js:1 imports "@/row", which was src/row.ts',
        '- src/store.ts:1 imports "./row.ts", which was src/row.ts',
        'Files that depend on the change:',
        '- src/late.js (imports src/row.ts)',
        '- src/store.ts (uses emptyRow:3, Row:3)',
        '(there is more further away)',
      ].join('\n'),
    );
  });

  it('of a renamed file has the old name broken and the new one without importers', async () => {
    const { impact, root } = open(chain);
    renameSync(join(root, 'src/row.ts'), join(root, 'src/line.ts'));
    const report = await impact.impactOf(['src/row.ts', 'src/line.ts'], { depth: 1 });
    expect(report.changed.map(({ path, exists }) => [path, exists])).toEqual([
      ['src/line.ts', true],
      ['src/row.ts', false],
    ]);
    expect(report.broken.map(({ path, target }) => [path, target])).toEqual([['src/store.ts', 'src/row.ts']]);
  });

  it.each<[string, Record<string, string>, string, string[]]>([
    [
      'Python',
      { 'app/__init__.py': '', 'app/rows.py': '', 'app/main.py': 'from app.rows import Row\nfrom . import rows\n' },
      'app/rows.py',
      ['app/main.py:1', 'app/main.py:2'],
    ],
    [
      'Go',
      { 'go.mod': 'module x.org/a\n', 'rows/rows.go': 'package rows\n', 'main.go': 'package main\nimport "x.org/a/rows"\n' },
      'rows/rows.go',
      ['main.go:2'],
    ],
    [
      'Rust',
      { 'Cargo.toml': '', 'src/main.rs': 'mod rows;\nuse crate::rows::Row;\n', 'src/rows.rs': '' },
      'src/rows.rs',
      ['src/main.rs:1', 'src/main.rs:2'],
    ],
    [
      'Java',
      { 'src/a/Main.java': 'package a;\nimport b.Row;\n', 'src/b/Row.java': 'package b;\nclass Row {}\n' },
      'src/b/Row.java',
      ['src/a/Main.java:2'],
    ],
    ['C', { 'main.c': '#include "rows.h"\n', 'rows.h': '' }, 'rows.h', ['main.c:1']],
  ])('finds broken imports of %s', async (_language, files, gone, broken) => {
    const { impact, root } = open(files);
    rmSync(join(root, gone));
    const report = await impact.impactOf([gone]);
    expect(report.broken.map(({ path, line }) => `${path}:${line}`)).toEqual(broken);
  });

  it('ends in circles, and names a file that was changed itself only there', async () => {
    const { impact } = open({ 'a.ts': "import './b.ts';", 'b.ts': "import './c.ts';", 'c.ts': "import './a.ts';" });
    const report = await impact.impactOf(['a.ts', 'b.ts'], { depth: 10 });
    expect(report.affected.map(({ path, via }) => [path, via])).toEqual([['c.ts', ['a.ts']]]);
  });

  it('of a Go file reaches the tests beside it, and of a C file those who include its header', async () => {
    const { impact } = open({
      'go.mod': 'module x.org/a\n',
      'rows.go': 'package a\nfunc Open() {}\n',
      'rows_test.go': 'package a\nfunc TestOpen() { Open() }\n',
      'list.h': 'int list_size(void);\n',
      'list.c': '#include "list.h"\nint list_size(void) { return 0; }\n',
      'main.c': '#include "list.h"\nint main(void) { return list_size(); }\n',
    });
    const go = await impact.impactOf(['rows.go']);
    expect([go.tests, go.affected[0]?.uses]).toEqual([['rows_test.go'], [{ symbol: 'Open', lines: [2] }]]);
    const c = await impact.impactOf(['list.c']);
    expect(c.affected.map(({ path }) => path)).toEqual(['list.h', 'main.c']);
  });

  it('of a changed test is the test itself; of nothing and of paths outside it is nothing', async () => {
    const { impact } = open(chain);
    expect((await impact.impactOf(['src/store.test.ts'])).tests).toEqual(['src/store.test.ts']);
    const empty = { changed: [], affected: [], tests: [], broken: [], complete: true };
    expect([await impact.impactOf([]), await impact.impactOf(['../x.ts', '/etc/passwd'])]).toEqual([empty, empty]);
    expect(impact.describe(empty)).toBe('No file of the project imports what was changed.');
  });

  it.each([30, 100, 400])('is described in at most %d tokens, and says what was left out', async (tokens) => {
    const importers = Object.fromEntries(
      Array.from({ length: 150 }, (_, i) => [`src/importer-${i}.ts`, "import { a } from './a.ts';\na();\n"]),
    );
    const { impact } = open({ 'src/a.ts': 'export const a = () => 1;', ...importers });
    const text = impact.describe(await impact.impactOf(['src/a.ts']), { tokens });
    expect(estimateTokens(text)).toBeLessThanOrEqual(tokens);
    expect(text).toMatch(/\(\d+ more lines left out\)$/);
  });

  it('is not told where it is no longer wanted', async () => {
    const { impact } = open(chain);
    await expect(impact.impactOf(['src/row.ts'], { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
  });
});
