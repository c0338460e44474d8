// A code agent with a scripted model and real commands, for tests and for their child processes.
import { CodeAgent, type CodeAgentEvent, type CodeAgentOptions } from '../../src/code-agent/code-agent.ts';
import { runCommand } from '../../src/exec/run-command.ts';
import type { SessionNotice } from '../../src/snapshot/session-notice.ts';
import { ConversationStore } from '../../src/store/conversation-store.ts';
import { MemoryDriver } from '../../src/store/drivers/memory/memory-driver.ts';
import { createRedactor } from '../../src/store/redaction/redactor.ts';
import { createScriptedModel, type ScriptedAnswer, type ScriptedModel } from '../../src/testing/scripted-model.ts';
import type { CommandRunner } from '../../src/tools/builtin/run-command.ts';

/** Looks, runs the test, edits, checks and says so; the last answer is the reviewer's. */
export function fixingScript(): ScriptedAnswer[] {
  return [
    { toolCalls: [{ tool: 'read_file', input: { path: 'add.js' } }] },
    { toolCalls: [{ tool: 'run_command', input: { command: 'npm test --silent' } }] },
    { toolCalls: [{ tool: 'edit_file', input: { path: 'add.js', old_text: 'a - b', new_text: 'a + b' } }] },
    { toolCalls: [{ tool: 'check_project', input: {} }] },
    'It subtracted. Now it adds.',
    'It does what was asked.\n\nVERDICT: ACCEPT',
  ];
}

export const editAnswer: ScriptedAnswer = {
  toolCalls: [{ tool: 'edit_file', input: { path: 'add.js', old_text: 'a - b', new_text: 'a + b' } }],
};
export const acceptAnswer = 'It does what was asked.\n\nVERDICT: ACCEPT';
export const changesAnswer = 'add.js:1 has no comment. Write one.\n\nVERDICT: CHANGES';

export interface TestAgent {
  agent: CodeAgent;
  model: ScriptedModel;
  store: ConversationStore;
  events: CodeAgentEvent[];
  notices: SessionNotice[];
}

export async function createAgent(
  root: string,
  script: Parameters<typeof createScriptedModel>[0],
  {
    modelId = 'scripted:model',
    hasCommands = true,
    ...options
  }: Partial<CodeAgentOptions> & { modelId?: string; hasCommands?: boolean } = {},
): Promise<TestAgent> {
  const store = options.store ?? (await ConversationStore.open({ driver: new MemoryDriver() }));
  const model = createScriptedModel(script, { id: modelId });
  const notices: SessionNotice[] = [];
  // As if a sandbox held them: what is tested here is the agent.
  const commands: CommandRunner = {
    sandboxed: true,
    run: (command, given) =>
      runCommand({
        cwd: agent.rootDir,
        env: { PATH: process.env.PATH ?? '' },
        limits: { milliseconds: 60_000 },
        command,
        ...given,
      }),
  };
  const agent: CodeAgent = new CodeAgent({
    store,
    model,
    rootDir: root,
    env: process.env,
    redactor: createRedactor(),
    report: (notice) => notices.push(notice),
    ...(hasCommands && { commands }),
    approvals: { allow: ['npm', 'make test', 'write_file'] },
    ...options,
  });
  const events: CodeAgentEvent[] = [];
  agent.listen((event) => events.push(event));
  return { agent, model, store, events, notices };
}
