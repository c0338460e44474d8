// The port of an agent program: a coding agent that runs as a process of its own, keeps its own context under its own session id,
// and answers one prompt at a time. Faults are thrown as ContinuoError: `program-missing`, `program-failed`, `program-flooded`,
// `timeout`, `cancelled`. What had been said until then was told in events.

export interface AgentProgramRequest {
  prompt: string;
  /** The program's own session to go on with; without it a new one begins. */
  sessionId?: string;
  /** The folder it works in. Programs find their sessions by it. */
  cwd: string;
  signal?: AbortSignal;
}

/** What comes out of one run, in order. The last event of a whole run is `finish`. */
export type AgentProgramEvent =
  /** As soon as the program tells it: worth keeping even where the run fails later. */
  | { type: 'session'; sessionId: string }
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  /** It uses a tool of its own. */
  | { type: 'activity'; tool: string; detail?: string }
  /** Something a person should know that did not end the run. */
  | { type: 'remark'; code: AgentProgramRemark; count: number }
  /** `text` is the answer: where the program spoke several times, what it said last. */
  | { type: 'finish'; text: string; sessionId?: string; usage: { inputTokens?: number; outputTokens?: number } };

/** Lines of its output that made no sense, and lines that were too long to be read. */
export type AgentProgramRemark = 'lines-not-understood' | 'lines-too-long';

export interface AgentProgram {
  /** How it is called in messages: `claude`, `codex`, `gemini`, or the template's name. */
  readonly id: string;
  /** One run. When it settles, or is left early, nothing of the process tree is left. */
  run(request: AgentProgramRequest): AsyncIterable<AgentProgramEvent>;
}
