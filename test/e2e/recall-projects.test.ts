// Search in both languages, and projects that are found again: moved, renamed, cloned anew, or told by a person.
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/open-store.ts';
import { Cli } from './cli-program.ts';

interface Turn {
  conversation: { id: string; project: string; meta: { place: { path: string } } };
  created: boolean;
}

interface Found {
  hits: number;
  groups: {
    conversationId: string;
    hits: { text: string; highlights: { start: number; end: number }[]; why?: { total: number } }[];
  }[];
  emptyBecause: string | null;
}

function git(folder: string, ...args: string[]): void {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'ignore' });
}

function repositoryIn(cli: Cli, name: string): string {
  const folder = join(cli.folder, name);
  mkdirSync(folder);
  git(folder, 'init');
  writeFileSync(join(folder, 'README'), name);
  git(folder, 'add', '.');
  git(folder, 'commit', '-m', 'first');
  return folder;
}

async function idsHere(cli: Cli, cwd: string): Promise<string[]> {
  const { conversations } = await cli.json<{ conversations: { id: string }[] }>(['list', '--here'], { cwd });
  return conversations.map(({ id }) => id);
}

describe('continuo list --here', () => {
  it('goes through a project of two names page by page', async () => {
    const cli = new Cli();
    const folder = join(cli.folder, 'workshop');
    mkdirSync(folder);
    const time = { now: Date.UTC(2026, 4, 1) };
    const store = await openStore({ home: cli.home, clock: () => time.now });
    const ids: string[] = [];
    for (const project of [
      folder,
      `path:${folder}`,
      folder,
      'path:/elsewhere',
      folder,
      `path:${folder}`,
      folder,
      `path:${folder}`,
    ]) {
      // Two of them at the same moment.
      if (ids.length !== 2) time.now += 60_000;
      const { id } = await store.create({ project });
      await store.append(id, { kind: 'message', role: 'user', text: 'plane the board' });
      if (project !== 'path:/elsewhere') ids.unshift(id);
    }
    await store.close();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { conversations: { id: string }[]; nextCursor: string | null } = await cli.json(
        ['list', '--here', '--limit', '3', ...(cursor === null ? [] : ['--cursor', cursor])],
        { cwd: folder },
      );
      expect(page.conversations.length).toBe(Math.min(3, ids.length - seen.length));
      seen.push(...page.conversations.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect([...seen].sort()).toEqual([...ids].sort());
    expect(await idsHere(cli, folder)).toEqual(seen);
  });
});

describe('continuo search', () => {
  it('finds Chinese and English, marks what was asked for, and says why there is nothing', async () => {
    const cli = new Cli();
    const store = await cli.open();
    const chinese = await store.create({ title: '部署', agent: 'claude', tags: ['work'] });
    await store.append(chinese.id, { kind: 'message', role: 'user', text: '用SQLite做导航，灰度发布先放百分之五。' });
    const english = await store.create({ agent: 'gemini' });
    await store.append(english.id, {
      kind: 'message',
      role: 'assistant',
      text: 'The parseConfigFile function throws ECONNREFUSED.',
    });
    await store.close();
    const search = (...args: string[]) => cli.json<Found>(['search', ...args]);

    const found = await search('导航', '--explain');
    expect(found.groups.map(({ conversationId }) => conversationId)).toEqual([chinese.id]);
    const [hit] = found.groups[0]?.hits ?? [];
    expect(hit?.highlights.map(({ start, end }) => hit.text.slice(start, end))).toEqual(['导航']);
    expect(hit?.why?.total).toBeGreaterThan(0);
    expect((await search('config', 'file')).groups.map(({ conversationId }) => conversationId)).toEqual([english.id]);
    expect(await search('导航', '--agent', 'gemini')).toMatchObject({ hits: 0, emptyBecause: 'filtered' });
    expect(await search('导航', '--tag', 'work', '--role', 'user', '--since', '1d')).toMatchObject({ hits: 1 });
    expect(await search('导航', '--role', 'assistant')).toMatchObject({ hits: 0, emptyBecause: 'filtered' });
    expect(await search('长颈鹿')).toMatchObject({ hits: 0, emptyBecause: 'below-threshold' });

    const plain = await cli.run(['search', '导航']);
    expect(plain).toMatchObject({ code: 0, stderr: expect.stringContaining('1 passage in 1 conversation') });
    expect(plain.stdout).toMatch(
      /^cnv_\S+ {2}部署 {2}agent claude · just now\n {2}user, \d{4}-.*\n {4}用SQLite做导航，灰度发布先放百分之五。\n$/,
    );
    const painted = await cli.run(['search', '导航', '--color']);
    expect(painted.stdout).toContain('用SQLite做\u001b[33m导航\u001b[39m，');
    expect((await cli.run(['search', '导航'], { env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
    expect((await cli.run(['search', '长颈鹿', '--lang', 'zh'])).stdout).toBe('没有找到与这些词足够接近的内容。\n');
    expect(await cli.failure(['search', 'x', '--project', 'nobody'])).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect(await cli.json(['reindex'])).toMatchObject({ home: cli.home, entries: 2, documents: 2, complete: true });
  });

  it('finds an empty home empty and leaves no trace in it', async () => {
    const cli = new Cli();
    expect(await cli.json(['search', 'anything'])).toMatchObject({ hits: 0, emptyBecause: 'nothing-stored' });
    expect(await cli.json(['projects'])).toEqual({ projects: [] });
    expect(await cli.failure(['reindex'])).toMatchObject({ error: { code: 'store-not-found' } });
  });
});

describe('a project is found again', () => {
  it('after its repository was moved and renamed, and in a new clone', async () => {
    const cli = new Cli();
    const shop = repositoryIn(cli, 'shop');
    const begun = await cli.json<Turn>(['chat', '-p', 'The cart must be blue.'], { cwd: shop });
    expect(begun.conversation.project).toMatch(/^git:[0-9a-f]{40}$/);
    expect(begun.conversation.meta.place.path).toBe(shop);
    mkdirSync(join(cli.folder, 'elsewhere'));
    const moved = join(cli.folder, 'elsewhere', '商店');
    renameSync(shop, moved);
    const again = await cli.json<Turn>(['chat', '--continue', '-p', 'And the button?'], { cwd: moved });
    expect(again).toMatchObject({ created: false, conversation: { id: begun.conversation.id } });
    const clone = join(cli.folder, 'clone');
    git(cli.folder, 'clone', moved, clone);
    expect(await idsHere(cli, clone)).toEqual([begun.conversation.id]);
    expect(await idsHere(cli, join(cli.folder, 'elsewhere'))).toEqual([]);
  });

  it('by its path where conversations were filed under it before there were keys', async () => {
    const cli = new Cli();
    const store = await cli.open();
    const old = await store.create({ project: cli.folder, agent: 'continuo' });
    await store.append(old.id, { kind: 'message', role: 'user', text: 'from before' });
    await store.close();
    expect(await cli.json<Turn>(['chat', '--continue', '-p', 'on'])).toMatchObject({ conversation: { id: old.id } });
    const fresh = await cli.json<Turn>(['chat', '-p', 'a new one']);
    expect(fresh.conversation.project).toBe(`path:${cli.folder}`);
    expect(await idsHere(cli, cli.folder)).toEqual([fresh.conversation.id, old.id]);
  });
});

describe('continuo relink', () => {
  it('shows how a folder is recognised, what would change, and changes it', async () => {
    const cli = new Cli({ CONTINUO_PROJECT_MARKER: 'off' });
    const [before, after] = ['before', 'after'].map((name) => join(cli.folder, name)) as [string, string];
    mkdirSync(before);
    const old = await cli.json<Turn>(['chat', '-p', 'The cart must be blue.'], { cwd: before });
    renameSync(before, after);
    const lost = await cli.json<Turn>(['chat', '-p', 'Which colour?'], { cwd: after });
    expect(await cli.json(['relink'], { cwd: after })).toEqual({
      folder: after,
      key: `path:${after}`,
      name: 'after',
      how: 'path',
      confidence: 'medium',
      conversations: 1,
      alsoFits: [],
      unconfirmed: null,
    });
    const change = { folder: after, to: `path:${before}`, moved: [lost.conversation.id] };
    expect(await cli.json(['relink', '--to', before], { cwd: after })).toEqual({ ...change, done: false });
    expect(await idsHere(cli, after)).toEqual([lost.conversation.id]);
    expect(await cli.json(['relink', '--to', before, '--yes'], { cwd: after })).toEqual({ ...change, done: true });
    expect(await idsHere(cli, after)).toEqual([lost.conversation.id, old.conversation.id]);
    expect((await cli.run(['relink', '--to', 'here'], { cwd: after })).stdout).toContain('Nothing was changed.');
    expect(await cli.failure(['relink', '--to', 'nobody'], { cwd: after })).toMatchObject({ code: 2, error: { code: 'usage' } });
  });

  it('is what a folder that only looks like a private project needs', async () => {
    const cli = new Cli();
    const shop = repositoryIn(cli, 'shop');
    const { conversation } = await cli.json<Turn>(['chat', '-p', 'The vault code is Neptune.'], { cwd: shop });
    await cli.json(['projects', 'private', 'here'], { cwd: shop });
    const copy = join(cli.folder, 'copy');
    git(cli.folder, 'clone', shop, copy);
    expect(await cli.json<Found>(['search', 'vault'], { cwd: copy })).toMatchObject({ hits: 0 });
    expect(await idsHere(cli, copy)).toEqual([]);
    expect(await cli.json(['relink'], { cwd: copy })).toMatchObject({ unconfirmed: conversation.project });
    await cli.json(['relink', '--to', conversation.project, '--yes'], { cwd: copy });
    expect(await cli.json<Found>(['search', 'vault'], { cwd: copy })).toMatchObject({ hits: 1 });
    expect(await cli.json<Found>(['search', 'vault'], { cwd: cli.folder })).toMatchObject({ hits: 0 });
  });
});
