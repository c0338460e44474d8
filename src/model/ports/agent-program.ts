// The port of an agent program: a coding agent that runs as a process of its own, keeps its own context under its own session id,
// and answers one prompt at a time. Faults are thrown as ContinuoError with a code of the `program-…` family.

export interface AgentProgramRequest {
  prompt: string;
  /** The program's own session to go on with; without it a new one begins. */
  sessionId?: string;
  /** The folder it works in. */
  cwd: string;
  signal: AbortSignal;
}

/** What comes out of one run, in order. The last event of a whole run is `finish`. */
export type AgentProgramEvent =
  /** As soon as the program tells it: kept even where the run fails later. */
  | { type: 'session'; sessionId: string }
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  /** It uses a tool of its own. */
  | { type: 'activity'; tool: string; detail?: string }
  /** Something a person should know that did not end the run: lines that were not understood, output that was cut. */
  | { type: 'remark'; code: AgentProgramRemark; count: number }
  | { type: 'finish'; text: string; sessionId?: string; usage: { inputTokens?: number; outputTokens?: number } };

export type AgentProgramRemark = 'lines-not-understood' | 'line-too-long' | 'text-cut';

export interface AgentProgram {
  /** How it is called in messages: `claude`, `codex`, `gemini`, or the template's name. */
  readonly id: string;
  /** One run. Ends with `finish`, or throws; an aborted signal throws `cancelled` when nothing of the process tree is left. */
  run(request: AgentProgramRequest): AsyncIterable<AgentProgramEvent>;
}
