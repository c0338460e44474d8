// A workplace with real repositories: folders below one temporary folder, and git with settings of its own.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GatherOptions, gatherEvidence, type ProjectEvidence } from '../../src/project/project.ts';
import { createQuickFolder } from './temporary-folder.ts';

export class GitLab {
  readonly root = realpathSync(createQuickFolder('project'));
  /** No repository, marker or settings of the machine reach in. */
  readonly env: Record<string, string>;
  #moment = 1_700_000_000;

  constructor() {
    mkdirSync(this.path('home'));
    this.env = { PATH: process.env.PATH ?? '', HOME: this.path('home'), GIT_CONFIG_NOSYSTEM: '1' };
  }

  path(...names: string[]): string {
    return join(this.root, ...names);
  }

  gather(name: string, options: GatherOptions = {}): Promise<ProjectEvidence> {
    // A busy machine must not make a small repository look too large to read.
    return gatherEvidence(this.path(name), { env: this.env, home: this.path('home'), gitMilliseconds: 20_000, ...options });
  }

  /** Runs git in a folder; every commit has a moment of its own, so that no two roots are alike by chance. */
  git(name: string, ...args: string[]): string {
    this.#moment += 60;
    const date = `${this.#moment} +0000`;
    const person = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'A' };
    return execFileSync('git', ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main', ...args], {
      cwd: this.path(name),
      env: {
        ...this.env,
        ...person,
        GIT_COMMITTER_EMAIL: 'a@example.org',
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
        FILTER_BRANCH_SQUELCH_WARNING: '1',
      },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  folder(name: string): string {
    mkdirSync(this.path(name), { recursive: true });
    return name;
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  /** A repository with two commits, and a remote where one is named. */
  repository(name: string, remote?: string): string {
    this.folder(name);
    this.git(name, 'init', '-q', '--template=');
    if (remote !== undefined) this.git(name, 'remote', 'add', 'origin', remote);
    this.commit(name, `beginning of ${name}`);
    this.commit(name, 'more');
    return name;
  }

  commit(name: string, message: string, ...args: string[]): void {
    this.git(name, 'commit', '-q', '--allow-empty', '-m', message, ...args);
  }

  rootOf(name: string, revision = 'HEAD'): string {
    return this.git(name, 'rev-list', '--max-parents=0', revision);
  }

  move(from: string, to: string): string {
    mkdirSync(dirname(this.path(to)), { recursive: true });
    renameSync(this.path(from), this.path(to));
    return to;
  }

  copy(from: string, to: string): string {
    cpSync(this.path(from), this.path(to), { recursive: true, verbatimSymlinks: true });
    return to;
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true, force: true });
  }

  link(target: string, name: string): string {
    symlinkSync(this.path(target), this.path(name));
    return name;
  }
}
