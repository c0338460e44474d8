// Linters and formatters that work on named files: which of them the project uses, by its settings nearest to a file, and where the
// program is. Both are needed: without settings a tool is not the project's, and without the program there is nothing to run.
import { constants } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '../../project/git-program.ts';
import { isHousekeeping } from '../git/git-manager.ts';
import { parseObject } from './checks/node-checks.ts';
import { foldersAbove, isWithin, joinPath, ProjectFolders, toInside } from './project-folders.ts';

export interface FileTool {
  name: string;
  program: string;
  /** Which files it works on. */
  handles: RegExp;
  /** Names of files that hold its settings. */
  configs: RegExp;
  /** Files that hold settings of others too, and what shows that its own are among them. */
  sections?: readonly (readonly [file: string, sign: RegExp | { key: string }])[];
  /** What it is given: the files, the folders they are in, or nothing because it looks at the whole package. */
  given?: 'files' | 'folders' | 'package';
  /** The words after the program and before what it is given. */
  words: readonly string[] | ((folder: string, project: ProjectFolders) => Promise<readonly string[]>);
}

/** One tool over some files, from the folder its settings are in. */
export interface ToolJob {
  tool: FileTool;
  folder: string;
  /** The settings that were found, relative to the root. */
  config: string;
  /** Relative to the root. */
  files: string[];
  /** The program as the command names it; undefined where it is not installed. */
  program: string | undefined;
}

export interface FindJobsOptions {
  root: string;
  /** Its PATH is where programs are looked for besides the project's own folders. */
  env: Environment;
  tools: readonly FileTool[];
  changed: readonly string[];
  /** A file is given to the first tool alone that is installed for it. */
  onlyFirst?: boolean;
}

export async function findJobs(options: FindJobsOptions): Promise<ToolJob[]> {
  const project = new ProjectFolders(options.root);
  const jobs = new Map<string, ToolJob>();
  for (const file of await findFiles(options.root, options.changed)) {
    for (const tool of options.tools.filter(({ handles }) => handles.test(file))) {
      const found = await findConfig(tool, file, project);
      if (found === undefined) continue;
      const key = `${tool.name}\0${found.folder}`;
      const job = jobs.get(key) ?? { tool, ...found, files: [], program: await findProgram(tool.program, found.folder, options) };
      jobs.set(key, job);
      job.files.push(file);
      if (options.onlyFirst && job.program !== undefined) break;
    }
  }
  return [...jobs.values()];
}

/** The commands of a job: as many as it takes to keep each of a length that every system runs. */
export async function buildCommands({ tool, folder, files, program }: ToolJob, root: string): Promise<string[][]> {
  const words = typeof tool.words === 'function' ? await tool.words(folder, new ProjectFolders(root)) : tool.words;
  const start = [program ?? tool.program, ...words];
  if (tool.given === 'package') return [start];
  const inside = files.map((file) => (folder === '' ? file : file.slice(folder.length + 1)));
  const targets =
    tool.given === 'folders'
      ? [...new Set(inside.map(folderOf))]
      : inside.map((file) => (file.startsWith('-') ? `./${file}` : file));
  const batches: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const target of targets) {
    if (length + target.length > longestBatch || (batches.at(-1)?.length ?? 0) >= start.length + mostInBatch) {
      batches.push([...start]);
      length = 0;
    }
    batches.at(-1)?.push(target);
    length += Buffer.byteLength(target) + 3;
  }
  return batches;
}

const longestBatch = 20_000;
const mostInBatch = 200;

function folderOf(file: string): string {
  const at = file.lastIndexOf('/');
  return at < 0 ? '.' : `./${file.slice(0, at)}`;
}

/** Plain files that are there, inside of the root by way of no link. */
async function findFiles(root: string, changed: readonly string[]): Promise<string[]> {
  const base = await realpath(root).catch(() => root);
  const paths = [...new Set(changed.flatMap((path) => toInside(path) ?? []))].filter((path) => !isHousekeeping(path)).sort();
  const kept = await Promise.all(
    paths.map(async (path) => {
      try {
        const place = join(base, path);
        return (await lstat(place)).isFile() && isWithin(base, await realpath(place));
      } catch {
        return false;
      }
    }),
  );
  return paths.filter((_, at) => kept[at]);
}

async function findConfig(
  { configs, sections = [] }: FileTool,
  file: string,
  project: ProjectFolders,
): Promise<Pick<ToolJob, 'folder' | 'config'> | undefined> {
  for (const folder of foldersAbove(file)) {
    const name = [...(await project.names(folder))].sort().find((each) => configs.test(each));
    if (name !== undefined) return { folder, config: joinPath(folder, name) };
    for (const [shared, sign] of sections) {
      const text = await project.read(joinPath(folder, shared));
      if (text === undefined) continue;
      const has = sign instanceof RegExp ? sign.test(text) : Object.hasOwn(parseObject(text) ?? {}, sign.key);
      if (has) return { folder, config: joinPath(folder, shared) };
    }
  }
  return undefined;
}

const localFolders = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin'];

/** The project's own program, from its folder up to the root, comes before the machine's. */
async function findProgram(name: string, folder: string, { root, env }: FindJobsOptions): Promise<string | undefined> {
  for (const [up, above] of foldersAbove(joinPath(folder, 'x')).entries()) {
    for (const place of localFolders)
      if (await isProgram(join(root, above, place, name))) return `${'../'.repeat(up)}${place}/${name}`;
  }
  const path = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH')?.[1] ?? '';
  for (const place of path.split(delimiter)) if (isAbsolute(place) && (await isProgram(join(place, name)))) return name;
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
