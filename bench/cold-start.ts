// What a person waits for: the built command line from a cold process, against a bare node process.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openStore } from '../src/open-store.ts';
import { fill, withFolder } from './material.ts';
import { compare } from './measure.ts';
import { type Figure, time } from './report.ts';

export async function benchColdStart(root: string): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const home = join(folder, 'home');
    const store = await openStore({ home });
    for (let i = 0; i < 100; i++) await fill(store, (await store.create({ title: `conversation ${i}` })).id, 10);
    await store.close();
    const program = join(root, 'dist/cli/main.js');
    const starts = await compare(
      {
        node: (count) => {
          for (let i = 0; i < count; i++) run(['-e', '0']);
        },
        list: (count) => {
          for (let i = 0; i < count; i++) run([program, 'list', '--home', home]);
        },
      },
      { rounds: 15, warmup: 3, count: 1 },
    );
    return [
      {
        name: '`continuo list` from cold, times `node -e 0`',
        value: starts.list / starts.node,
        bound: { kind: 'at most', value: 3 },
        detail: `${time(starts.list)} against ${time(starts.node)}`,
      },
    ];
  });
}

function run(args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
}
