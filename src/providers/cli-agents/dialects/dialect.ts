// What an agent program writes to its standard output, read line by line or as plain text, and told in the words of the port.
import type { AgentProgramEvent } from '../../../model/ports/agent-program.ts';

export type SaidEvent = Exclude<AgentProgramEvent, { type: 'remark' | 'finish' }>;

/** How the run came out, as far as the program tells. */
export interface Ending {
  /** The answer; undefined where the program ended without one. */
  text?: string;
  usage: { inputTokens?: number; outputTokens?: number };
  /** Why there is no answer, in the program's words. */
  failure?: string;
  /** Where it is told at the end only. */
  sessionId?: string;
}

/** Reads one run. */
export interface DialectReader {
  /** One line that is a JSON object. Undefined where it makes no sense; nothing for what is of no interest. */
  object?(line: Record<string, unknown>): SaidEvent[] | undefined;
  /** Text as it comes, for programs that write no JSON. */
  text?(piece: string): SaidEvent[];
  end(): Ending;
}

export type Dialect = () => DialectReader;

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** An id that is handed back as an argument must not read as an option, and not be a novel. */
export function sessionEvents(value: unknown): SaidEvent[] {
  return isSessionId(value) ? [{ type: 'session', sessionId: value }] : [];
}

export function isSessionId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_][\w.:-]{0,199}$/.test(value);
}

export function readUsage(value: unknown): { inputTokens?: number; outputTokens?: number } {
  const { input_tokens, output_tokens } = recordOf(value);
  return {
    ...(isCount(input_tokens) ? { inputTokens: input_tokens } : {}),
    ...(isCount(output_tokens) ? { outputTokens: output_tokens } : {}),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The one thing worth telling of a tool's input: the command, the file, the pattern. */
export function detailOf(input: unknown): { detail?: string } {
  const { command, file_path, path, absolute_path, pattern, query, url } = recordOf(input);
  const detail = [command, file_path, path, absolute_path, pattern, query, url].map(textOf).find((text) => text !== undefined);
  return detail === undefined ? {} : { detail: detail.slice(0, 200) };
}
