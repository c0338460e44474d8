// The two streams. stdout carries results, as text or as JSON; stderr carries what is only worth knowing.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { safeJson } from './safe-json.ts';

/** A terminal, a file, or whatever else takes text. */
export type OutputStream = Writable & { isTTY?: boolean };

export interface OutputOptions {
  stdout: OutputStream;
  stderr: OutputStream;
  json: boolean;
  quiet: boolean;
}

export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly #stdout: OutputStream;
  readonly #stderr: OutputStream;

  constructor({ stdout, stderr, json, quiet }: OutputOptions) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.json = json;
    this.quiet = quiet;
  }

  /** What was asked for: the value as JSON, or lines for people. */
  result(value: object, lines: () => string | readonly string[]): void {
    if (this.json) this.#printJson(value);
    else this.line(...[lines()].flat());
  }

  /** That something was done. With --quiet only what `essential` gives is printed. */
  done(value: object, lines: () => string | readonly string[], essential?: string): void {
    if (this.json) this.#printJson(value);
    else if (!this.quiet) this.line(...[lines()].flat());
    else if (essential !== undefined) this.line(essential);
  }

  line(...lines: string[]): void {
    if (lines.length > 0) this.#stdout.write(`${lines.join('\n')}\n`);
  }

  /** Raw text for streams of any length: waits while the reader is slower than we are. */
  async write(text: string): Promise<void> {
    if (!this.#stdout.write(text)) await once(this.#stdout, 'drain');
  }

  /** Something worth knowing beside the result; JSON carries it as data instead. */
  note(...lines: string[]): void {
    if (!this.json) this.warn(...lines);
  }

  /** Something worth knowing that is no data of the result. */
  warn(...lines: string[]): void {
    if (!this.quiet && lines.length > 0) this.#stderr.write(`${lines.join('\n')}\n`);
  }

  #printJson(value: object): void {
    this.#stdout.write(`${safeJson(value, this.#stdout.isTTY ? 2 : 0)}\n`);
  }
}
