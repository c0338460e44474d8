// The sandbox of macOS: a profile for sandbox-exec. In such a profile the last rule that fits decides. It has no process namespace
// and no private /tmp: temporary folders are shared with other programs, and the process tree is ended by looking for it.
import path from 'node:path';
import { findGitGuards, findHidden, findWritable, realPath } from './guarded-paths.ts';
import type { Sandbox, SandboxRequest } from './sandbox.ts';

export interface SeatbeltOptions {
  /** The path of sandbox-exec. */
  program: string;
  /** The home folder, whose secrets are hidden. */
  home: string;
  /** The user's temporary folder, writable besides /tmp. */
  temporary: string;
}

export function createSeatbelt(options: SeatbeltOptions): Sandbox {
  return {
    name: 'seatbelt',
    holdsTree: false,
    wrap: (argv, request) => [options.program, '-p', buildProfile(request, options), ...argv],
  };
}

function buildProfile(request: SandboxRequest, options: SeatbeltOptions): string {
  const writable = findWritable(request.writable);
  const temporary = ['/tmp', '/var/tmp', options.temporary].map((folder) => realPath(folder) ?? folder);
  const guards = writable.map(findGitGuards).flatMap(({ readOnly, absent }) => [...readOnly, ...absent]);
  const hidden = findHidden(options.home, request.hidden ?? []);
  const lines = [
    '(version 1)',
    '(allow default)',
    // Programs that would start others outside of the sandbox on request.
    '(deny appleevent-send)',
    '(deny lsopen)',
    '(deny signal)',
    '(allow signal (target same-sandbox))',
    '(deny file-write*)',
    `(allow file-write* ${rules('subpath', [...new Set([...temporary, ...writable])])})`,
    `(allow file-write-data ${rules('literal', ['/dev/null', '/dev/zero', '/dev/tty', '/dev/stdout', '/dev/stderr', '/dev/dtracehelper'])})`,
    '(allow file-write-data (subpath "/dev/fd"))',
    ...(guards.length > 0 ? [`(deny file-write* ${rules('subpath', guards)} ${rules('literal', above(guards, writable))})`] : []),
    ...(hidden.length > 0 ? [`(deny file-read* file-write* ${rules('subpath', hidden)})`] : []),
    ...(request.network ? [] : ['(deny network*)']),
  ];
  return `${lines.map((line) => line.replace(/ \)$/, ')')).join('\n')}\n`;
}

/** The folders between a guarded path and the writable one: they cannot be renamed or replaced. Writing into them is not meant. */
function above(guards: readonly string[], writable: readonly string[]): string[] {
  return [...new Set(guards.map((guard) => path.dirname(guard)))].filter((folder) => !writable.includes(folder));
}

function rules(kind: 'subpath' | 'literal', paths: readonly string[]): string {
  return paths.map((name) => `(${kind} ${quote(name)})`).join(' ');
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
