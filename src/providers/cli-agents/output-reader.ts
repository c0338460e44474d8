// From bytes to events: lines are put together from pieces that may end anywhere, also within a character, and what is kept is
// bounded. Lines that make no sense are counted, never fatal.
import { StringDecoder } from 'node:string_decoder';
import { ContinuoError } from '../../model/error.ts';
import type { AgentProgramEvent } from '../../model/ports/agent-program.ts';
import { type DialectReader, type Ending, recordOf, type SaidEvent } from './dialects/dialect.ts';

export interface ReaderLimits {
  textBytes: number;
  lineBytes: number;
}

export class OutputReader {
  readonly #dialect: DialectReader;
  readonly #limits: ReaderLimits;
  readonly #program: string;
  readonly #decoder = new StringDecoder('utf8');
  #pieces: Buffer[] = [];
  #pending = 0;
  #isSkipping = false;
  #text = 0;
  #notUnderstood = 0;
  #tooLong = 0;

  constructor(dialect: DialectReader, limits: ReaderLimits, program: string) {
    this.#dialect = dialect;
    this.#limits = limits;
    this.#program = program;
  }

  /** Throws `program-flooded` when the answer grows too long; what came before was told. */
  *read(piece: Buffer): Generator<SaidEvent> {
    if (this.#dialect.text) {
      yield* this.#readText(this.#decoder.write(piece));
      return;
    }
    let begin = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, begin)) {
      this.#keep(piece.subarray(begin, end));
      begin = end + 1;
      yield* this.#readLine();
    }
    // A copy: a short rest must not hold a large piece.
    this.#keep(Buffer.from(piece.subarray(begin)));
  }

  /** What stands without an end of line at the end. */
  *finish(): Generator<SaidEvent> {
    if (this.#dialect.text) yield* this.#readText(this.#decoder.end());
    else yield* this.#readLine();
  }

  end(): Ending {
    const ending = this.#dialect.end();
    if (ending.text !== undefined) this.#refuseFlood(Buffer.byteLength(ending.text));
    return ending;
  }

  remarks(): AgentProgramEvent[] {
    const counts = { 'lines-not-understood': this.#notUnderstood, 'lines-too-long': this.#tooLong } as const;
    return (Object.keys(counts) as (keyof typeof counts)[])
      .filter((code) => counts[code] > 0)
      .map((code) => ({ type: 'remark', code, count: counts[code] }));
  }

  #keep(part: Buffer): void {
    if (this.#isSkipping || part.length === 0) return;
    if (this.#pending + part.length > this.#limits.lineBytes) {
      this.#isSkipping = true;
      this.#tooLong += 1;
      this.#pieces = [];
      this.#pending = 0;
      return;
    }
    this.#pieces.push(part);
    this.#pending += part.length;
  }

  *#readLine(): Generator<SaidEvent> {
    const line = Buffer.concat(this.#pieces).toString('utf8').trim();
    this.#pieces = [];
    this.#pending = 0;
    this.#isSkipping = false;
    if (line === '') return;
    const events = this.#understand(line);
    if (events === undefined) this.#notUnderstood += 1;
    else yield* this.#pass(events);
  }

  #understand(line: string): SaidEvent[] | undefined {
    let object: unknown;
    try {
      object = JSON.parse(line);
    } catch {
      return undefined;
    }
    return this.#dialect.object?.(recordOf(object));
  }

  *#readText(text: string): Generator<SaidEvent> {
    if (text === '') return;
    // Counted here, because a dialect may keep text without telling it.
    this.#text += Buffer.byteLength(text);
    this.#refuseFlood(this.#text);
    yield* this.#dialect.text?.(text) ?? [];
  }

  *#pass(events: SaidEvent[]): Generator<SaidEvent> {
    for (const event of events) {
      if (event.type === 'text-delta' || event.type === 'thinking-delta') this.#text += Buffer.byteLength(event.text);
      this.#refuseFlood(this.#text);
      yield event;
    }
  }

  #refuseFlood(bytes: number): void {
    const limit = this.#limits.textBytes;
    if (bytes > limit) throw new ContinuoError('program-flooded', { program: this.#program, limit });
  }
}

const newline = 0x0a;
