// Agent programs of the tests: small node scripts on disk that behave well or badly. None of the real programs is needed.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcess } from '../../src/exec/process-table.ts';
import type { AgentProgram, AgentProgramEvent, AgentProgramRequest } from '../../src/model/ports/agent-program.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/** What every fake has at hand. */
const prelude = `
const fs = require('node:fs');
const say = (value) => fs.writeSync(1, (typeof value === 'string' ? value : JSON.stringify(value)) + '\\n');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const args = process.argv.slice(2);
const input = () => fs.readFileSync(0, 'utf8');
const after = (name) => args[args.indexOf(name) + 1];
`;

/** Writes the script (CommonJS, with `say`, `sleep`, `args`, `input`, `after`) and returns its path. */
export function writeFakeProgram(body: string): string {
  const path = join(createTemporaryFolder('fake-program'), 'program');
  writeFileSync(path, `#!${process.execPath}\n${prelude}\n(async () => {\n${body}\n})();\n`);
  chmodSync(path, 0o700);
  return path;
}

export interface ProgramRun {
  events: AgentProgramEvent[];
  error?: unknown;
}

/** Everything a run tells, and the error where it ends in one. */
export async function collectRun(program: AgentProgram, request: Partial<AgentProgramRequest> = {}): Promise<ProgramRun> {
  const events: AgentProgramEvent[] = [];
  try {
    for await (const event of program.run({ prompt: 'hello', cwd: createTemporaryFolder('program-cwd'), ...request })) {
      events.push(event);
    }
    return { events };
  } catch (error) {
    return { events, error };
  }
}

/** Whether the process has gone, or goes within the time. A process that only waits to be noticed has gone. */
export async function goesAway(pid: number, milliseconds = 2_000): Promise<boolean> {
  for (const deadline = performance.now() + milliseconds; performance.now() < deadline; await sleep(10)) {
    if (!isRunning(pid)) return true;
  }
  return false;
}

function isRunning(pid: number): boolean {
  return readProcess(pid)?.zombie === false;
}
