// The program as somebody whom the modes of files hold. Root is not, unless it gives that power up.
import { spawn, spawnSync } from 'node:child_process';
import { needs } from '../support/require-system.ts';
import { type Cli, collectResult, findProgram, type Result } from './cli-program.ts';

const isRoot = process.getuid?.() === 0;
const power = '-dac_override,-dac_read_search';
const wrapper = isRoot ? ['setpriv', '--bounding-set', power, '--inh-caps', power] : ['env'];

export const canBeHeld = needs(
  !isRoot || spawnSync('setpriv', [...wrapper.slice(1), 'true']).status === 0,
  'setpriv, as this is root',
);

export async function runHeld(cli: Cli, args: readonly string[]): Promise<Result> {
  const [command = '', ...before] = wrapper;
  const program = [...before, process.execPath, await findProgram(), ...args];
  return collectResult(spawn(command, program, { cwd: cli.folder, env: cli.environment(), stdio: ['ignore', 'pipe', 'pipe'] }));
}
