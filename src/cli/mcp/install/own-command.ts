// How another program starts this server again: the same program, the same home, the same key file. Agents pass little of the environment
// on, so nothing is left to it. A passphrase is never written down.
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { plainLine } from '../../output/plain-text.ts';
import { readFolder } from '../../recall/read-folder.ts';
import { usageError } from '../../usage-error.ts';
import type { ServerCommand } from './clients.ts';

export function ownCommand(context: Context, project: string | undefined): ServerCommand {
  const script = realPath(process.argv[1] as string);
  const keyFile = context.config()['store.key_file'];
  const isGiven = keyFile.origin.from === 'flag' || keyFile.origin.from === 'environment';
  const named = isGiven && keyFile.value !== undefined ? resolve(keyFile.value) : undefined;
  if (named !== undefined && !existsSync(named)) throw usageError(context.text.mcpInstall.noKeyFile(plainLine(named)));
  const args = [
    'mcp',
    ...(context.home === join(homedir(), '.continuo') ? [] : ['--home', context.home]),
    ...(named === undefined ? [] : ['--key-file', named]),
    ...(project === undefined ? [] : ['--project', readFolder(context, project)]),
  ];
  return isOnPath(context, script) ? { command: 'continuo', args } : { command: process.execPath, args: [script, ...args] };
}

/** By its name it survives an upgrade of Node; only where that name means this very program. */
function isOnPath({ env }: Context, script: string): boolean {
  if (process.platform === 'win32') return false;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders.map((folder) => join(folder, 'continuo')).find(isThere);
  return found !== undefined && realPath(found) === script;
}

function isThere(file: string): boolean {
  try {
    realpathSync(file);
    return true;
  } catch {
    return false;
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
