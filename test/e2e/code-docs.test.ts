// The examples of docs/code-agent.md, as they stand there, against the built package.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/code-agent.md'), 'utf8');

describe('docs/code-agent.md', () => {
  it('has examples in code that run', () => {
    const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string);
    expect(examples.map(runExample)).toEqual([
      'working\nchecking\ndone\ndone The greeting is right now.\ntrue Mend the greeting 4\n',
      'session-restored\n2 1\n',
    ]);
  });
});

function runExample(code: string): string {
  const folder = createTemporaryFolder('example');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/continuo'));
  writeFileSync(join(folder, 'example.mjs'), code);
  return execFileSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
}
