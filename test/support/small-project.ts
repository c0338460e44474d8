// A small project in a folder of its own, and a runner that really runs its commands, without asking anybody.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProjectRunner } from '../../src/code-agent/project-runner.ts';
import { runCommand } from '../../src/exec/run-command.ts';
import { createQuickFolder } from './temporary-folder.ts';

export class SmallProject {
  readonly root = createQuickFolder('project');
  /** Every command that was run. */
  readonly commands: string[] = [];
  /** What the commands find in their environment. */
  readonly env: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: this.root };

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.write(files);
  }

  get runner(): ProjectRunner {
    return {
      run: async (command, { signal, onOutput }) => {
        this.commands.push(command);
        const result = await runCommand({ command, cwd: this.root, env: this.env, signal, ...(onOutput && { onOutput }) });
        return { ran: true, result };
      },
    };
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, name)), { recursive: true });
      writeFileSync(join(this.root, name), text);
    }
  }

  /** A program of the project: a script for node. */
  program(name: string, script: string): void {
    this.write({ [name]: `#!${process.execPath}\n${script}\n` });
    chmodSync(join(this.root, name), 0o755);
  }
}
