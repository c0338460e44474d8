// Notices on the desktop, through the program that the system has for it. What is said goes as arguments, never through a shell or
// into a script, and cannot be taken for an option.
import { spawn } from 'node:child_process';
import { ContinuoError } from '../../model/error.ts';
import type { Notice, Notifier } from './notice.ts';

const title = 'Continuo';
const longestBody = 300;
const defaultTimeout = 5000;

export interface DesktopSettings {
  format: (notice: Notice) => string;
  platform?: NodeJS.Platform;
  /** The program, where it is not the system's own. */
  program?: string;
  /** Milliseconds it may take; default 5 seconds. */
  timeout?: number;
}

export function createDesktopNotifier(settings: DesktopSettings): Notifier {
  const { format, platform = process.platform, timeout = defaultTimeout } = settings;
  const command = commands[platform];
  let missing = false;
  return {
    async notify(notice) {
      if (missing) return;
      if (!command)
        throw new ContinuoError('command-failed', { reason: 'this system has no program for notices on the desktop' });
      const program = settings.program ?? command.program;
      try {
        await run(program, command.buildArguments(toOneLine(format(notice))), timeout);
      } catch (error) {
        missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
        if (error instanceof ContinuoError) throw error;
        const reason = missing ? `${program} is not installed` : (error as Error).message;
        throw new ContinuoError('command-failed', { reason }, { cause: error });
      }
    },
  };
}

const commands: Partial<Record<NodeJS.Platform, { program: string; buildArguments: (body: string) => string[] }>> = {
  linux: { program: 'notify-send', buildArguments: (body) => ['--app-name', title, '--', title, escapeMarkup(body)] },
  darwin: {
    program: 'osascript',
    buildArguments: (body) => [
      ...['-e', 'on run argv', '-e', 'display notification (item 2 of argv) with title (item 1 of argv)', '-e', 'end run'],
      ...[title, body],
    ],
  },
};

function run(program: string, args: string[], timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', timeout, killSignal: 'SIGKILL' });
    child.on('error', reject);
    child.on('exit', (status, signal) => {
      if (status === 0) resolve();
      else reject(new ContinuoError('command-failed', { reason: `${program} ended with ${signal ?? status}` }));
    });
  });
}

/** What is quoted from a command may hold anything: no control characters, and not more than fits. */
function toOneLine(text: string): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= longestBody ? line : `${characters.slice(0, longestBody - 1).join('')}…`;
}

/** notify-send takes the body as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
