import { describe, expect, it } from 'vitest';
import { collectKnownProjects, describeProject } from './known-project.ts';
import { formatPlace, type ProjectPlace } from './project-place.ts';

const root = 'a'.repeat(40);
const id = '0b9f0d9c-7f38-4a62-9f6f-3f3f2a1c9d11';
const at = (path: string, more: Partial<ProjectPlace> = {}) => ({
  place: formatPlace({ path, name: path.slice(path.lastIndexOf('/') + 1), rootCommits: [], remotes: [], ...more }),
});

describe('the known projects', () => {
  it('are put together from where conversations were held, newest first', () => {
    const git = { rootCommits: [root], mainRoot: root, remotes: ['host/app'], origin: 'host/app' };
    const known = collectKnownProjects([
      { project: `git:${root}`, meta: at('/old/app', git), activeAt: 10 },
      { project: `git:${root}`, meta: at('/new/app', { ...git, marker: id }), activeAt: 30 },
      { project: '/plain', meta: {}, activeAt: 20 },
      { project: 'path:/plain', meta: at('/plain'), activeAt: 15 },
      { project: 'a name', meta: at('/x'), activeAt: 50 },
      { meta: {}, activeAt: 60 },
    ]);
    expect(known).toEqual([
      {
        key: `git:${root}`,
        name: 'app',
        rootCommits: [root],
        mainRoots: [root],
        remotes: ['host/app'],
        origins: ['host/app'],
        markers: [id],
        paths: ['/new/app', '/old/app'],
        lastSeen: 30,
        conversations: 2,
        fields: [`git:${root}`],
      },
      {
        key: 'path:/plain',
        name: 'plain',
        rootCommits: [],
        mainRoots: [],
        remotes: [],
        origins: [],
        markers: [],
        paths: ['/plain'],
        lastSeen: 20,
        conversations: 2,
        fields: ['/plain', 'path:/plain'],
      },
    ]);
    expect(known.map(describeProject)).toEqual([
      {
        key: `git:${root}`,
        name: 'app',
        kind: 'git',
        path: '/new/app',
        otherPaths: ['/old/app'],
        remote: 'host/app',
        conversations: 2,
        lastSeen: 30,
      },
      { key: 'path:/plain', name: 'plain', kind: 'path', path: '/plain', otherPaths: [], conversations: 2, lastSeen: 20 },
    ]);
  });

  it('are known by their keys where nothing else was kept', () => {
    const known = collectKnownProjects([
      { project: `git:${root}`, meta: {}, activeAt: 3 },
      { project: `marker:${id}`, meta: {}, activeAt: 2 },
      { project: 'path:C:\\work\\app', meta: {}, activeAt: 1 },
    ]);
    expect(known.map(({ name, rootCommits, markers, paths }) => ({ name, rootCommits, markers, paths }))).toEqual([
      { name: `git:${root}`, rootCommits: [root], markers: [], paths: [] },
      { name: `marker:${id}`, rootCommits: [], markers: [id], paths: [] },
      { name: 'app', rootCommits: [], markers: [], paths: ['C:\\work\\app'] },
    ]);
  });
});
