// What is said in a worktree, a clone, a copy or the moved folder of a private project stays among itself, from the first word on.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from './cli-program.ts';

interface Found {
  hits: number;
}

function git(folder: string, ...args: string[]): void {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'ignore' });
}

async function openHouse(env: Record<string, string> = {}) {
  const cli = new Cli(env);
  const [priv, other] = ['priv', 'other'].map((name) => join(cli.folder, name)) as [string, string];
  mkdirSync(priv);
  mkdirSync(other);
  git(priv, 'init');
  writeFileSync(join(priv, 'README'), 'priv');
  git(priv, 'add', '.');
  git(priv, 'commit', '-m', 'first');
  await cli.json(['append', '--project', 'here', 'The vault code is Neptune.'], { cwd: priv });
  const hits = async (word: string, cwd: string) => (await cli.json<Found>(['search', word], { cwd })).hits;
  return { cli, priv, other, hits };
}

const ways: Record<string, (from: string, to: string) => void> = {
  'a worktree': (from, to) => git(from, 'worktree', 'add', to),
  'a clone': (from, to) => git(from, 'clone', from, to),
  'a copy': (from, to) => cpSync(from, to, { recursive: true }),
  'the moved folder': (from, to) => renameSync(from, to),
};

describe('a folder that looks like a private project', () => {
  it.each(Object.entries(ways))('counts as private itself: %s', async (_name, make) => {
    const { cli, priv, other, hits } = await openHouse();
    await cli.json(['projects', 'private', 'here'], { cwd: priv });
    const twin = join(cli.folder, 'twin');
    make(priv, twin);
    const said = await cli.run(['append', '--project', 'here', 'worktree word Bandicootium'], { cwd: twin });
    expect(said.stderr).toContain('looks like the private project priv: what is said here counts as private too');
    expect(await hits('Bandicootium', other)).toBe(0);
    expect((await cli.json<{ section: string }>(['recall', 'Bandicootium'], { cwd: other })).section).not.toContain(
      'Bandicootium',
    );
    expect(await hits('Bandicootium', twin)).toBe(1);
    expect(await hits('Neptune', twin)).toBe(0);
    const again = await cli.run(['append', '--project', 'here', 'a second word'], { cwd: twin });
    expect(again.stderr).toBe('');
    expect(await hits('second word', other)).toBe(0);
  });

  it('is not private any more when somebody says so', async () => {
    const { cli, priv, other, hits } = await openHouse();
    await cli.json(['projects', 'private', 'here'], { cwd: priv });
    const twin = join(cli.folder, 'twin');
    git(priv, 'clone', priv, twin);
    const early = await cli.failure(['projects', 'private', 'here', '--off'], { cwd: twin });
    expect(early).toMatchObject({ error: { code: 'usage' } });
    expect((await cli.run(['chat', '-p', 'A word: Bandicootium.'], { cwd: twin })).stderr).toContain('counts as private too');
    expect(await hits('Bandicootium', other)).toBe(0);
    await cli.json(['projects', 'private', 'here', '--off'], { cwd: twin });
    expect(await hits('Bandicootium', other)).toBe(1);
    await cli.json(['append', '--project', 'here', 'Quokkanite'], { cwd: twin });
    expect(await hits('Quokkanite', other)).toBe(1);
    expect(await hits('Neptune', other)).toBe(0);
  });

  it('has its words left out of recall where the environment names the private projects', async () => {
    const { cli, priv, other, hits } = await openHouse({ CONTINUO_PRIVATE_PROJECTS: 'priv' });
    const twin = join(cli.folder, 'twin');
    git(priv, 'clone', priv, twin);
    const said = await cli.run(['append', '--project', 'here', 'Bandicootium'], { cwd: twin });
    expect(said.stderr).toContain('left out of search and recall');
    expect(await hits('Bandicootium', other)).toBe(0);
  });

  it('keeps a list of private projects that goes over several lines', async () => {
    const { cli, priv, other, hits } = await openHouse();
    const file = join(cli.home, 'conversation.toml');
    writeFileSync(file, '[recall]\nprivate_projects = [\n  "priv", # mine\n  "shop",\n]\ntoken_budget = 900\n');
    const twin = join(cli.folder, 'twin');
    git(priv, 'clone', priv, twin);
    await cli.json(['append', '--project', 'here', 'Bandicootium'], { cwd: twin });
    expect(await hits('Bandicootium', other)).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(`[recall]\nprivate_projects = ["priv","shop","path:${twin}"]\ntoken_budget = 900\n`);
  });

  it('is told how to say that it is that project, by search and by list', async () => {
    const { cli, priv } = await openHouse();
    await cli.json(['projects', 'private', 'here'], { cwd: priv });
    const moved = join(cli.folder, 'moved');
    renameSync(priv, moved);
    for (const words of [
      ['search', 'Neptune'],
      ['list', '--here'],
    ])
      expect((await cli.run(words, { cwd: moved })).stderr).toContain('continuo relink');
    await cli.json(['append', '--project', 'here', 'Bandicootium'], { cwd: moved });
    expect((await cli.run(['search', 'Neptune'], { cwd: moved })).stderr).toContain('continuo relink');
    expect((await cli.run(['search', 'Bandicootium'], { cwd: moved })).stderr).not.toContain('continuo relink');
  });
});

describe('continuo relink', () => {
  it('keeps the name of the project and shows the folder it is in now', async () => {
    const { cli, priv, hits } = await openHouse();
    await cli.json(['projects', 'private', 'here'], { cwd: priv });
    const clone = join(cli.folder, 'cl');
    git(priv, 'clone', priv, clone);
    await cli.json(['append', '--project', 'here', 'Bandicootium'], { cwd: clone });
    expect((await cli.run(['relink', '--to', 'priv', '--yes'], { cwd: clone })).stdout).toContain('belongs to priv now');
    expect((await cli.run(['relink', '--to', '../priv'], { cwd: clone })).stdout).toContain('belongs to priv already');
    const { projects } = await cli.json<{ projects: object[] }>(['projects'], { cwd: clone });
    expect(projects).toMatchObject([{ name: 'priv', path: clone, otherPaths: [priv], here: true, private: true }]);
    expect(await hits('Bandicootium', priv)).toBe(1);
  });
});
