// The rules of the house as data, and the checker that holds a source tree against them. See docs/architecture.md.
import path from 'node:path/posix';
import { type ImportEdge, lineOf, type ScannedSource, scanSource } from './source-scan.ts';

export interface SourceFile {
  /** Relative to src, with forward slashes. */
  path: string;
  text: string;
}

/** A room imports only from lower floors. */
export const floors: Readonly<Record<string, number>> = {
  base: 0,
  model: 0,
  store: 1,
  crypto: 1,
  snapshot: 1,
  exec: 1,
  project: 1,
  recall: 2,
  providers: 2,
  tools: 2,
  transcripts: 2,
  runtime: 3,
  team: 4,
  'code-agent': 4,
  config: 4,
  channels: 5,
  server: 5,
  'mcp-server': 5,
  cli: 6,
};

/** The one pair on a floor that may meet. */
const sameFloorImports: Readonly<Record<string, readonly string[]>> = { model: ['base'] };

/** The composition root: imports anything below the command line, is imported by the command line alone. */
const rootFiles: readonly string[] = [
  'index.ts',
  'open-store.ts',
  'convert-store.ts',
  'keyed-sessions.ts',
  'open-recall.ts',
  'home-sessions.ts',
];
const rootImporter = 'cli';

/** Published doubles and suites, beside the floors: nothing imports them but tests. */
const testingRoom = 'testing';
const testingImports: readonly string[] = ['base', 'model', 'store'];

/** From this floor up there are people, a terminal and an environment. */
const firstDoorFloor = 5;

/** Every package the source may import, and the rooms it lives in. */
export const packageRooms: Readonly<Record<string, readonly string[]>> = {
  '@ai-sdk/anthropic': ['providers'],
  '@ai-sdk/google': ['providers'],
  '@ai-sdk/openai': ['providers'],
  '@ai-sdk/openai-compatible': ['providers'],
  '@huggingface/tokenizers': ['recall'],
  '@modelcontextprotocol/sdk': ['tools'],
  'better-sqlite3-multiple-ciphers': ['store', 'recall', 'transcripts'],
  'cli-progress': ['cli'],
  commander: ['cli'],
  esbuild: ['testing'],
  'fast-check': ['testing'],
  fzstd: ['transcripts'],
  ink: ['cli'],
  'ink-testing-library': ['testing'],
  'onnxruntime-node': ['recall'],
  react: ['cli'],
  'smol-toml': ['config', 'team'],
  'sqlite-vec': ['recall'],
  'string-width': ['cli'],
  vitest: ['testing'],
  // The nouns, and the rooms that read files of their own format.
  zod: ['model', 'store', 'crypto', 'tools', 'config', 'team', 'code-agent', 'mcp-server', 'testing'],
};

/** Importing the library must stay cheap: what it loads at once, directly or through others, holds none of these. */
const lightEntry = 'index.ts';
const heavyPackages: readonly string[] = [
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@huggingface/tokenizers',
  '@modelcontextprotocol/sdk',
  'better-sqlite3-multiple-ciphers',
  'cli-progress',
  'commander',
  'ink',
  'onnxruntime-node',
  'react',
  'smol-toml',
  'sqlite-vec',
  'string-width',
];

/** Packages that only tests may import, wherever they are. */
const testPackages: readonly string[] = ['vitest', 'fast-check', 'ink-testing-library'];

/** The only files outside of src that source may read, and who may. */
const outsideFiles: Readonly<Record<string, readonly string[]>> = { '../package.json': ['cli'] };

const maxCodeLines = 500;
const vagueName = /^(?:(?:.*-)?(?:utils?|helpers?)|commons?|misc)$/;
const doorOnly: readonly [RegExp, string][] = [
  [/\bprocess\s*\??\.\s*env\b/g, 'process.env'],
  [/\bprocess\s*\??\.\s*(?:stdout|stderr|stdin)\b/g, 'process.stdout, stderr or stdin'],
  [/\bconsole\s*\??\.\s*\w/g, 'console'],
];

interface Module {
  path: string;
  room: string;
  isTest: boolean;
  source: ScannedSource;
  targets: { edge: ImportEdge; path: string }[];
}

/** One line for every violation, each with the offending edge; nothing where the tree keeps the rules. */
export function findViolations(files: readonly SourceFile[]): string[] {
  const modules = files.map(readModule);
  const known = new Set(files.map((file) => file.path));
  return [
    ...modules.flatMap(checkNames),
    ...modules.flatMap(checkSize),
    ...modules.flatMap(checkExports),
    ...modules.flatMap(checkDoors),
    ...modules.flatMap(checkSpecifiers),
    ...modules.flatMap((module) => checkTargets(module, known)),
    ...checkLightness(modules),
    ...findCycles(modules).map((cycle) => `cycle: ${cycle.map((file) => `src/${file}`).join(' → ')}`),
  ];
}

function readModule({ path: file, text }: SourceFile): Module {
  const source = scanSource(text);
  const targets = source.imports.flatMap((edge) =>
    edge.specifier?.startsWith('.') ? [{ edge, path: path.join(path.dirname(file), edge.specifier) }] : [],
  );
  return { path: file, room: roomOf(file), isTest: /\.test\.tsx?$/.test(file), source, targets };
}

/** The folder under src; a file directly in src is its own room. */
function roomOf(file: string): string {
  return file.split('/')[0] as string;
}

function checkNames({ path: file, room }: Module): string[] {
  const violations: string[] = [];
  if (!(room in floors) && room !== testingRoom && !rootFiles.includes(file.replace('.test.ts', '.ts'))) {
    violations.push(`unknown room: src/${file} belongs to no floor; give it a room of the table`);
  }
  const parts = file.split('/');
  if (parts.length > 1 && /^index\.[cm]?[jt]sx?$/.test(parts.at(-1) as string)) violations.push(`nested index: src/${file}`);
  for (const part of parts) {
    const stem = part.split('.')[0] as string;
    if (vagueName.test(stem)) violations.push(`vague name: src/${file} ("${stem}" says nothing; name the subject)`);
  }
  return violations;
}

function checkSize({ path: file, source }: Module): string[] {
  return source.codeLines > maxCodeLines
    ? [`too long: src/${file} has ${source.codeLines} code lines (limit ${maxCodeLines})`]
    : [];
}

function checkExports({ path: file, source }: Module): string[] {
  return [...source.masked.matchAll(/\bexport\s+(?:type\s+)?\*/g)].map(
    (match) => `export *: src/${file}:${lineOf(source.masked, match.index)} (name what is exported)`,
  );
}

function checkDoors({ path: file, room, isTest, source }: Module): string[] {
  if (isTest || isDoor(room)) return [];
  const violations = doorOnly.flatMap(([pattern, what]) =>
    [...source.masked.matchAll(pattern)].map(
      (match) => `door only: src/${file}:${lineOf(source.masked, match.index)} uses ${what} below floor ${firstDoorFloor}`,
    ),
  );
  for (const { specifier, line } of source.imports) {
    if (specifier === 'node:process' || specifier === 'node:console') {
      violations.push(`door only: src/${file}:${line} imports ${specifier} below floor ${firstDoorFloor}`);
    }
  }
  return violations;
}

function isDoor(room: string): boolean {
  return (floors[room] ?? 0) >= firstDoorFloor;
}

function checkSpecifiers({ path: file, room, isTest, source }: Module): string[] {
  return source.imports.flatMap(({ specifier, line }) => {
    if (specifier === undefined) return [`computed import: src/${file}:${line} (what it imports cannot be checked)`];
    if (specifier.startsWith('.') || specifier.startsWith('node:')) return [];
    const name = packageName(specifier);
    if (isTest && testPackages.includes(name)) return [];
    const rooms = packageRooms[name];
    if (rooms === undefined) return [`unknown package: src/${file}:${line} → ${specifier} (no room is named for it)`];
    if (rooms.includes(room)) return [];
    return [`foreign package: src/${file}:${line} (${room}) → ${specifier}, which lives in ${rooms.join(', ')}`];
  });
}

function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] as string);
}

function checkTargets(module: Module, known: ReadonlySet<string>): string[] {
  return module.targets.flatMap(({ edge, path: target }) => {
    const at = `src/${module.path}:${edge.line}`;
    if (target.startsWith('..')) {
      const allowed = outsideFiles[target]?.includes(module.room) || (module.isTest && target.startsWith('../test/support/'));
      return allowed ? [] : [`leaves src: ${at} → ${edge.specifier}`];
    }
    if (!known.has(target) && target.endsWith('.ts')) return [`missing file: ${at} → src/${target}`];
    const reason = refuse(module, target);
    return reason === undefined
      ? []
      : [`${reason}: ${at} (${nameFloor(module.room)}) → src/${target} (${nameFloor(roomOf(target))})`];
  });
}

/** Why the one may not import the other; undefined where it may. */
function refuse({ room, path: file, isTest }: Module, target: string): string | undefined {
  const targetRoom = roomOf(target);
  if (room === targetRoom) return undefined;
  // A test may stand on the whole house below it through the composition root, and on the published doubles.
  if (isTest && (targetRoom === testingRoom || rootFiles.includes(target))) return undefined;
  if (targetRoom === testingRoom) return 'testing imported';
  if (rootFiles.includes(target))
    return room === rootImporter || rootFiles.includes(file) ? undefined : 'composition root imported';
  if (room === testingRoom) return testingImports.includes(targetRoom) ? undefined : 'testing reaches too far';
  const targetFloor = floors[targetRoom];
  if (targetFloor === undefined) return 'unknown room';
  if (rootFiles.includes(file.replace('.test.ts', '.ts'))) {
    return targetFloor < (floors[rootImporter] as number) ? undefined : 'upward import';
  }
  const floor = floors[room] as number;
  if (targetFloor > floor) return 'upward import';
  if (targetFloor < floor || sameFloorImports[room]?.includes(targetRoom)) return undefined;
  // What a room meets through a port, its tests may bring along: a driver is tested with a real sealer.
  return isTest ? undefined : 'same-floor import';
}

function nameFloor(room: string): string {
  return room in floors ? `${room}, F${floors[room]}` : room;
}

function checkLightness(modules: readonly Module[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const routes = new Map([[lightEntry, `src/${lightEntry}`]]);
  const violations: string[] = [];
  // A map may grow while it is walked: every file that is reached is walked in turn, once.
  for (const [file, route] of routes) {
    const module = byPath.get(file);
    for (const { specifier, kind } of module?.source.imports ?? []) {
      const loadsAtOnce = kind === 'static' || kind === 're-export';
      if (loadsAtOnce && heavyPackages.includes(packageName(specifier ?? '')))
        violations.push(`heavy entry: ${route} → ${specifier} (import it lazily)`);
    }
    for (const { edge, path: target } of module?.targets ?? []) {
      if ((edge.kind === 'static' || edge.kind === 're-export') && !routes.has(target))
        routes.set(target, `${route} → src/${target}`);
    }
  }
  return violations;
}

/** Each group of files that import each other in a circle, as one walk around it. Type imports count: they tie files all the same. */
function findCycles(modules: readonly Module[]): string[][] {
  const graph = new Map(modules.map((module) => [module.path, module.targets.map((target) => target.path)]));
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[][] = [];
  const walk: string[] = [];
  const visit = (file: string) => {
    state.set(file, 'open');
    walk.push(file);
    for (const target of graph.get(file) ?? []) {
      if (state.get(target) === 'open') cycles.push([...walk.slice(walk.indexOf(target)), target]);
      else if (graph.has(target) && !state.has(target)) visit(target);
    }
    walk.pop();
    state.set(file, 'done');
  };
  for (const file of graph.keys()) if (!state.has(file)) visit(file);
  return cycles;
}
