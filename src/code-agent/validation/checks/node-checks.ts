// Projects with a package.json: their own scripts, run by the package manager whose lock file is there.
import { foldersAbove, joinPath, type ProjectFolders } from '../project-folders.ts';
import { type Detector, type Found, type FoundCheck, nothing } from './detector.ts';

/** In the order they are run: what is quick and tells most comes first. */
const wanted: readonly (readonly [FoundCheck['name'], readonly string[]])[] = [
  ['check', ['check']],
  ['types', ['typecheck', 'type-check', 'check-types', 'check:types', 'types:check', 'tsc']],
  ['build', ['build']],
  ['test', ['test', 'test:unit', 'tests', 'unit']],
];

export const nodeChecks: Detector = {
  kind: 'node',
  async detect(folder, project) {
    const text = await project.read(joinPath(folder, 'package.json'));
    if (text === undefined) return nothing;
    const place = joinPath(folder, 'package.json');
    const settings = parseObject(text);
    if (settings === undefined) return { checks: [], notes: [`${place} cannot be read`] };
    const scripts = settings.scripts;
    if (typeof scripts !== 'object' || scripts === null) return nothing;
    const manager = await findPackageManager(folder, project, settings.packageManager);
    return choose(scripts as Record<string, unknown>, manager, place);
  },
};

function choose(scripts: Readonly<Record<string, unknown>>, manager: PackageManager, place: string): Found {
  const result: Found = { checks: [], notes: [] };
  const taken: string[] = [];
  for (const [name, scriptNames] of wanted) {
    const script = scriptNames.find((each) => Object.hasOwn(scripts, each) && typeof scripts[each] === 'string');
    const text = script === undefined ? '' : (scripts[script] as string);
    if (script === undefined || text.trim() === '') continue;
    const objection = objectTo(text);
    if (objection !== undefined) result.notes.push(`the script "${script}" of ${place} is not run: ${objection}`);
    else if (!taken.some((other) => runsScript(other, script))) {
      taken.push(text);
      result.checks.push({
        name,
        words: [manager.program, 'run', script],
        why: `the script "${script}" of ${place}, ${manager.why}`,
      });
    }
  }
  return result;
}

function objectTo(script: string): string | undefined {
  if (/echo ["']?Error: no test specified/.test(script)) return 'it is the one npm puts there where there are no tests';
  if (/(?:^|\s)--watch(?:All)?(?![=\w-])/.test(script)) return 'it waits for changes and never ends';
  return undefined;
}

/** Whether a script runs another one by itself. */
function runsScript(text: string, script: string): boolean {
  const name = script.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:npm|pnpm|yarn|bun)(?:\\s+run)?(?:\\s+-\\S+)*\\s+${name}(?![\\w:-])`).test(text);
}

interface PackageManager {
  program: string;
  why: string;
}

const lockFiles: readonly (readonly [string, string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** A package of a workspace has its lock file further up. */
async function findPackageManager(folder: string, project: ProjectFolders, named: unknown): Promise<PackageManager> {
  for (const above of foldersAbove(joinPath(folder, 'package.json'))) {
    const names = await project.names(above);
    const lock = lockFiles.find(([file]) => names.has(file));
    if (lock) return { program: lock[1], why: `with ${lock[1]} because of ${joinPath(above, lock[0])}` };
  }
  const program = typeof named === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(named)?.[1] : undefined;
  return program === undefined ? { program: 'npm', why: 'with npm' } : { program, why: `with ${program}, which it names` };
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
