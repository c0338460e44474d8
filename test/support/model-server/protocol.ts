// What the three protocols have in common for a server: which requests are theirs, an answer as a list of frames, and refusals.
import type { Fault, ScriptedAnswer } from './script.ts';

export type ProtocolName = 'anthropic' | 'openai' | 'google';

/** One piece of an event stream as text. `piece`: it carries a part of the answer; the others frame it. */
export interface Frame {
  text: string;
  piece?: boolean;
  /** Says that the answer is whole. */
  finish?: boolean;
}

export interface Refusal {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface Protocol {
  name: ProtocolName;
  matches(path: string): boolean;
  frames(answer: ScriptedAnswer, model: string): Frame[];
  /** A sign of life between pieces. */
  ping: string;
  overloaded: string;
  malformed: string;
  refusal(fault: Fault): Refusal | undefined;
}

export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}
