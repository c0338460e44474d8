// A terminal with a person in front of it: tmux runs the program, keys are typed into it, and the screen is read as it looks.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { type Cli, findProgram } from './cli-program.ts';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

let count = 0;

export interface ScreenOptions {
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
  /** A file of the folder that standard output goes to instead of the screen. */
  stdout?: string;
}

export class TerminalScreen {
  readonly #socket: string;
  readonly #recording = join(createTemporaryFolder('screen'), 'bytes');

  private constructor(socket: string) {
    this.#socket = socket;
  }

  /** The program in a terminal of its own. The shell behind it says how it ended. */
  static async open(
    cli: Cli,
    args: readonly string[],
    { env = {}, columns = 100, rows = 40, stdout }: ScreenOptions = {},
  ): Promise<TerminalScreen> {
    count += 1;
    const screen = new TerminalScreen(`continuo-test-${process.pid}-${count}`);
    const words = [process.execPath, await findProgram(), ...args].map((word) => `'${word}'`).join(' ');
    const program = stdout === undefined ? words : `${words} > '${stdout}'`;
    const variables = Object.entries(cli.environment({ TERM: 'screen-256color', ...env })).flatMap(
      ([name, value]) => `${name}=${value}`,
    );
    screen.#tmux(
      ...['-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', cli.folder],
      ...['env', '-i', ...variables, 'sh', '-c', `${program}; echo "ended with $?"; read _`],
      ...[';', 'pipe-pane', '-O', `cat > '${screen.#recording}'`],
    );
    return screen;
  }

  /** Text as it is typed, without Enter. */
  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
  }

  /** Keys by name: Enter, C-c, C-d. */
  press(...keys: string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  say(text: string): void {
    this.type(text);
    this.press('Enter');
  }

  /** As a terminal does it that knows bracketed paste. */
  paste(text: string): void {
    this.#tmux('set-buffer', '--', text);
    this.#tmux('paste-buffer', '-p');
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** What stands on the screen now, as it looks; with the codes of colours where they are asked for. */
  visible({ codes = false } = {}): string {
    return this.#tmux('capture-pane', '-p', ...(codes ? ['-e'] : []))
      .replace(/[ \t]+$/gm, '')
      .trimEnd();
  }

  /** Everything the program has written to the terminal, codes and all. */
  written(): string {
    return readFileSync(this.#recording, 'utf8');
  }

  /** Where the cursor stands, from 0. */
  cursor(): { x: number; y: number } {
    const [x = 0, y = 0] = this.#tmux('display-message', '-p', '#{cursor_x} #{cursor_y}').trim().split(' ').map(Number);
    return { x, y };
  }

  /** The program as it ends when nobody asks it. */
  signalProgram(signal: NodeJS.Signals): void {
    const shell = this.#tmux('display-message', '-p', '#{pane_pid}').trim();
    const [program] = execFileSync('pgrep', ['-P', shell], { encoding: 'utf8' }).trim().split('\n');
    process.kill(Number(program), signal);
  }

  /** What stands on the screen and above it, without the spaces at the ends of lines. */
  text(): string {
    return this.#tmux('capture-pane', '-p', '-J', '-S', '-')
      .replace(/[ \t]+$/gm, '')
      .trimEnd();
  }

  async shows(expected: string | RegExp, { timeout = 30_000 } = {}): Promise<void> {
    const matches = () => (typeof expected === 'string' ? this.text().includes(expected) : expected.test(this.text()));
    let looked = { bytes: -1, at: 0 };
    // To look takes a process: so only where something was written since, and now and then in any case.
    const isThere = () => {
      const [bytes, at] = [statSync(this.#recording, { throwIfNoEntry: false })?.size ?? 0, performance.now()];
      if (bytes === looked.bytes && at - looked.at < 1000) return false;
      looked = { bytes, at };
      return matches();
    };
    try {
      await expect.poll(isThere, { timeout, interval: 25 }).toBe(true);
    } catch {
      throw new Error(`The screen does not show ${expected}:\n${this.text()}`);
    }
  }

  [Symbol.dispose](): void {
    spawnSync('tmux', ['-L', this.#socket, 'kill-server']);
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
    });
  }
}
