// Two processes talk and search in one home at the same time: each finds at once what it said itself, and in the end all of it.
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/open-store.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import type { RecallChildInput, RecallChildLine } from './recall-child.ts';

describe('two processes', () => {
  it('share one index', async () => {
    const program = await bundleProgram(new URL('recall-child.ts', import.meta.url));
    const home = createTemporaryFolder('recall-processes');
    await (await openStore({ home })).close();
    const appends = 15;
    const children = ['ann', 'bob'].map((name) => {
      const input: RecallChildInput = { home, name, appends };
      return new Child<RecallChildLine>(program, input);
    });
    for (const _ of ['begin', 'end']) {
      for (const child of children) expect(await child.next()).toEqual({ tells: 'ready' });
      for (const child of children) child.send('go');
    }
    for (const child of children) {
      expect(await child.next()).toEqual({ tells: 'found', own: appends, others: appends, problems: 0 });
      expect(await child.ended).toEqual({ code: 0, signal: null });
    }
  });
});
