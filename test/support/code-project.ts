// A small repository with a failing test, and a code agent on it with a scripted model.
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeAgent, type CodeAgentEvent, type CodeAgentOptions } from '../../src/code-agent/code-agent.ts';
import { runCommand } from '../../src/exec/run-command.ts';
import type { SessionNotice } from '../../src/snapshot/session-notice.ts';
import { ConversationStore } from '../../src/store/conversation-store.ts';
import { MemoryDriver } from '../../src/store/drivers/memory/memory-driver.ts';
import { createRedactor } from '../../src/store/redaction/redactor.ts';
import { createScriptedModel, type ScriptedAnswer, type ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

export function createBrokenProject(name = 'project'): string {
  const root = join(realpathSync(createTemporaryFolder('code')), name);
  mkdirSync(root);
  const files = {
    'package.json': '{ "name": "sums", "private": true, "scripts": { "test": "node test.js" } }\n',
    'add.js': 'exports.add = (a, b) => a - b;\n',
    'test.js': "const { add } = require('./add.js');\nrequire('node:assert').equal(add(2, 3), 5);\nconsole.log('ok');\n",
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'config', 'user.name', 'Lin');
  git(root, 'config', 'user.email', 'lin@example.org');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'first');
  return root;
}

export function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

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
  options: Partial<CodeAgentOptions> = {},
): Promise<TestAgent> {
  const store = options.store ?? (await ConversationStore.open({ driver: new MemoryDriver() }));
  const model = createScriptedModel(script);
  const notices: SessionNotice[] = [];
  const agent = new CodeAgent({
    store,
    model,
    rootDir: root,
    env: process.env,
    redactor: createRedactor(),
    report: (notice) => notices.push(notice),
    // As if a sandbox held them: what is tested here is the agent.
    commands: {
      sandboxed: true,
      run: (command, given) =>
        runCommand({ cwd: root, env: { PATH: process.env.PATH ?? '' }, limits: { milliseconds: 60_000 }, command, ...given }),
    },
    approvals: { allow: ['npm', 'write_file'] },
    ...options,
  });
  const events: CodeAgentEvent[] = [];
  agent.listen((event) => events.push(event));
  return { agent, model, store, events, notices };
}
