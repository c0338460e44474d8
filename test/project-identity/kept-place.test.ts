// Keys and places go through a real store and come back as they were, so that a project is found by what was kept.
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/open-store.ts';
import { collectKnownProjects, createPlace, formatPlace, linkPlace, matchProject } from '../../src/project/project.ts';
import { GitLab } from '../support/git-lab.ts';

describe('a project kept with its conversations', () => {
  it('is recognised after a move, by what the store gives back, and after it was linked to another place', async () => {
    const lab = new GitLab();
    lab.repository('项目 one', 'https://me:ghp_0123456789abcdefghijABCDEFGHIJ012345@github.com/me/app');
    lab.folder('notes');
    const store = await openStore({ home: lab.path('store') });
    for (const name of ['项目 one', 'notes']) {
      const evidence = await lab.gather(name);
      const { key } = matchProject(evidence, []);
      await store.create({ project: key, meta: { place: formatPlace(createPlace(evidence)) } });
    }
    const list = async () => (await store.list({})).items;
    const known = async () => collectKnownProjects(await list());
    const git = `git:${lab.rootOf('项目 one')}`;
    expect((await known()).map(({ key, remotes }) => [key, remotes]).sort()).toEqual([
      [git, ['github.com/me/app']],
      [`path:${lab.path('notes')}`, []],
    ]);
    expect(matchProject(await lab.gather(lab.move('项目 one', 'moved')), await known())).toMatchObject({
      key: git,
      how: 'root-commit',
    });

    // Without git and marker nothing tells a moved folder: somebody says it, once.
    const moved = await lab.gather(lab.move('notes', 'moved notes'));
    expect(matchProject(moved, await known()).how).toBe('new');
    const [conversation] = (await list()).filter(({ project }) => project === `path:${lab.path('notes')}`);
    if (conversation) await store.mergeMeta(conversation.id, linkPlace(conversation.meta, createPlace(moved)));
    expect(matchProject(moved, await known())).toEqual({
      key: `path:${lab.path('notes')}`,
      how: 'path',
      confidence: 'medium',
      alsoFits: [],
      seenHere: true,
    });
    await store.close();
  });
});
