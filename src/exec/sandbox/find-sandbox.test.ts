import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { findSandbox } from './find-sandbox.ts';

it('names the package to install where there is none', async () => {
  expect(await findSandbox({ platform: 'linux', programs: ['/no/bwrap'] })).toEqual({
    missing: 'bubblewrap is not installed; install the package "bubblewrap"',
  });
  expect(await findSandbox({ platform: 'darwin', programs: [] })).toEqual({
    missing: 'sandbox-exec, a part of macOS, is not there',
  });
  expect(await findSandbox({ platform: 'win32' })).toEqual({ missing: 'there is no sandbox for win32' });
});

it('says what is wrong where the sandbox is there but does not work', async () => {
  const program = write('echo "bwrap: No permissions to create new namespace" >&2; exit 1');
  expect(await findSandbox({ platform: 'linux', programs: [program] })).toEqual({
    missing:
      'bubblewrap is installed but does not work here (bwrap: No permissions to create new namespace); the system has to allow user namespaces',
  });
});

it('does with an older bubblewrap that cannot forbid nested namespaces', async () => {
  const program = write('case "$*" in *--disable-userns*) echo "Unknown option" >&2; exit 1;; esac; echo works');
  const found = await findSandbox({ platform: 'linux', programs: [program] });
  const line = 'sandbox' in found ? found.sandbox.wrap(['true'], { cwd: '/', writable: [], network: false }) : [];
  expect({ first: line[0], last: line.at(-1), forbids: line.includes('--disable-userns') }).toEqual({
    first: program,
    last: 'true',
    forbids: false,
  });
});

it('tries once and remembers', async () => {
  const count = join(createTemporaryFolder('sandbox'), 'count');
  const program = write(`if [ -e ${count} ]; then echo again > ${count}; else echo once > ${count}; fi; echo works`);
  const answers = await Promise.all([1, 2, 3].map(() => findSandbox({ platform: 'linux', programs: [program] })));
  expect(new Set(answers).size).toBe(1);
  expect(existsSync(count)).toBe(true);
});

function write(script: string): string {
  const program = join(createTemporaryFolder('sandbox'), 'bwrap');
  writeFileSync(program, `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}
