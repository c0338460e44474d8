// The sandbox of Linux: bubblewrap, with namespaces of its own for processes, files, network and users. The first process of the
// namespace dies with the one that was started, and the kernel ends all the others with it: nothing gets away.
import path from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import { findGitGuards, findHidden, findWritable, isInside, kindOf, realPath } from './guarded-paths.ts';
import type { Sandbox, SandboxRequest } from './sandbox.ts';

export interface BubblewrapOptions {
  /** The path of bwrap. */
  program: string;
  /** The home folder, whose secrets are hidden. */
  home: string;
  /** Whether commands may make user namespaces of their own. Older bubblewraps cannot forbid it. */
  nestedNamespaces?: boolean;
}

export function createBubblewrap(options: BubblewrapOptions): Sandbox {
  return {
    name: 'bubblewrap',
    holdsTree: true,
    wrap: (argv, request) => [
      options.program,
      ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
      ...(options.nestedNamespaces ? [] : ['--disable-userns']),
      ...(request.network ? [] : ['--unshare-net']),
      ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
      ...buildMounts(request, options.home),
      ...['--setenv', 'TMPDIR', '/tmp', '--'],
      ...argv,
    ],
  };
}

/** Mounts are made from the outside in, and on the same path in the order of the ranks. */
interface Mount {
  at: string;
  rank: 'private' | 'link' | 'readable' | 'writable' | 'pinned' | 'read-only' | 'hidden';
  flags: string[];
}

const ranks: readonly Mount['rank'][] = ['private', 'link', 'readable', 'writable', 'pinned', 'read-only', 'hidden'];

function buildMounts(request: SandboxRequest, home: string): string[] {
  const cwd = realPath(request.cwd);
  if (cwd === undefined) throw new ContinuoError('sandbox-failed', { reason: `there is no folder ${request.cwd}` });
  const writable = findWritable(request.writable).filter((root) => !belongsToKernel(root));
  const hiddenPaths = findHidden(home, request.hidden ?? []);
  const mounts = privateFolders().map(toPrivate);
  for (const at of writable) if (at !== '/') mounts.push({ at, rank: 'writable', flags: ['--bind', at, at] });
  const covered = [...privateFolders(), ...hiddenPaths].some((folder) => folder !== cwd && isInside(folder, cwd));
  if (covered && !writable.some((root) => isInside(root, cwd)))
    mounts.push({ at: cwd, rank: 'readable', flags: ['--ro-bind', cwd, cwd] });
  mounts.push(...linksInto(request, mounts));
  if (request.network) mounts.push(...nameServers());
  const guards = writable.flatMap((root) => guardRepository(root));
  const hidden = hide(hiddenPaths, writable);
  mounts.push(...pin([...guards, ...hidden], writable), ...guards, ...hidden);
  mounts.sort((a, b) => depthOf(a.at) - depthOf(b.at) || ranks.indexOf(a.rank) - ranks.indexOf(b.rank));
  // Closed only now: the places for mounts inside had to be made.
  const closed = mounts.filter(({ flags }) => flags[0] === '--tmpfs').flatMap(({ at }) => ['--remount-ro', at]);
  const base = writable.includes('/') ? ['--bind', '/', '/', '--ro-bind', '/sys', '/sys'] : ['--ro-bind', '/', '/'];
  base.push('--dev', '/dev', ...processFiles);
  return [...base, ...mounts.flatMap(({ flags }) => flags), ...closed, '--chdir', cwd];
}

/** Read-only as a whole: root, even without any privilege, owns the settings of the kernel in /proc/sys and could change them. */
const processFiles: readonly string[] = ['--proc', '/proc', '--remount-ro', '/proc'];

/** What is not on a disk is never writable, whatever was asked for; but for shared memory, which is. */
function belongsToKernel(at: string): boolean {
  return ['/proc', '/sys', '/dev'].some((folder) => isInside(folder, at)) && !at.startsWith('/dev/shm/');
}

/** Folders where programs put their sockets and temporary files: a command gets its own, empty. */
function privateFolders(): string[] {
  const folders = ['/tmp', '/var/tmp', '/run', '/var/run'].map(realPath).filter((folder) => folder !== undefined);
  return [...new Set(folders)].filter((folder) => folder !== '/');
}

function toPrivate(at: string): Mount {
  return { at, rank: 'private', flags: ['--perms', '1777', '--tmpfs', at] };
}

/** A path given through a link in a folder that is private now would lead nowhere: the link is made again. */
function linksInto(request: SandboxRequest, mounts: readonly Mount[]): Mount[] {
  const visible = mounts.filter(({ rank }) => rank !== 'private').map(({ at }) => at);
  const given = [...new Set([request.cwd, ...request.writable].map((name) => path.resolve(name)))];
  return [...given, '/run/current-system'].flatMap((at): Mount[] => {
    const real = realPath(at);
    const hiddenNow = privateFolders().some((folder) => isInside(folder, at));
    if (real === undefined || real === at || !hiddenNow || visible.some((folder) => isInside(folder, at))) return [];
    return [{ at, rank: 'link', flags: ['--symlink', real, at] }];
  });
}

/** The list of name servers is often a link into a folder that is private now. */
function nameServers(): Mount[] {
  const at = realPath('/etc/resolv.conf');
  if (at === undefined || !privateFolders().some((folder) => isInside(folder, at))) return [];
  return [{ at, rank: 'readable', flags: ['--ro-bind', at, at] }];
}

function guardRepository(root: string): Mount[] {
  const { readOnly, absent } = findGitGuards(root);
  return [
    ...readOnly.map((at): Mount => ({ at, rank: 'read-only', flags: ['--ro-bind', at, at] })),
    ...absent.map((at): Mount => ({ at, rank: 'read-only', flags: ['--tmpfs', at] })),
  ];
}

/** An empty folder over a folder, an empty file over a file; once where one is inside another. */
function hide(paths: readonly string[], writable: readonly string[]): Mount[] {
  const outer = (at: string) => [...paths, ...writable].filter((other) => other !== at && isInside(other, at));
  const shown = (at: string) => {
    const nearest = outer(at).sort((a, b) => b.length - a.length)[0];
    return nearest === undefined || writable.includes(nearest);
  };
  return paths.filter(shown).map((at) => ({
    at,
    rank: 'hidden',
    flags: kindOf(at) === 'folder' ? ['--tmpfs', at] : ['--ro-bind', '/dev/null', at],
  }));
}

/** A folder above a guarded path could be renamed, guard and all, and another put in its place; not where it is mounted itself. */
function pin(guards: readonly Mount[], writable: readonly string[]): Mount[] {
  const pinned = new Set<string>();
  for (const { at } of guards) {
    const root = writable.find((folder) => folder !== '/' && folder !== at && isInside(folder, at));
    if (root === undefined) continue;
    for (let folder = path.dirname(at); folder !== root; folder = path.dirname(folder)) pinned.add(folder);
  }
  return [...pinned].map((at) => ({ at, rank: 'pinned', flags: ['--bind', at, at] }));
}

function depthOf(at: string): number {
  return at === '/' ? 0 : at.split('/').length - 1;
}
