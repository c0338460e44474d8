// A store whose folder may not be written.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, Child } from '../support/child-program.ts';
import { needs } from '../support/require-system.ts';
import { subjectNames } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import type { ReadOnlyInput, ReadOnlyLine } from './read-only-child.ts';

/** Root is not held by modes unless it gives that power up. */
const isRoot = process.getuid?.() === 0;
const power = '-dac_override,-dac_read_search';
const wrapper = isRoot ? ['setpriv', '--bounding-set', power, '--inh-caps', power] : [];
const canRun = needs(!isRoot || spawnSync('setpriv', [...wrapper.slice(1), 'true']).status === 0, 'setpriv, as this is root');

describe.runIf(canRun && process.platform !== 'win32')('a read-only folder', () => {
  let program: string;
  beforeAll(async () => {
    program = await bundleProgram(new URL('read-only-child.ts', import.meta.url));
  });

  it.each(subjectNames)('%s: refuses with a code, keeps what was there, and goes on when it may write again', async (subject) => {
    const folder = join(createTemporaryFolder('read-only'), 'store');
    const [line, ...more] = await new Child<ReadOnlyLine>(program, { subject, folder } satisfies ReadOnlyInput, {
      wrapper,
    }).finish();
    expect(more).toEqual([]);
    expect(line?.opening).toBe('permission-denied');
    const refused = Object.values(line?.using ?? {}).filter((code) => code !== 'fine');
    expect(refused.filter((code) => code !== 'permission-denied')).toEqual([]);
    expect(line?.using.backup).toBe('permission-denied');
  });
});
