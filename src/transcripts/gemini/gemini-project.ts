// Which project a folder of Gemini CLI is of: `<home>/tmp/<name>/.project_root` holds its folder, `<home>/projects.json` names them all.
// Older versions named the folder by a hash of the project's.
import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { objectIn, parseObject, textIn } from '../fields.ts';
import { kindOf, listFolder, readBeside } from '../session-folder.ts';

export const projectRootFile = '.project_root';
const mostBeside = 1024 * 1024;
const longestPath = 16 * 1024;

/** The folder of the project a session's file is kept for. */
export async function findProjectRoot(path: string): Promise<string | undefined> {
  const folder = projectFolderOf(path);
  if (folder === undefined) return undefined;
  const marked = await readMark(folder);
  if (marked !== undefined) return marked;
  const name = basename(folder);
  const projects = await readProjects(dirname(dirname(folder)));
  return projects.find(([root, short]) => short === name || hashProject(root) === name)?.[0];
}

/** The name of the folder for a project below `tmp`, as Gemini CLI finds or makes it. */
export async function nameProjectFolder(tmp: string, cwd: string): Promise<string> {
  const projects = await readProjects(dirname(tmp));
  const known = projects.find(([root]) => root === cwd)?.[1];
  if (known !== undefined && isPlainName(known) && (await isFree(tmp, known, cwd))) return known;
  for (const item of await listFolder(tmp))
    if (item.type === 'folder' && (await readMark(item.path)) === resolve(cwd)) return item.name;
  const taken = new Set(projects.map(([, name]) => name));
  const base = slugify(basename(cwd) || 'project');
  for (let count = 0; ; count += 1) {
    const name = count === 0 ? base : `${base}-${count}`;
    if (!taken.has(name) && (await isFree(tmp, name, cwd))) return name;
  }
}

export function hashProject(cwd: string): string {
  return createHash('sha256').update(cwd).digest('hex');
}

/** The folder around `chats`, also for a sub-agent's file one step below that. */
function projectFolderOf(path: string): string | undefined {
  const folder = dirname(path);
  if (basename(folder) === 'chats') return dirname(folder);
  return basename(dirname(folder)) === 'chats' ? dirname(dirname(folder)) : undefined;
}

async function readMark(folder: string): Promise<string | undefined> {
  const mark = await readBeside(join(folder, projectRootFile), longestPath);
  return mark?.text.trim() || undefined;
}

async function readProjects(home: string): Promise<[root: string, name: string][]> {
  const file = await readBeside(join(home, 'projects.json'), mostBeside);
  const projects = objectIn((file && parseObject(file.text)) ?? {}, 'projects');
  return Object.keys(projects).flatMap((root) => {
    const name = textIn(projects, root);
    return name === undefined ? [] : [[root, name]];
  });
}

/** Whether nobody else's mark is on it. */
async function isFree(tmp: string, name: string, cwd: string): Promise<boolean> {
  for (const base of [tmp, join(dirname(tmp), 'history')]) {
    if ((await kindOf(join(base, name, projectRootFile))) === undefined) continue;
    if ((await readMark(join(base, name))) !== resolve(cwd)) return false;
  }
  return true;
}

function slugify(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
  return slug || 'project';
}

/** A name out of somebody's file is no way out of the folder. */
function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[\\/]/.test(name);
}
