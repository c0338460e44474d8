// Runs the git program on a folder nobody vouches for. Nothing of the repository's own settings may start a program or reach a
// network, nothing of the caller's environment may point git elsewhere, and every run ends within its time.
import { execFile } from 'node:child_process';
import { dirname, parse } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GitOptions {
  /** The folder whose repository is asked; git does not look above it. */
  root: string;
  env: Environment;
  milliseconds: number;
  signal?: AbortSignal | undefined;
  /** How much it may write. Default: 4 MB. */
  maxBytes?: number;
  /** What it reads. Default: nothing. */
  input?: string;
  /** Names of files may be in any encoding; `latin1` gives and takes every byte as one character. Default: `utf8`. */
  encoding?: 'utf8' | 'latin1';
  /** Settings that win over everybody's, besides those that are always switched off. A name with "=" in it cannot be given. */
  settings?: readonly (readonly [name: string, value: string])[];
  /** Variables of git's own, such as GIT_INDEX_FILE. */
  variables?: Readonly<Record<string, string>>;
}

export type GitOutcome =
  | { ended: 'ok'; output: string }
  | { ended: 'failed'; words: string }
  | { ended: 'missing' }
  /** More time, or more output, than it may take. */
  | { ended: 'limit' };

/** Throws only where `signal` was aborted: its reason. */
export function runGit(args: readonly string[], options: GitOptions): Promise<GitOutcome> {
  const { root, env, milliseconds, signal, encoding = 'utf8' } = options;
  const settings = (options.settings ?? []).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  signal?.throwIfAborted();
  return new Promise((settle, fail) => {
    const child = execFile(
      'git',
      [...hardening, ...settings, '-C', root, ...args],
      {
        // Not in the folder itself: some systems look for programs there first.
        cwd: parse(root).root,
        env: { ...buildEnvironment(env, root), ...options.variables },
        timeout: milliseconds,
        killSignal: 'SIGKILL',
        maxBuffer: options.maxBytes ?? maxOutput,
        windowsHide: true,
        encoding,
        ...(signal && { signal }),
      },
      (error, output, words) => {
        if (signal?.aborted) return fail(signal.reason);
        if (error === null) return settle({ ended: 'ok', output });
        if (error.code === 'ENOENT' || error.code === 'EACCES') return settle({ ended: 'missing' });
        if (error.killed || error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return settle({ ended: 'limit' });
        settle({ ended: 'failed', words: Buffer.from(words, encoding).toString('utf8') });
      },
    );
    // Nobody else answers; and a git that never started has no input to close.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(Buffer.from(options.input ?? '', encoding));
  });
}

const maxOutput = 4 * 1_048_576;

const hardening = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.sshCommand=false', 'credential.helper=', 'gc.auto=0'].flatMap(
    (setting) => ['-c', setting],
  ),
];

/** What git needs to start and to find the person's own settings (safe.directory, url.insteadOf). Everything else stays out. */
const passedOn = new Set(
  [
    ...['PATH', 'PATHEXT', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT', 'WINDIR', 'COMSPEC'],
    ...['USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'LD_LIBRARY_PATH'],
    ...['DEVELOPER_DIR', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'SUDO_UID'],
  ].map((name) => name.toLowerCase()),
);

function buildEnvironment(env: Environment, root: string): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => passedOn.has(entry[0].toLowerCase()) && entry[1] !== undefined,
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_GRAFT_FILE: '/dev/null',
    // A clone without all its objects would fetch them, with a program its own settings name.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TRACE: '0',
  };
}
