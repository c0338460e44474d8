// Programs of the tests that run as processes of their own: bundled once per test file, started with node, killed for real,
// at the latest when the test ends.
// A child tells what it did in lines of JSON on standard output; a line that was written is never lost with the process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build, type OutputFile } from 'esbuild';
import { onTestFinished } from 'vitest';

const cache = fileURLToPath(new URL('../../node_modules/.cache/continuo-tests', import.meta.url));

/** Bundles the program (packages stay outside) and returns the path of the bundle, which is named after its content. */
export async function bundleProgram(entry: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'inline',
    logLevel: 'warning',
    write: false,
  });
  const { contents, hash } = outputFiles[0] as OutputFile;
  const path = join(cache, `${basename(entry.pathname, '.ts')}-${hash.replace(/\W/g, '')}.mjs`);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  removeOldBundles();
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

/** Those that not even a long campaign can still be using. */
function removeOldBundles(): void {
  const aDayAgo = Date.now() - 24 * 60 * 60 * 1000;
  for (const name of readdirSync(cache)) {
    if (name.endsWith('.mjs') && statSync(join(cache, name)).mtimeMs < aDayAgo) rmSync(join(cache, name), { force: true });
  }
}

export interface ChildOptions {
  /** Put before `node`: a program that starts it under other conditions. */
  wrapper?: readonly string[];
  /** A child that is silent for so long is killed, and the test is told. Milliseconds. */
  silence?: number;
}

export interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export class Child<Line> {
  readonly ended: Promise<ChildEnd>;
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #silence: number;
  #errors = '';

  constructor(program: string, input: unknown, options: ChildOptions = {}) {
    const [command, ...args] = [
      ...(options.wrapper ?? []),
      process.execPath,
      '--enable-source-maps',
      program,
      JSON.stringify(input),
    ];
    this.#process = spawn(command as string, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#silence = options.silence ?? 60_000;
    this.#process.stderr?.on('data', (data: Buffer) => {
      this.#errors += data.toString();
    });
    this.#process.stdin?.on('error', () => undefined);
    this.ended = once(this.#process, 'close').then(([code, signal]) => ({ code, signal }) as ChildEnd);
    onTestFinished(() => this.kill());
    const lines = createInterface({ input: this.#process.stdout as NodeJS.ReadableStream });
    this.#lines = lines[Symbol.asyncIterator]();
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  /** What it wrote to standard error. */
  get errors(): string {
    return this.#errors;
  }

  /** The next line; undefined after the last. */
  async next(): Promise<Line | undefined> {
    const watchdog = setTimeout(() => {
      this.#errors += `\nsilent for ${this.#silence} ms`;
      this.#process.kill('SIGKILL');
    }, this.#silence);
    try {
      const { value, done } = await this.#lines.next();
      if (done) return undefined;
      return JSON.parse(value) as Line;
    } finally {
      clearTimeout(watchdog);
    }
  }

  /** Every line until the end. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Line> {
    for (;;) {
      const line = await this.next();
      if (line === undefined) return;
      yield line;
    }
  }

  /** Tells the child to go on: it reads one line from standard input. */
  send(text: string): void {
    this.#process.stdin?.write(`${text}\n`);
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** All remaining lines; throws where the child did not end well. */
  async finish(): Promise<Line[]> {
    const lines: Line[] = [];
    for await (const line of this) lines.push(line);
    const { code, signal } = await this.ended;
    if (code !== 0) throw new Error(`The child ended with ${signal ?? code}: ${this.#errors}`);
    return lines;
  }
}
