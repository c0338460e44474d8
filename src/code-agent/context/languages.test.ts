// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sample sources hold templates of their own
// What the index finds in files of each language, seen through the manager, on real files.
import { describe, expect, it } from 'vitest';
import { createSourceProject } from '../../../test/support/source-project.ts';
import { CodeContextManager } from './code-context-manager.ts';

async function index(files: Record<string, string>): Promise<CodeContextManager> {
  const manager = new CodeContextManager({ root: createSourceProject(files).root });
  await manager.refresh();
  return manager;
}

/** `kind container.name:line`, with a plus where it is exported. */
function symbolsIn(manager: CodeContextManager, path: string): string[] {
  return manager
    .symbolsOf(path)
    .map(
      ({ name, kind, line, exported, container }) =>
        `${kind} ${container ? `${container}.` : ''}${name}:${line}${exported ? '+' : ''}`,
    );
}

function importsIn(manager: CodeContextManager, path: string): string[] {
  return manager.importsOf(path).map(({ to, line }) => `${line} ${to}`);
}

describe('symbols', () => {
  const cases: Record<string, [path: string, source: string, symbols: string[]]> = {
    TypeScript: [
      'a.ts',
      [
        '// export function commented() {}',
        "const text = 'export class Quoted {}';",
        'const made = `',
        'export function inTemplate() {} ${text + `class Nested {}`}',
        '`;',
        '/* export class Blocked {',
        '} */',
        'export interface Shape { size(): number }',
        'export type Name = string;',
        'export enum Color { Red }',
        'export abstract class Store<T> extends Base {',
        '  #rows = new Map<string, T>();',
        '  static async open(path: string): Promise<Store> {',
        '    if (path) { return new Store(); }',
        '  }',
        '  get size(): number { return 1; }',
        '  readonly close = async () => { run(1); };',
        '}',
        'export default async function run(a = { b: 1 }) {',
        '  const inner = 1;',
        '  function hidden() {}',
        '}',
        'export const limit = 5;',
        'const add = (a: number, b: number): number => a + b;',
        'const pattern = /class Fake {[\'"]/;',
        'class Late {}',
        'export { add, Late as Other };',
      ].join('\n'),
      [
        'constant text:2',
        'constant made:3',
        'interface Shape:8+',
        'type Name:9+',
        'enum Color:10+',
        'class Store:11+',
        'method Store.open:13',
        'method Store.size:16',
        'method Store.close:17',
        'function run:19+',
        'constant limit:23+',
        'function add:24+',
        'constant pattern:25',
        'class Late:26+',
      ],
    ],
    'JavaScript with module.exports': [
      'a.cjs',
      'function one() {}\nfunction two() {}\nconst three = function () {};\nexports.two = two;\nmodule.exports = { one };\n',
      ['function one:1+', 'function two:2+', 'function three:3'],
    ],
    Python: [
      'a.py',
      [
        '"""class InText: pass',
        'def also_text(): ...',
        '"""',
        '# def commented(): ...',
        'LIMIT: int = 5',
        '_private = 1',
        'class Store(Base):',
        "    '''def quoted(): ...'''",
        '    size = 3',
        '    async def open(self):',
        '        def hidden(): ...',
        '    class Row:',
        '        def read(self): ...',
        'def run(a, b=1):',
        '    x = 1',
        'async def _later(): ...',
      ].join('\n'),
      [
        'constant LIMIT:5+',
        'constant _private:6',
        'class Store:7+',
        'method Store.open:10',
        'class Store.Row:12',
        'method Row.read:13',
        'function run:14+',
        'function _later:16',
      ],
    ],
    Go: [
      'a.go',
      [
        'package store',
        '// func Commented() {}',
        'const text = `func InText() {}`',
        'type Store struct {',
        '\trows map[string]int',
        '}',
        'type Reader interface { Read() }',
        'const (',
        '\tLimit = 5',
        '\tsmall = iota',
        ')',
        'func Open(path string) (*Store, error) {',
        '\tvar inner = 1',
        '\treturn nil, nil',
        '}',
        'func (s *Store) Close() error { return nil }',
        'func Map[T any](in []T) {}',
      ].join('\n'),
      [
        'constant text:3',
        'class Store:4+',
        'interface Reader:7+',
        'constant Limit:9+',
        'constant small:10',
        'function Open:12+',
        'method Store.Close:16+',
        'function Map:17+',
      ],
    ],
    Rust: [
      'a.rs',
      [
        '/* fn blocked() { /* nested */ } fn still() {} */',
        'const TEXT: &str = r#"fn in_text() { " "#;',
        "pub struct Store<'a> { rows: &'a str }",
        "impl<'a> Store<'a> {",
        "    pub fn open(path: &'a str) -> char { '{' }",
        '    async fn close(&self) {}',
        '}',
        'pub trait Reader { fn read(&self); }',
        "impl Reader for Store<'_> {",
        '    fn read(&self) {}',
        '}',
        'pub(crate) enum Kind { A }',
        'macro_rules! shout { () => {} }',
        'mod inner {',
        '    pub fn deep() {}',
        '}',
        'pub async unsafe fn run() {',
        '    fn hidden() {}',
        '}',
      ].join('\n'),
      [
        'constant TEXT:2',
        'class Store:3+',
        'method Store.open:5+',
        'method Store.close:6',
        'interface Reader:8+',
        'method Store.read:10',
        'enum Kind:12+',
        'function shout:13',
        'module inner:14',
        'function inner.deep:15+',
        'function run:17+',
      ],
    ],
    Java: [
      'Store.java',
      [
        'package app.store;',
        '/** class Commented { } */',
        '@Deprecated',
        'public final class Store extends Base implements Closeable {',
        '  public static final int LIMIT = 5;',
        '  private String text = "void inText() {";',
        '  public Store() { super(); }',
        '  @Override public List<String> read(int a, String b) throws IOException {',
        '    if (a > 0) { return other(b); }',
        '    Object x = new Object() { public void hidden() {} };',
        '    return null;',
        '  }',
        '  enum Kind { A, B }',
        '}',
        'interface Reader { }',
      ].join('\n'),
      ['class Store:4+', 'constant Store.LIMIT:5', 'method Store.read:8', 'enum Store.Kind:13', 'interface Reader:15+'],
    ],
    Kotlin: [
      'a.kt',
      [
        'package app',
        'const val LIMIT = 5',
        'val text = """fun inText() { """',
        'data class Row(val id: Int) {',
        '  fun read(): Int { val inner = 1; return id }',
        '}',
        'object Single { fun call() {} }',
        'fun String.shout(): String = uppercase()',
        'private suspend fun later() {}',
      ].join('\n'),
      [
        'constant LIMIT:2+',
        'constant text:3+',
        'class Row:4+',
        'method Row.read:5',
        'class Single:7+',
        'function shout:8+',
        'function later:9',
      ],
    ],
    'C and C++': [
      'a.cpp',
      [
        '#include "a.h"',
        '#define LIMIT 5',
        '// int commented(void) {}',
        'const char *text = "int in_text() {";',
        'const char *raw = R"x(void inRaw() { )" )x";',
        'typedef struct row row_t;',
        'namespace app {',
        'class Store : public Base {',
        ' public:',
        '  int size() const { return 1; }',
        '};',
        'static int helper(int a) { return a; }',
        "int run(int argc, char **argv) { if (argc) { call(1'000); } return 0; }",
        'void Store::close() {}',
        '}',
        'enum class Kind { A };',
      ].join('\n'),
      [
        'constant LIMIT:2+',
        'type row_t:6+',
        'class app.Store:8+',
        'method Store.size:10+',
        'function app.helper:12+',
        'function app.run:13+',
        'method Store.close:14+',
        'enum Kind:16+',
      ],
    ],
  };

  it.each(Object.entries(cases))(
    'of %s are found with their lines; comments and strings declare nothing',
    async (_name, [path, source, symbols]) => {
      expect(symbolsIn(await index({ [path]: source }), path)).toEqual(symbols);
    },
  );
});

describe('imports', () => {
  const cases: Record<string, [files: Record<string, string>, from: string, imports: string[]]> = {
    'TypeScript by every kind of statement': [
      {
        'src/a.ts': [
          "import { one } from './one.js';",
          "import type { Two } from './two';",
          "export * from './deep';",
          "import './effect.css';",
          "const lazy = () => import('./lazy.mjs');",
          "const old = require('../old');",
          "// import x from './commented.ts';",
          'const text = "import y from \'./quoted.ts\'";',
          'const list = Array.from("./quoted.ts");',
          'import {',
          '  many,',
          "} from './many.ts';",
          "import fs from 'node:fs';",
          "import x from './nowhere.ts';",
          "import out from '../../outside.ts';",
        ].join('\n'),
        'src/one.ts': '',
        'src/two.tsx': '',
        'src/deep/index.ts': '',
        'src/effect.css': '',
        'src/lazy.mts': '',
        'old.js': '',
        'src/commented.ts': '',
        'src/quoted.ts': '',
        'src/many.ts': '',
      },
      'src/a.ts',
      [
        '1 src/one.ts',
        '2 src/two.tsx',
        '3 src/deep/index.ts',
        '4 src/effect.css',
        '5 src/lazy.mts',
        '6 old.js',
        '10 src/many.ts',
      ],
    ],
    'tsconfig paths with comments, baseUrl and what it extends': [
      {
        'tsconfig.base.json':
          '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "@/special": ["other/special.ts"] } } }',
        'tsconfig.json': '{ // ours\n "extends": "./tsconfig.base.json", "compilerOptions": { "strict": true, }, }',
        'src/a.ts': "import '@/b';\nimport '@/special';\nimport 'src/c';\n",
        'src/b.ts': '',
        'src/c.ts': '',
        'other/special.ts': '',
      },
      'src/a.ts',
      ['1 src/b.ts', '2 other/special.ts', '3 src/c.ts'],
    ],
    'packages of the same project by name, exports and imports': [
      {
        'package.json': '{ "name": "root", "workspaces": ["packages/*"], "imports": { "#db": "./src/db.ts" } }',
        'packages/core/package.json':
          '{ "name": "@app/core", "exports": { ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" }, "./tools/*": "./src/tools/*.ts" } }',
        'packages/core/src/index.ts': '',
        'packages/core/src/tools/hammer.ts': '',
        'packages/ui/package.json': '{ "name": "ui", "main": "lib/main.js" }',
        'packages/ui/src/main.tsx': '',
        'packages/ui/src/button.tsx': '',
        'src/db.ts': '',
        'src/a.ts':
          "import '@app/core';\nimport '@app/core/tools/hammer';\nimport 'ui';\nimport 'ui/button';\nimport '#db';\nimport 'react';\n",
      },
      'src/a.ts',
      [
        '1 packages/core/src/index.ts',
        '2 packages/core/src/tools/hammer.ts',
        '3 packages/ui/src/main.tsx',
        '4 packages/ui/src/button.tsx',
        '5 src/db.ts',
      ],
    ],
    'Vue components': [
      {
        'a.vue': "<template><b>import './no.ts'</b></template>\n<script setup>\nimport { x } from './x';\n</script>\n",
        'x.ts': '',
        'no.ts': '',
      },
      'a.vue',
      ['3 x.ts'],
    ],
    'Python packages, modules, relative ones and several lines': [
      {
        'src/app/__init__.py': '',
        'src/app/store/__init__.py': '',
        'src/app/store/rows.py': '',
        'src/app/store/files.py': '',
        'src/app/tools.py': '',
        'src/app/main.py': [
          'import os, app.tools as t',
          'from app.store import (rows,',
          '    Missing)',
          'from .store import files',
          'from . import tools',
          '"""',
          'import app.store.files',
          '"""',
          'from .. import outside',
        ].join('\n'),
      },
      'src/app/main.py',
      [
        '1 src/app/tools.py',
        '2 src/app/store/rows.py',
        '2 src/app/store/__init__.py',
        '4 src/app/store/files.py',
        '5 src/app/tools.py',
      ],
    ],
    'Go packages as folders, and files of one package': [
      {
        'go.mod': 'module example.com/app\n\ngo 1.22\n',
        'main.go':
          'package main\n\nimport (\n\t"fmt"\n\tstore "example.com/app/internal/store"\n)\n\nfunc main() { fmt.Println(store.Open(), helper()) }\n',
        'helper.go': 'package main\n\nfunc helper() int { return 1 }\n',
        'lonely.go': 'package main\n\n// helper is not used here\nfunc other() {}\n',
        'internal/store/store.go': 'package store\n\nfunc Open() int { return 1 }\n',
        'internal/store/store_test.go': 'package store\n\nfunc TestOpen() { Open() }\n',
      },
      'main.go',
      ['5 internal/store/store.go', '0 helper.go'],
    ],
    'Rust modules, crate paths, groups, super and other crates': [
      {
        'Cargo.toml': '[workspace]\nmembers = ["core"]\n[package]\nname = "app"\n',
        'core/Cargo.toml': '[package]\nname = "app-core"\n',
        'core/src/lib.rs': 'pub mod net;\n',
        'core/src/net.rs': '',
        'src/main.rs':
          'mod store;\nmod text;\n// mod commented;\nuse crate::store::{self, rows::Row, Missing};\nuse app_core::net::Client;\nuse std::fs;\nfn main() { crate::text::shout(); }\n',
        'src/store/mod.rs': 'pub mod rows;\nuse super::text::shout;\n',
        'src/store/rows.rs': '',
        'src/text.rs': '',
        'src/commented.rs': '',
      },
      'src/main.rs',
      [
        '1 src/store/mod.rs',
        '2 src/text.rs',
        '4 src/store/mod.rs',
        '4 src/store/rows.rs',
        '4 src/store/mod.rs',
        '5 core/src/net.rs',
        '7 src/text.rs',
      ],
    ],
    'Java by full name, statically, all of a package, and of the same package': [
      {
        'app/src/main/java/org/app/Main.java':
          'package org.app;\nimport org.app.store.Store;\nimport static org.app.util.Text.shout;\nimport org.app.model.*;\nimport java.util.List;\nclass Main { Row row; Neighbour n; }\n',
        'app/src/main/java/org/app/Neighbour.java': 'package org.app;\nclass Neighbour {}\n',
        'app/src/main/java/org/app/Stranger.java': 'package org.app;\nclass Stranger {}\n',
        'app/src/main/java/org/app/store/Store.java': 'package org.app.store;\npublic class Store {}\n',
        'app/src/main/java/org/app/util/Text.java':
          'package org.app.util;\npublic class Text { public static void shout() {} }\n',
        'app/src/main/java/org/app/model/Row.java': 'package org.app.model;\npublic class Row {}\n',
        'app/src/main/java/org/app/model/Unused.java': 'package org.app.model;\npublic class Unused {}\n',
      },
      'app/src/main/java/org/app/Main.java',
      [
        '2 app/src/main/java/org/app/store/Store.java',
        '3 app/src/main/java/org/app/util/Text.java',
        '4 app/src/main/java/org/app/model/Row.java',
        '0 app/src/main/java/org/app/Neighbour.java',
      ],
    ],
    'C includes beside the file, in include folders and by the end of the path': [
      {
        'src/main.c':
          '#include "near.h"\n#include "lib/far.h"\n#include <proj/api.h>\n#include <stdio.h>\n/* #include "commented.h" */\n#include "unique.h"\n',
        'src/near.h': '',
        'src/commented.h': '',
        'include/proj/api.h': '',
        'lib/far.h': '',
        'third/deep/unique.h': '',
        'other/stdio.h': '',
      },
      'src/main.c',
      ['1 src/near.h', '2 lib/far.h', '3 include/proj/api.h', '6 third/deep/unique.h'],
    ],
  };

  it.each(Object.entries(cases))('of %s lead to files of the project', async (_name, [files, from, imports]) => {
    expect(importsIn(await index(files), from)).toEqual(imports);
  });

  it('say which names they take over', async () => {
    const source =
      "import whole, { one as uno, type Two } from './b.ts';\nimport * as all from './b.ts';\nimport type { Three } from './b.ts';\nimport './b.ts';\n";
    const manager = await index({ 'a.ts': source, 'b.ts': '' });
    expect(manager.importsOf('a.ts').map(({ names }) => names)).toEqual([['one', 'Two', 'default'], ['*'], ['Three'], []]);
  });

  it('a header leads on to the file that fills it', async () => {
    const manager = await index({ 'a.h': '', 'a.c': '#include "a.h"\n', 'main.c': '#include "a.h"\n' });
    expect(manager.importersOf('a.c').map(({ from, kind }) => [from, kind])).toEqual([['a.h', 'header']]);
    expect(manager.importersOf('a.h').map(({ from }) => from)).toEqual(['a.c', 'main.c']);
  });

  it('manifests that are no manifests say nothing', async () => {
    const manager = await index({
      'package.json': '[1, 2',
      'tsconfig.json': '{ "extends": ["./tsconfig.json", 5], "compilerOptions": { "paths": { "@/*": "src" } } }',
      'a.ts': "import './b';\nimport '@/b';\n",
      'b.ts': '',
    });
    expect(importsIn(manager, 'a.ts')).toEqual(['1 b.ts']);
  });
});

describe('hostile sources', () => {
  it.each([
    ['a long line of words that begin statements', 'a.ts', 'export import '.repeat(30_000)],
    ['quotes that never close', 'a.ts', `${'"\n'.repeat(50_000)}\`${'${'.repeat(50_000)}`],
    ['brackets without end', 'a.ts', '([{'.repeat(100_000)],
    ['comments in comments without end', 'a.rs', '/*'.repeat(150_000)],
    ['a group without end', 'a.py', `from a import (${'b, '.repeat(100_000)}`],
    ['a tree of uses without end', 'a.rs', `use a::{${'b::{'.repeat(80_000)}`],
    ['spaces and nothing else', 'a.java', ' '.repeat(400_000)],
    ['one long word', 'a.cpp', `${'a'.repeat(400_000)}(`],
    ['words without a statement', 'a.java', 'a '.repeat(200_000)],
    ['types without end', 'a.cpp', 'int* '.repeat(80_000)],
  ])('%s is read in a moment', async (_name, path, source) => {
    const began = performance.now();
    const manager = await index({ [path]: source });
    expect(manager.facts?.files).toBe(1);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
