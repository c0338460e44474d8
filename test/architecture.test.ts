// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sample sources hold templates of their own
// The source keeps the rules of the house, and the checker that says so is itself shown to catch every kind of breach.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findViolations, type SourceFile } from './support/architecture-rules.ts';

const sourceRoot = fileURLToPath(new URL('../src', import.meta.url));

describe('the source', () => {
  it('keeps every rule of the house', () => {
    const files = readTree(sourceRoot);
    expect(files.length).toBeGreaterThan(10);
    expect(findViolations(files)).toEqual([]);
  });
});

describe('the checker accepts', () => {
  const accepted: Record<string, Record<string, string>> = {
    'an import from a lower floor, from base into model and within a room': {
      'base/json.ts': 'export type Json = string;',
      'model/entry.ts':
        "import type { Json } from '../base/json.ts';\nimport { z } from 'zod';\nexport const a: Json = z.string();",
      'store/gate.ts':
        "import { a } from '../model/entry.ts';\nimport { readFile } from 'node:fs/promises';\nexport { a, readFile };",
      'store/store.ts': "export { a } from './gate.ts';",
    },
    'the composition root over everything below the command line, and the command line over the root': {
      'store/store.ts': 'export const store = 1;',
      'channels/channels.ts': 'export const channels = 1;',
      'open-store.ts': "export const open = () => import('./store/store.ts');",
      'index.ts': "export { channels } from './channels/channels.ts';\nexport { open } from './open-store.ts';",
      'cli/main.ts':
        "import { open } from '../open-store.ts';\nimport pkg from '../../package.json' with { type: 'json' };\nconsole.log(process.env.HOME, pkg);\nopen();",
    },
    'a test that uses the published suites, the composition root and test packages': {
      'testing/suite.ts': "import { expect } from 'vitest';\nimport '../store/store.ts';\nexport { expect };",
      'store/store.ts': 'export const store = 1;',
      'open-store.ts': "import './store/store.ts';",
      'store/store.test.ts':
        "import fc from 'fast-check';\nimport { it } from 'vitest';\nimport { open } from '../open-store.ts';\nimport { needs } from '../../test/support/require-system.ts';\nimport '../testing/suite.ts';\nconsole.log(process.env.CI);",
    },
    'forbidden words in comments, strings, templates and regular expressions': {
      'base/words.ts': [
        "// import '../store/store.ts'; process.env.HOME",
        '/* console.log(1); export * from "x" */',
        "export const a = 'process.env.HOME';",
        'export const b = `import("../store/store.ts") ${a + `console.log(${a})`} export * from`;',
        "export const c = /console.log('/.test(a) ? 1 / 2 : '/'.length / 2; // process.stdout",
        "export const d = { import: 'x', from: 'y' };",
      ].join('\n'),
    },
    'a file of exactly 500 code lines, with comments and blank lines on top': {
      'base/long.ts': `// head\n\n/*\n * more\n */\n${'export {};\n'.repeat(500)}`,
    },
    'a heavy package that the library loads lazily or for its types': {
      'index.ts': "export { open } from './open-store.ts';",
      'open-store.ts':
        "import type { D } from './store/driver.ts';\nexport const open = (): Promise<D> => import('./store/driver.ts');",
      'store/driver.ts': "import Database from 'better-sqlite3-multiple-ciphers';\nexport type D = typeof Database;",
    },
  };

  it.each(Object.entries(accepted))('%s', (_name, tree) => {
    expect(findViolations(toFiles(tree))).toEqual([]);
  });
});

describe('the checker refuses', () => {
  const store = 'export const store = 1;';
  const refused: Record<string, [Record<string, string>, string[]]> = {
    'an upward import': [
      { 'model/a.ts': "\nimport { store } from '../store/store.ts';", 'store/store.ts': store },
      ['upward import: src/model/a.ts:2 (model, F0) → src/store/store.ts (store, F1)'],
    ],
    'an upward import for types only': [
      { 'store/store.ts': "import type { Run } from '../runtime/run.ts';", 'runtime/run.ts': 'export type Run = 1;' },
      ['upward import: src/store/store.ts:1 (store, F1) → src/runtime/run.ts (runtime, F3)'],
    ],
    'an upward import of one name among others, over several lines': [
      { 'base/a.ts': "import fs, {\n  type A,\n  b,\n} from '../store/b.ts';", 'store/b.ts': store },
      ['upward import: src/base/a.ts:1 (base, F0) → src/store/b.ts (store, F1)'],
    ],
    'an upward import made dynamically': [
      { 'store/store.ts': "const open = async () => await import('../config/config.ts');", 'config/config.ts': store },
      ['upward import: src/store/store.ts:1 (store, F1) → src/config/config.ts (config, F4)'],
    ],
    'an upward import inside a template': [
      { 'store/store.ts': 'const a = `${{ a: `}` }.a}${await import("../cli/main.ts")}`;', 'cli/main.ts': store },
      ['upward import: src/store/store.ts:1 (store, F1) → src/cli/main.ts (cli, F6)'],
    ],
    'an upward import for its type alone, by import()': [
      { 'store/store.ts': "type A = typeof import('../cli/main.ts');", 'cli/main.ts': store },
      ['upward import: src/store/store.ts:1 (store, F1) → src/cli/main.ts (cli, F6)'],
    ],
    'an upward re-export': [
      { 'channels/a.ts': "export { main } from '../cli/main.ts';", 'cli/main.ts': store },
      ['upward import: src/channels/a.ts:1 (channels, F5) → src/cli/main.ts (cli, F6)'],
    ],
    'an upward import for its side effects': [
      { 'crypto/a.ts': "import '../server/server.ts';", 'server/server.ts': store },
      ['upward import: src/crypto/a.ts:1 (crypto, F1) → src/server/server.ts (server, F5)'],
    ],
    'an import across one floor': [
      { 'crypto/a.ts': "import { store } from '../store/store.ts';", 'store/store.ts': store },
      ['same-floor import: src/crypto/a.ts:1 (crypto, F1) → src/store/store.ts (store, F1)'],
    ],
    'base over model, although model stands over base': [
      { 'base/a.ts': "import '../model/b.ts';", 'model/b.ts': store },
      ['same-floor import: src/base/a.ts:1 (base, F0) → src/model/b.ts (model, F0)'],
    ],
    'the composition root over the command line': [
      { 'index.ts': "export { main } from './cli/main.ts';", 'cli/main.ts': store },
      ['upward import: src/index.ts:1 (index.ts) → src/cli/main.ts (cli, F6)'],
    ],
    'a room over the composition root': [
      { 'channels/a.ts': "import { open } from '../open-store.ts';", 'open-store.ts': store },
      ['composition root imported: src/channels/a.ts:1 (channels, F5) → src/open-store.ts (open-store.ts)'],
    ],
    'a room that imports the published doubles': [
      { 'cli/main.ts': "import '../testing/suite.ts';", 'testing/suite.ts': store },
      ['testing imported: src/cli/main.ts:1 (cli, F6) → src/testing/suite.ts (testing)'],
    ],
    'published doubles that know more than the store': [
      { 'testing/suite.ts': "import '../runtime/run.ts';", 'runtime/run.ts': store },
      ['testing reaches too far: src/testing/suite.ts:1 (testing) → src/runtime/run.ts (runtime, F3)'],
    ],
    'a test that crosses rooms upward': [
      { 'store/store.test.ts': "import '../channels/a.ts';", 'channels/a.ts': store },
      ['upward import: src/store/store.test.ts:1 (store, F1) → src/channels/a.ts (channels, F5)'],
    ],
    'a room that is not in the table': [
      { 'attic/a.ts': store, 'stray.ts': store },
      [
        'unknown room: src/attic/a.ts belongs to no floor; give it a room of the table',
        'unknown room: src/stray.ts belongs to no floor; give it a room of the table',
      ],
    ],
    'an import that leaves the source': [
      { 'store/a.ts': "import '../../package.json' with { type: 'json' };\nimport '../../test/support/b.ts';" },
      ['leaves src: src/store/a.ts:1 → ../../package.json', 'leaves src: src/store/a.ts:2 → ../../test/support/b.ts'],
    ],
    'an import of a file that is not there': [
      { 'store/a.ts': "import './b.ts';" },
      ['missing file: src/store/a.ts:1 → src/store/b.ts'],
    ],
    'an import whose target is computed': [
      { 'store/a.ts': 'const load = (name: string) => import(name);' },
      ['computed import: src/store/a.ts:1 (what it imports cannot be checked)'],
    ],
    'a cycle between files': [
      {
        'store/a.ts': "import './b.ts';",
        'store/b.ts': "import type { c } from './c.ts';",
        'store/c.ts': "export { a } from './a.ts';",
      },
      ['cycle: src/store/a.ts → src/store/b.ts → src/store/c.ts → src/store/a.ts'],
    ],
    'a file over 500 code lines': [
      { 'store/a.ts': 'export {};\n'.repeat(501) },
      ['too long: src/store/a.ts has 501 code lines (limit 500)'],
    ],
    'a nested index': [{ 'store/drivers/index.ts': store }, ['nested index: src/store/drivers/index.ts']],
    'an export of everything': [
      { 'store/a.ts': "export * from './b.ts';\nexport type * as b from './b.ts';", 'store/b.ts': store },
      ['export *: src/store/a.ts:1 (name what is exported)', 'export *: src/store/a.ts:2 (name what is exported)'],
    ],
    'names that say nothing': [
      { 'base/utils.ts': store, 'base/string-helpers.test.ts': store, 'store/common/a.ts': store, 'cli/misc.ts': store },
      [
        'vague name: src/base/utils.ts ("utils" says nothing; name the subject)',
        'vague name: src/base/string-helpers.test.ts ("string-helpers" says nothing; name the subject)',
        'vague name: src/store/common/a.ts ("common" says nothing; name the subject)',
        'vague name: src/cli/misc.ts ("misc" says nothing; name the subject)',
      ],
    ],
    'the environment and the terminal below the doors': [
      {
        'store/a.ts': 'const home = process.env.HOME;\nconsole.log(home);\nprocess.stdout.write(`${process . env}`);',
        'open-store.ts': "import { env } from 'node:process';",
        'testing/a.ts': 'console\n  .warn(1);',
      },
      [
        'door only: src/store/a.ts:1 uses process.env below floor 5',
        'door only: src/store/a.ts:3 uses process.env below floor 5',
        'door only: src/store/a.ts:3 uses process.stdout, stderr or stdin below floor 5',
        'door only: src/store/a.ts:2 uses console below floor 5',
        'door only: src/open-store.ts:1 imports node:process below floor 5',
        'door only: src/testing/a.ts:1 uses console below floor 5',
      ],
    ],
    'a package outside of its room': [
      {
        'cli/a.ts': "import Database from 'better-sqlite3-multiple-ciphers';",
        'channels/a.ts': "import { z } from 'zod';",
        'store/a.ts': "const b = () => import('commander');",
        'store/b.ts': "import { it } from 'vitest';",
        'config/a.ts': "import 'string-width/index.js';",
      },
      [
        'foreign package: src/cli/a.ts:1 (cli) → better-sqlite3-multiple-ciphers, which lives in store, recall, transcripts',
        'foreign package: src/channels/a.ts:1 (channels) → zod, which lives in model, store, crypto, tools, config, team, code-agent, mcp-server, testing',
        'foreign package: src/store/a.ts:1 (store) → commander, which lives in cli',
        'foreign package: src/store/b.ts:1 (store) → vitest, which lives in testing',
        'foreign package: src/config/a.ts:1 (config) → string-width/index.js, which lives in cli',
      ],
    ],
    'a package no room is named for, and the house by its own published name': [
      { 'store/a.ts': "import '@scope/name/deep';\nimport 'fs';\nimport 'continuo/store';" },
      [
        'unknown package: src/store/a.ts:1 → @scope/name/deep (no room is named for it)',
        'unknown package: src/store/a.ts:2 → fs (no room is named for it)',
        'unknown package: src/store/a.ts:3 → continuo/store (no room is named for it)',
      ],
    ],
    'a heavy package that importing the library would load at once': [
      {
        'index.ts': "export { store } from './store/store.ts';",
        'store/store.ts': "import './driver.ts';",
        'store/driver.ts': "import Database from 'better-sqlite3-multiple-ciphers';",
      },
      [
        'heavy entry: src/index.ts → src/store/store.ts → src/store/driver.ts → better-sqlite3-multiple-ciphers (import it lazily)',
      ],
    ],
  };

  it.each(Object.entries(refused))('%s', (_name, [tree, violations]) => {
    expect(findViolations(toFiles(tree))).toEqual(violations);
  });
});

function toFiles(tree: Record<string, string>): SourceFile[] {
  return Object.entries(tree).map(([file, text]) => ({ path: file, text }));
}

function readTree(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .sort()
    .map((file) => ({ path: file.split(path.sep).join('/'), text: readFileSync(path.join(root, file), 'utf8') }));
}
