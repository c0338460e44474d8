// `continuo import --watch` at work, as a test watches it: what it says, and its end. Killed with the test, whatever came of it.
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { type Cli, collectResult, findProgram, type Result } from './cli-program.ts';

export interface WatchedImport {
  /** What was said so far, on both streams. */
  told(): string;
  until(words: RegExp | string): Promise<void>;
  end(): Promise<Result>;
}

/** From the moment on when it waits for what agents write. */
export async function watchImport(cli: Cli, sources: readonly string[] = []): Promise<WatchedImport> {
  const child = spawn(process.execPath, [await findProgram(), 'import', ...sources, '--watch'], {
    cwd: cli.folder,
    env: cli.environment(),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: string) => {
      told += text;
    });
  const ended = collectResult(child);
  const isTold = (words: RegExp | string) => (typeof words === 'string' ? told.includes(words) : words.test(told));
  const until = async (words: RegExp | string) => {
    while (!isTold(words)) {
      if (child.exitCode !== null) throw new Error(`it ended: ${told}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await until('Waiting for what agents write');
  const end = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { told: () => told, until, end };
}
