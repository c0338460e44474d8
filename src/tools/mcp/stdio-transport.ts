// A server as a child process that speaks in lines of JSON. It leads a process group of its own, and nothing of that group outlives
// the connection: what starts others (npx, a shell) takes them along. The child gets exactly the environment it is given.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineReader } from './line-reader.ts';
import { TextTail } from './text-tail.ts';

export interface StdioTransportOptions {
  command: string;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  directory?: string;
  /** How long it may take to end by itself, and then again after SIGTERM. */
  graceMilliseconds: number;
  /** A longer message ends the connection. */
  maxMessageBytes: number;
}

const canHaveGroup = process.platform !== 'win32';
/** How long output may still be on its way after the process is gone. */
const lastWordsMilliseconds = 500;
const killMilliseconds = 2_000;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: StdioTransportOptions;
  readonly #tail = new TextTail();
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #fault: string | undefined;
  #closed = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Why it ended, with the last it said; undefined while there is nothing to say. */
  get ending(): string | undefined {
    if (this.#fault !== undefined) return this.#fault;
    const { exitCode, signalCode } = this.#child ?? {};
    const said = this.#tail.text;
    const how = signalCode
      ? `it was ended by ${signalCode}`
      : typeof exitCode === 'number'
        ? `it ended with code ${exitCode}`
        : undefined;
    if (how === undefined) return undefined;
    return said === '' ? how : `${how} and said: ${said}`;
  }

  /** The last it said on standard error, or on standard output without meaning it for us. */
  get said(): string {
    return this.#tail.text;
  }

  async start(): Promise<void> {
    const { command, args, environment, directory } = this.#options;
    if (directory !== undefined && !existsSync(directory)) return this.#failStart(`its folder ${directory} does not exist`);
    const child = spawn(command, args, {
      env: { ...environment },
      cwd: directory,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: canHaveGroup,
      windowsHide: true,
    });
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => child.pid === undefined && resolve());
    });
    this.#listen(child);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => {
        if (child.pid !== undefined) return;
        this.#fault =
          error.code === 'ENOENT'
            ? `the program "${command}" was not found`
            : `the program "${command}" did not start (${error.code})`;
        reject(new Error(this.#fault));
      });
    });
  }

  /** Does not throw: where nobody reads any more the end is near, and it knows better why. */
  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      const stdin = this.#child?.stdin;
      if (!stdin?.writable) {
        this.#breakSoon();
        return resolve();
      }
      stdin.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }

  /** For the SDK, which does not look at what it throws. */
  close(): Promise<void> {
    return this.shutDown().catch(() => undefined);
  }

  /** Ends the whole process group: politely, then not. Throws where something survives even that; may then be called again. */
  async shutDown(): Promise<void> {
    const child = this.#child;
    if (child?.pid !== undefined && isRunning(child)) {
      child.stdin?.end();
      if (!(await this.#exitsWithin(this.#options.graceMilliseconds))) {
        signalGroup(child, 'SIGTERM');
        if (!(await this.#exitsWithin(this.#options.graceMilliseconds))) {
          signalGroup(child, 'SIGKILL');
          if (!(await this.#exitsWithin(killMilliseconds))) throw new Error(`process ${child.pid} could not be ended`);
        }
      }
    }
    this.#finish();
  }

  /** Ends it at once. */
  drop(): void {
    if (this.#child && isRunning(this.#child)) signalGroup(this.#child, 'SIGKILL');
    this.#finish();
  }

  #listen(child: ChildProcess): void {
    const lines = new LineReader(this.#options.maxMessageBytes, (line) => this.#receive(line));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (lines.push(chunk)) return;
      child.stdout?.destroy();
      this.#break(`it sent a message of more than ${this.#options.maxMessageBytes} bytes`);
    });
    child.stderr?.on('data', (chunk: Buffer) => this.#tail.push(chunk.toString()));
    child.stdin?.on('error', () => this.#breakSoon());
    for (const stream of [child.stdout, child.stderr]) stream?.on('error', () => undefined);
    child.on('error', () => undefined);
    child.once('exit', () => {
      // What it started and left behind would otherwise hold its pipes, and live on with nobody to talk to.
      signalGroup(child, 'SIGKILL');
      forgetChild(child);
      setTimeout(() => this.#finish(), lastWordsMilliseconds).unref();
    });
    child.once('close', () => this.#finish());
    rememberChild(child);
  }

  #receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      // Banners and stray prints are common; they are kept for error messages and otherwise passed over.
      this.#tail.push(`${line}\n`);
      return;
    }
    if (typeof message !== 'object' || message === null) return;
    // The SDK looks at notifications a moment later, but at answers at once: progress would come after the end of its call.
    if ('method' in message) this.onmessage?.(message as JSONRPCMessage);
    else queueMicrotask(() => this.onmessage?.(message as JSONRPCMessage));
  }

  /** It does not read any more: most likely it is ending, which is seen in a moment. */
  #breakSoon(): void {
    setTimeout(() => {
      if (!this.#closed) this.#break('it does not read what it is sent');
    }, lastWordsMilliseconds * 2).unref();
  }

  #break(fault: string): void {
    this.#fault ??= fault;
    this.drop();
  }

  #failStart(fault: string): never {
    this.#fault = fault;
    throw new Error(fault);
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  async #exitsWithin(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), milliseconds);
    });
    const result = await Promise.race([this.#exited.then(() => true), late]);
    clearTimeout(timer);
    return result;
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (canHaveGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // Nobody is left in the group.
  }
}

/** Those that are still there when this process ends without closing them: a server that ignores the end of its input would stay. */
const living = new Set<ChildProcess>();

function rememberChild(child: ChildProcess): void {
  if (living.size === 0) process.on('exit', endLiving);
  living.add(child);
}

function forgetChild(child: ChildProcess): void {
  if (living.delete(child) && living.size === 0) process.off('exit', endLiving);
}

function endLiving(): void {
  for (const child of living) signalGroup(child, 'SIGKILL');
}
