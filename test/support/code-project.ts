// Small repositories with a failing test, for code agents to work on.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { createQuickFolder, createTemporaryFolder } from './temporary-folder.ts';

const sources = {
  'add.js': 'exports.add = (a, b) => a - b;\n',
  'test.js': "const { add } = require('./add.js');\nrequire('node:assert').equal(add(2, 3), 5);\nconsole.log('ok');\n",
};

/** Checked by npm, as most are; npm takes seconds to start. */
export function createBrokenProject(name = 'project'): string {
  const root = join(realpathSync(createTemporaryFolder('code')), name);
  const manifest = '{ "name": "sums", "private": true, "scripts": { "test": "node test.js" } }\n';
  writeFiles(root, { 'package.json': manifest, ...sources });
  commitAll(root);
  return root;
}

/** Checked by make, which is quick: what matters is the agent. */
export function createQuickProject(files: Readonly<Record<string, string>> = {}, { hasGit = true } = {}): string {
  const root = join(realpathSync(createQuickFolder('code')), 'project');
  writeFiles(root, { Makefile: 'test:\n\tnode test.js\n', ...sources, ...files });
  if (hasGit) commitAll(root);
  return root;
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(root, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
}

function commitAll(root: string): void {
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'config', 'user.name', 'Lin');
  git(root, 'config', 'user.email', 'lin@example.org');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'first');
}

export function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

/** The saved sessions of a project, as they are on the disk. */
export function readSessions(root: string): { path: string; text: string; document: { state: JsonObject } & JsonObject }[] {
  const folder = join(root, '.continuo');
  const names = readdirSync(folder).filter((name) => name.startsWith('saved_session_') && name.endsWith('.json'));
  return names.sort().map((name) => {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    return { path, text, document: JSON.parse(text) };
  });
}
