// Programs of the tests that run as processes of their own: bundled once per test file, started with node, killed for real,
// at the latest when the test ends.
// A child tells what it did in lines of JSON on standard output; a line that was written is never lost with the process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { onTestFinished } from 'vitest';

const cache = fileURLToPath(new URL('../../node_modules/.cache/continuo-tests', import.meta.url));

/** Bundles the program (most packages stay outside) and returns the path of the bundle, which is named after its content. */
export async function bundleProgram(entry: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    outfile: join(cache, 'program.mjs'),
    bundle: true,
    plugins: [packagesOutside],
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Beside the bundle: Node would read a map at every start, here it is read where something is told of the child's errors.
    sourcemap: 'external',
    logLevel: 'warning',
    write: false,
  });
  const [map, { contents, hash }] = outputFiles as [OutputFile, OutputFile];
  const path = join(cache, `${basename(entry.pathname, '.ts')}-${hash.replace(/\W/g, '')}.mjs`);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  removeOldBundles();
  put(`${path}.map`, map.contents);
  put(path, contents);
  return path;
}

/** zod is needed by every program and has a hundred files, which take longer to find than to run. */
const packagesOutside: Plugin = {
  name: 'packages-outside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || /^zod(?:\/|$)/.test(path) ? undefined : { path, external: true },
    ),
};

function put(path: string, contents: Uint8Array): void {
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

/** Those that not even a long campaign can still be using. */
function removeOldBundles(): void {
  const aDayAgo = Date.now() - 24 * 60 * 60 * 1000;
  for (const path of readdirSync(cache).map((name) => join(cache, name))) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && stats.mtimeMs < aDayAgo) rmSync(path, { recursive: true, force: true });
  }
}

/** A text with places in the bundle, with those in the source instead. */
function placeInSource(text: string, program: string): string {
  let map: SourceMap | undefined;
  return text.replace(/([^\s():]+\.mjs):(\d+):(\d+)/g, (place: string, path: string, line: string, column: string) => {
    if (!path.endsWith(program)) return place;
    map ??= new SourceMap(JSON.parse(readFileSync(`${program}.map`, 'utf8')));
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1) as Partial<SourceMapping>;
    if (entry.originalSource === undefined) return place;
    const source = path.slice(0, -program.length) + resolve(dirname(program), entry.originalSource);
    return [source, Number(entry.originalLine) + 1, Number(entry.originalColumn) + 1].join(':');
  });
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
  readonly #program: string;
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #silence: number;
  #errors = '';

  constructor(program: string, input: unknown, options: ChildOptions = {}) {
    const [command, ...args] = [...(options.wrapper ?? []), process.execPath, program, JSON.stringify(input)];
    this.#program = program;
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
    return placeInSource(this.#errors, this.#program);
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
    if (code !== 0) throw new Error(`The child ended with ${signal ?? code}: ${this.errors}`);
    return lines;
  }
}
