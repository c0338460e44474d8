// Finds the sandbox of this machine and tries it once: it may be installed and still be forbidden. The answer is remembered.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { createBubblewrap } from './bubblewrap.ts';
import type { Sandbox } from './sandbox.ts';
import { createSeatbelt } from './seatbelt.ts';

export type FoundSandbox =
  | { sandbox: Sandbox }
  | {
      /** Why there is none, and what to do about it: one English sentence without its full stop. */
      missing: string;
    };

export interface FindSandboxOptions {
  /** The home folder, whose secrets are hidden. Default: the user's. */
  home?: string;
  /** Where to look for bwrap or sandbox-exec. Default: where systems install them. The search path is not asked. */
  programs?: readonly string[];
  platform?: NodeJS.Platform;
}

const remembered = new Map<string, Promise<FoundSandbox>>();

export function findSandbox(options: FindSandboxOptions = {}): Promise<FoundSandbox> {
  const platform = options.platform ?? process.platform;
  const home = options.home ?? homedir();
  const programs = options.programs ?? usualPrograms[platform] ?? [];
  const key = JSON.stringify([platform, home, programs]);
  const found = remembered.get(key) ?? find(platform, home, programs);
  remembered.set(key, found);
  return found;
}

const usualPrograms: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap', '/run/wrappers/bin/bwrap'],
  darwin: ['/usr/bin/sandbox-exec'],
};

async function find(platform: NodeJS.Platform, home: string, programs: readonly string[]): Promise<FoundSandbox> {
  const program = programs.find((name) => existsSync(name));
  if (platform === 'linux') {
    if (program === undefined) return { missing: 'bubblewrap is not installed; install the package "bubblewrap"' };
    const strict = createBubblewrap({ program, home });
    const complaint = await tryOnce(strict);
    if (complaint === undefined) return { sandbox: strict };
    const lenient = createBubblewrap({ program, home, nestedNamespaces: true });
    const secondComplaint = await tryOnce(lenient);
    if (secondComplaint === undefined) return { sandbox: lenient };
    return {
      missing: `bubblewrap is installed but does not work here (${secondComplaint}); the system has to allow user namespaces`,
    };
  }
  if (platform === 'darwin') {
    if (program === undefined) return { missing: 'sandbox-exec, a part of macOS, is not there' };
    const sandbox = createSeatbelt({ program, home, temporary: tmpdir() });
    const complaint = await tryOnce(sandbox);
    return complaint === undefined ? { sandbox } : { missing: `sandbox-exec does not work here (${complaint})` };
  }
  return { missing: `there is no sandbox for ${platform}` };
}

/** Undefined where the sandbox ran a command; else what it complained about. */
function tryOnce(sandbox: Sandbox): Promise<string | undefined> {
  const [program, ...args] = sandbox.wrap(['/bin/sh', '-c', 'echo works'], { cwd: '/', writable: [], network: false });
  return new Promise((resolve) => {
    execFile(program as string, args, { env: {}, timeout: 10_000 }, (error, stdout, stderr) => {
      if (error === null && stdout === 'works\n') resolve(undefined);
      else resolve(stderr.trim().split('\n')[0] || (error?.message.split('\n')[0] ?? 'it printed nothing'));
    });
  });
}
