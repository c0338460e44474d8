// continuo import --watch goes on where an agent's folder goes and comes back.
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { questionLine } from '../transcripts/many-lines.ts';
import { listAll } from './agent-homes.ts';
import { Cli } from './cli-program.ts';
import { watchImport } from './watched-import.ts';

const folder = 'projects/-home-dev-code-one';

/** A session of one question below a folder of Claude Code. */
function ask(root: string, number: number, words: string): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(
    join(root, folder, `eeeeeeee-0000-4000-8000-00000000000${number}.jsonl`),
    `${questionLine(50 + number, words)}\n`,
  );
}

describe('continuo import --watch', () => {
  it('goes on when the folder of an agent was removed, renamed or replaced, and made again', async () => {
    const cli = new Cli();
    const root = join(cli.folder, '.claude');
    ask(root, 1, 'Said before');
    const { until, end } = await watchImport(cli, ['claude-code']);
    const noticed = () => new Promise((resolve) => setTimeout(resolve, 2500));

    rmSync(join(root, 'projects'), { recursive: true });
    await noticed();
    ask(root, 2, 'After projects came back');
    await until('+1  After projects came back');

    rmSync(root, { recursive: true });
    ask(root, 3, 'After the root came back');
    await until('+1  After the root came back');

    renameSync(root, `${root}.old`);
    await noticed();
    ask(root, 4, 'After the root was replaced');
    await until('+1  After the root was replaced');

    const other = join(cli.folder, 'dotfiles');
    ask(other, 5, 'In the folder of the link');
    renameSync(root, `${root}.older`);
    symlinkSync(other, root);
    await until('+1  In the folder of the link');
    const third = join(cli.folder, 'other-dotfiles');
    ask(third, 6, 'Where the link leads now');
    unlinkSync(root);
    symlinkSync(third, root);
    await until('+1  Where the link leads now');
    ask(third, 7, 'And on it goes');
    await until('+1  And on it goes');

    expect((await end()).code).toBe(143);
    expect((await listAll(cli)).length).toBe(7);
  }, 120_000);

  it('says nothing of a new branch that has no words of its own yet', async () => {
    const cli = new Cli();
    const root = join(cli.folder, '.claude');
    ask(root, 1, 'Said before');
    const { until, end } = await watchImport(cli, ['claude-code']);
    const [first, branch] = [1, 2].map((number) => join(root, folder, `eeeeeeee-0000-4000-8000-00000000000${number}.jsonl`));
    copyFileSync(first ?? '', branch ?? '');
    while ((await listAll(cli)).length < 2);
    ask(root, 3, 'Another one');
    await until('+1  Another one');
    expect((await end()).stdout).not.toContain('+0');
  }, 120_000);
});
