// Projects whose tool chain is named by a file: what its tools call a build and a test.
import { joinPath } from '../project-folders.ts';
import { type Detector, type FoundCheck, found, nothing } from './detector.ts';
import { parseObject } from './node-checks.ts';

/** Most tool chains: a file, and the commands everybody runs who has it. */
const table: readonly { kind: string; file: RegExp; commands: readonly (readonly [FoundCheck['name'], string])[] }[] = [
  {
    kind: 'cargo',
    file: /^Cargo\.toml$/,
    commands: [
      ['build', 'cargo check --all-targets'],
      ['test', 'cargo test'],
    ],
  },
  {
    kind: 'go',
    file: /^go\.mod$/,
    commands: [
      ['build', 'go build ./...'],
      ['test', 'go test ./...'],
    ],
  },
  { kind: 'gradle', file: /^gradlew$/, commands: [['check', './gradlew check']] },
  { kind: 'maven', file: /^mvnw$/, commands: [['test', './mvnw -B -q test']] },
  { kind: 'gradle', file: /^build\.gradle(?:\.kts)?$/, commands: [['check', 'gradle check']] },
  { kind: 'maven', file: /^pom\.xml$/, commands: [['test', 'mvn -B -q test']] },
  { kind: 'dotnet', file: /\.(?:sln|slnx|csproj|fsproj|vbproj)$/, commands: [['test', 'dotnet test']] },
  {
    kind: 'swift',
    file: /^Package\.swift$/,
    commands: [
      ['build', 'swift build'],
      ['test', 'swift test'],
    ],
  },
  { kind: 'elixir', file: /^mix\.exs$/, commands: [['test', 'mix test']] },
  {
    kind: 'zig',
    file: /^build\.zig$/,
    commands: [
      ['build', 'zig build'],
      ['test', 'zig build test'],
    ],
  },
  {
    kind: 'dart',
    file: /^pubspec\.yaml$/,
    commands: [
      ['check', 'dart analyze'],
      ['test', 'dart test'],
    ],
  },
  { kind: 'ruby', file: /^\.rspec$/, commands: [['test', 'bundle exec rspec']] },
];

/** One detector for each kind; the first row of a kind that fits counts, so that a wrapper comes before the tool itself. */
export const tableChecks: readonly Detector[] = [...new Set(table.map(({ kind }) => kind))].map((kind) => ({
  kind,
  async detect(folder, project) {
    const names = [...(await project.names(folder))].sort();
    for (const row of table.filter((each) => each.kind === kind)) {
      const file = names.find((name) => row.file.test(name));
      if (file === undefined) continue;
      return found(...row.commands.map(([name, command]) => ({ name, words: command.split(' '), why: joinPath(folder, file) })));
    }
    return nothing;
  },
}));

export const denoChecks: Detector = {
  kind: 'deno',
  async detect(folder, project) {
    const names = await project.names(folder);
    const file = ['deno.json', 'deno.jsonc'].find((name) => names.has(name));
    if (file === undefined) return nothing;
    const why = joinPath(folder, file);
    const tasks = parseObject((await project.read(why)) ?? '')?.tasks;
    const has = (task: string) => typeof tasks === 'object' && tasks !== null && Object.hasOwn(tasks, task);
    return found(
      { name: 'check', words: has('check') ? ['deno', 'task', 'check'] : ['deno', 'check', '.'], why },
      { name: 'test', words: has('test') ? ['deno', 'task', 'test'] : ['deno', 'test'], why },
    );
  },
};

/** Only where somebody has configured it already: where to and with what is the person's choice. */
export const cmakeChecks: Detector = {
  kind: 'cmake',
  async detect(folder, project) {
    const names = await project.names(folder);
    if (!names.has('CMakeLists.txt')) return nothing;
    const candidates = [...names].filter((name) => /^(?:build|out|_build|cmake-build-.*)$/.test(name)).sort();
    for (const build of candidates) {
      const inside = await project.names(joinPath(folder, build));
      if (!inside.has('CMakeCache.txt')) continue;
      const why = `${joinPath(folder, 'CMakeLists.txt')}, configured in ${joinPath(folder, build)}`;
      const checks: FoundCheck[] = [{ name: 'build', words: ['cmake', '--build', build], why }];
      if (inside.has('CTestTestfile.cmake'))
        checks.push({ name: 'test', words: ['ctest', '--test-dir', build, '--output-on-failure'], why });
      return found(...checks);
    }
    return {
      checks: [],
      notes: [`${joinPath(folder, 'CMakeLists.txt')} has no build folder yet; make one with: cmake -B build`],
    };
  },
};
