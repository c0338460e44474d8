// A project of source files in a folder of the test's own, with git or without.
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTemporaryFolder } from './temporary-folder.ts';

export interface SourceProject {
  root: string;
  write(path: string, content: string | Uint8Array): void;
  git(...words: string[]): void;
}

export function createSourceProject(files: Record<string, string>, { git: withGit = false } = {}): SourceProject {
  const root = realpathSync(createTemporaryFolder('project'));
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const git = (...words: string[]) => {
    execFileSync('git', words, { cwd: root, stdio: 'ignore' });
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  if (withGit) git('init', '-q');
  return { root, write, git };
}
