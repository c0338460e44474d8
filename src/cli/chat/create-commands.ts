// Commands of a model, in bounds: a sandbox where there is one, a time limit, no keys in their surroundings.
import type { CommandRunner } from '../../tools/builtin/run-command.ts';
import type { Context } from '../context.ts';
import { withoutSecrets } from '../secret-environment.ts';

/** How commands are kept in bounds, or why they are not. */
export type SandboxFacts = { name: string } | { missing: string } | 'off';

export interface Commands {
  runner: CommandRunner;
  sandbox: SandboxFacts;
}

export interface CommandPlan {
  /** The folder they run in, and may change. */
  folder(): string;
  network: boolean;
}

export async function createCommands(context: Context, { folder, network }: CommandPlan): Promise<Commands> {
  const config = context.config();
  const { runCommand } = await import('../../exec/run-command.ts');
  const { findSandbox } = await import('../../exec/sandbox/find-sandbox.ts');
  const found = config['exec.sandbox'].value === 'off' ? undefined : await findSandbox();
  const sandbox = found && 'sandbox' in found ? found.sandbox : undefined;
  const seconds = config['exec.timeout_seconds'].value ?? 120;
  const options = {
    env: withoutSecrets(context.env),
    limits: { milliseconds: seconds * 1000 },
    network,
    hidden: [context.home],
    ...(sandbox && { sandbox }),
  };
  return {
    runner: {
      sandboxed: sandbox !== undefined,
      run: (command, given) => runCommand({ ...options, cwd: folder(), ...given, command }),
    },
    sandbox: found === undefined ? 'off' : 'sandbox' in found ? { name: found.sandbox.name } : found,
  };
}
