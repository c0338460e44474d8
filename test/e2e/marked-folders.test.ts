// A folder without git is found again by its marker: moved, renamed, copied; and where none is written.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from './cli-program.ts';

const markerName = '.continuo-project';

function folderIn(cli: Cli, ...names: string[]): string {
  const folder = join(cli.folder, ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function countHere(cli: Cli, cwd: string): Promise<number> {
  return (await cli.json<{ conversations: object[] }>(['list', '--here'], { cwd })).conversations.length;
}

describe('a folder without git', () => {
  it.each([
    ['append', ['append', '--project', 'here', 'Fish first.']],
    ['chat', ['chat', '-p', 'Fish first.']],
  ])('has its history after it was moved and renamed: %s', async (_name, words) => {
    const cli = new Cli();
    const notes = folderIn(cli, 'notes');
    const first = await cli.run(words, { cwd: notes });
    expect(first.stderr).toContain(`${join(notes, markerName)} was written`);
    expect(first.stderr).toContain('continuo config set projects.marker false');
    expect((await cli.run(words, { cwd: notes })).stderr).not.toContain('was written');
    const moved = join(folderIn(cli, 'elsewhere'), '笔记 2');
    renameSync(notes, moved);
    expect(await countHere(cli, moved)).toBe(2);
    await cli.json(words, { cwd: moved });
    expect(await countHere(cli, moved)).toBe(3);
    expect(await countHere(cli, folderIn(cli, 'notes'))).toBe(0);
  });

  it('that is private is asked about when it was moved, and keeps its words in', async () => {
    const cli = new Cli();
    const notes = folderIn(cli, 'notes');
    await cli.json(['append', '--project', 'here', 'Neptune'], { cwd: notes });
    await cli.json(['projects', 'private', 'here'], { cwd: notes });
    const copy = join(cli.folder, 'copy');
    cpSync(notes, copy, { recursive: true });
    expect(await countHere(cli, copy)).toBe(0);
    expect((await cli.run(['append', '--project', 'here', 'Bandicootium'], { cwd: copy })).stderr).toContain('counts as private');
    expect(await cli.json(['search', 'Bandicootium'])).toMatchObject({ hits: 0 });
  });

  it.each([
    ['by the setting', 'notes', { CONTINUO_PROJECT_MARKER: 'off' }, () => undefined],
    ['in the home folder', '.', {}, () => undefined],
    ['in the folder the store is in', 'home', {}, () => undefined],
    ['where the folder holds other projects', 'all', {}, (cli: Cli) => void folderIn(cli, 'all', 'one', '.git')],
  ])('gets no marker %s', async (_name, name, env, arrange) => {
    const cli = new Cli(env);
    const folder = folderIn(cli, name);
    arrange(cli);
    expect((await cli.run(['append', '--project', 'here', 'x'], { cwd: folder })).stderr).toBe('');
    expect(existsSync(join(folder, markerName))).toBe(false);
  });

  it('gets none where a folder below it has conversations of its own', async () => {
    const cli = new Cli();
    const [all, one] = [folderIn(cli, 'all'), folderIn(cli, 'all', 'one')];
    await cli.json(['append', '--project', 'here', 'x'], { cwd: one, env: { CONTINUO_PROJECT_MARKER: 'off' } });
    await cli.json(['append', '--project', 'here', 'y'], { cwd: all });
    expect(existsSync(join(all, markerName))).toBe(false);
    expect(await countHere(cli, one)).toBe(1);
  });

  it('keeps a file of the same name that is not ours', async () => {
    const cli = new Cli();
    const notes = folderIn(cli, 'notes');
    writeFileSync(join(notes, markerName), 'mine');
    await cli.json(['append', '--project', 'here', 'x'], { cwd: notes });
    expect(readFileSync(join(notes, markerName), 'utf8')).toBe('mine');
    expect(await countHere(cli, notes)).toBe(1);
  });
});
