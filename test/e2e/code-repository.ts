// A small git repository with a failing test, and a scripted model that finds the bug: it reads, edits, runs the test and says so.
// What it does next depends on what it was shown, so that it goes on wherever it is taken up again.
import { execFileSync, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { git, writeFiles } from '../support/code-project.ts';
import { type RecordedRequest, testKey } from '../support/model-server/model-server.ts';
import type { ScriptedAnswer } from '../support/model-server/script.ts';
import { startScript } from './chat-server.ts';
import type { Cli } from './cli-program.ts';

/** What checks the project: make, which is quick, since what matters is the agent; or npm, as in most, which takes long to start. */
const checkers = {
  make: {
    'package.json': '{ "name": "sums", "private": true, "type": "module" }\n',
    Makefile: 'test:\n\tnode add.test.js\n',
  },
  npm: { 'package.json': '{ "name": "sums", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n' },
};
export type Checker = keyof typeof checkers;

const files = {
  'add.js': 'export const add = (a, b) => a - b;\n',
  'add.test.js': [
    "import assert from 'node:assert';",
    "import { test } from 'node:test';",
    "import { add } from './add.js';",
    "test('adds', () => assert.equal(add(2, 3), 5));",
    '',
  ].join('\n'),
};

export function createRepository(cli: Cli, checker: Checker = 'make'): string {
  const root = join(realpathSync(cli.folder), 'sums');
  writeFiles(root, { ...files, ...checkers[checker] });
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'config', 'user.name', 'Lin');
  git(root, 'config', 'user.email', 'lin@example.org');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'first');
  return root;
}

export function passesTest(root: string): boolean {
  return spawnSync(process.execPath, ['add.test.js'], { cwd: root }).status === 0;
}

/** What a script may do without a person. That a rule for make stands for this one command is told on standard error. */
export const allowed = ['--yes', 'write_file', '--yes', 'make test'];
export const allowedWithNpm = ['--yes', 'write_file', '--yes', 'npm test', '--yes', 'npm run test'];

export interface ModelPlan {
  /** What it has the project checked with. */
  checker?: Checker;
  /** What reviewers say, in order; the last one again and again. */
  reviews?: readonly string[];
  /** What `add` becomes, edit by edit. */
  edits?: readonly string[];
  /** Instead of the usual answer; undefined leaves it. */
  instead?: (step: ModelStep) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>;
}

export interface ModelStep {
  isReview: boolean;
  /** Names of the tools called so far. */
  calls: string[];
  /** The last words of the human, or what stands for them. */
  said: string;
  index: number;
}

/** The scripted model as an OpenAI-compatible server, and the environment that makes the program use it. */
export async function startModel({
  checker = 'make',
  reviews = ['Fine.\nVERDICT: ACCEPT'],
  edits = ['a + b'],
  instead,
}: ModelPlan = {}) {
  let reviewed = 0;
  const { server } = await startScript(async (request, index) => {
    const step = { ...readStep(request), index };
    const other = await instead?.(step);
    if (other) return other;
    if (!step.isReview) return nextAnswer(request, step, { edits, command: `${checker} test` });
    reviewed += 1;
    return { text: reviews[Math.min(reviewed, reviews.length) - 1] ?? '' };
  });
  const env = { CONTINUO_MODEL: 'compatible:local-test', CONTINUO_MODEL_BASE_URL: server.url, CONTINUO_MODEL_KEY: testKey };
  return { server, env };
}

interface OpenAiBody {
  messages: { role: string; content: string | null; tool_calls?: { function: { name: string; arguments: string } }[] }[];
}

export function readStep({ body }: Pick<RecordedRequest, 'body'>): Omit<ModelStep, 'index'> {
  const { messages } = body as OpenAiBody;
  return {
    isReview: messages[0]?.content?.startsWith('You review a change') === true,
    calls: messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name)),
    said: messages.findLast(({ role }) => role === 'user')?.content ?? '',
  };
}

function nextAnswer(
  { body }: RecordedRequest,
  { calls, said, index }: ModelStep,
  { edits, command }: { edits: readonly string[]; command: string },
): ScriptedAnswer {
  const call = (name: string, input: object) => ({ toolCalls: [{ id: `call_${index}`, name, input }] });
  if (!calls.includes('read_file')) return call('read_file', { path: 'add.js' });
  const done = calls.filter((name) => name === 'edit_file').length;
  const { messages } = body as OpenAiBody;
  const isAskedAgain = /<checks>|<review>/.test(said) && messages.at(-1)?.role === 'user';
  const wasCutOff = said.includes('taken up again') && !messages.some(({ content }) => content?.startsWith('Edited'));
  if (wasCutOff && done === 1) return call('edit_file', { path: 'add.js', old_text: 'a - b', new_text: edits[0] });
  if (done === 0 || (isAskedAgain && done < edits.length))
    return call('edit_file', { path: 'add.js', old_text: edits[done - 1] ?? 'a - b', new_text: edits[done] });
  if (calls.at(-1) === 'edit_file') return call('run_command', { command });
  return { text: `It subtracted. Now it is ${edits[done - 1]}.` };
}

export function headOf(root: string): string {
  return execFileSync('git', ['log', '-1', '--format=%s%n%an', '--name-only'], { cwd: root, encoding: 'utf8' });
}
