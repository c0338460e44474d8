// An agent program behind the port: claude, codex or gemini by name, or any command by a template. One run is one process; between
// two runs only the program's own session id is kept, by the caller.
import { ContinuoError } from '../../model/error.ts';
import type { AgentProgram, AgentProgramEvent, AgentProgramRequest } from '../../model/ports/agent-program.ts';
import { type ProcessEnd, runProcess } from './agent-process.ts';
import { type CommandTemplate, checkTemplate, fillCommand } from './command-template.ts';
import { type Dialect, type Ending, isSessionId } from './dialects/dialect.ts';
import { explainFailure } from './explain-failure.ts';
import { requireProgram } from './find-program.ts';
import { OutputReader } from './output-reader.ts';
import { selectProgramEnvironment } from './program-environment.ts';
import { type DialectName, dialects, type KnownProgramName, knownPrograms } from './program-table.ts';

export interface KnownProgramSpec {
  program: KnownProgramName;
  /** Where it is, if not in the PATH under its own name. */
  path?: string;
  model?: string;
  /** More arguments: permissions, tools, sandbox. */
  args?: readonly string[];
  /** Names of further variables it may see. */
  env?: readonly string[];
}

export interface TemplateProgramSpec extends CommandTemplate {
  /** How it is called in messages. */
  name: string;
  model?: string;
  /** What it writes. Default: `text`, all of which is the answer. */
  output?: DialectName;
  env?: readonly string[];
}

export type AgentProgramSpec = KnownProgramSpec | TemplateProgramSpec;

export interface AgentProgramLimits {
  /** For one run. */
  milliseconds: number;
  /** What one run may write, protocol and standard error included. */
  outputBytes: number;
  /** How long the answer of one run may be. */
  textBytes: number;
  /** How long a line may be; longer ones are passed over. */
  lineBytes: number;
  /** How many processes the program may be at once, its tools included. */
  processes: number;
}

export interface AgentProgramOptions {
  /** The variables to choose from. The program is given what every program needs, its own, and those its spec names. */
  env: Readonly<Record<string, string | undefined>>;
  limits?: Partial<AgentProgramLimits>;
}

const defaultLimits: Readonly<AgentProgramLimits> = {
  milliseconds: 30 * 60_000,
  outputBytes: 64 * 1024 * 1024,
  textBytes: 1024 * 1024,
  lineBytes: 8 * 1024 * 1024,
  processes: 512,
};

export interface CheckedProgram extends AgentProgram {
  /** Throws `program-missing` where a run in this folder could not even begin. Nothing is started. */
  check(cwd: string): Promise<void>;
}

/** Throws `invalid-input` for a spec that no run could use. Nothing is started. */
export function createAgentProgram(spec: AgentProgramSpec, options: AgentProgramOptions): CheckedProgram {
  const { id, template, dialect, variables } = resolveSpec(spec);
  const { model } = spec;
  const limits = { ...defaultLimits, ...options.limits };
  checkTemplate(template, model !== undefined);
  const env = selectProgramEnvironment(options.env, variables, spec.env ?? []);

  return {
    id,
    check: (cwd) => requireProgram(id, template.command[0] as string, { cwd, env }),
    async *run(request) {
      refuseSessionId(request.sessionId);
      const command = fillCommand(template, { ...request, ...(model === undefined ? {} : { model }) });
      const { cwd, signal } = request;
      const output = runProcess({ ...command, id, cwd, env, limits, signal });
      const reader = new OutputReader(dialect(), limits, id);
      let sessionId: string | undefined;
      const ended = yield* readAll(output, reader, (found) => {
        sessionId = found;
      });
      const ending = reader.end();
      sessionId ??= ending.sessionId;
      if (ending.sessionId !== undefined) yield { type: 'session', sessionId: ending.sessionId };
      for (const remark of reader.remarks()) yield remark;
      const text = await answerOf(id, request, ended, ending, env);
      yield { type: 'finish', text, ...(sessionId === undefined ? {} : { sessionId }), usage: ending.usage };
    },
  };
}

function resolveSpec(spec: AgentProgramSpec): {
  id: string;
  template: CommandTemplate;
  dialect: Dialect;
  variables: readonly string[];
} {
  if ('program' in spec) {
    const known = Object.hasOwn(knownPrograms, spec.program) ? knownPrograms[spec.program] : undefined;
    if (!known) throw new ContinuoError('invalid-input', { what: 'agent program', reason: 'it is none of the known ones' });
    const { path = spec.program, args = [], model } = spec;
    const template = known.build({ path, args, ...(model === undefined ? {} : { model }) });
    return { id: spec.program, template, dialect: known.dialect, variables: known.variables };
  }
  return { id: spec.name, template: spec, dialect: dialects[spec.output ?? 'text'], variables: [] };
}

async function* readAll(
  output: AsyncGenerator<Buffer, ProcessEnd>,
  reader: OutputReader,
  onSession: (sessionId: string) => void,
): AsyncGenerator<AgentProgramEvent, ProcessEnd> {
  try {
    for (;;) {
      const { value, done } = await output.next();
      const events = done ? reader.finish() : reader.read(value);
      for (const event of events) {
        if (event.type === 'session') onSession(event.sessionId);
        yield event;
      }
      if (done) return value;
    }
  } finally {
    // Where the reader has had enough, or nobody asks for more, the process must not go on.
    await output.return(undefined as never);
  }
}

/** The answer, or the error that says why there is none. */
async function answerOf(
  program: string,
  request: AgentProgramRequest,
  ended: ProcessEnd,
  ending: Ending,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const isFine = ended.code === 0 && ending.failure === undefined;
  if (isFine && ending.text !== undefined) return ending.text;
  const reason = await explainFailure(ended, ending, env);
  const resumed = request.sessionId === undefined ? {} : { resumed: request.sessionId };
  throw new ContinuoError('program-failed', { program, reason, ...resumed, ...(ended.code ? { exitCode: ended.code } : {}) });
}

function refuseSessionId(sessionId: string | undefined): void {
  if (sessionId === undefined || isSessionId(sessionId)) return;
  throw new ContinuoError('invalid-input', { what: "id of the program's session", reason: 'it is not one that a program gives' });
}
