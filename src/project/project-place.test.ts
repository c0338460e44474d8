import { describe, expect, it } from 'vitest';
import { createPlace, formatPlace, linkPlace, type ProjectPlace, parsePlace, readPlaces } from './project-place.ts';

const root = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const other = '0'.repeat(40);
const marker = '0b9f0d9c-7f38-4a62-9f6f-3f3f2a1c9d11';
const place: ProjectPlace = {
  path: '/home/我/a b',
  name: 'a b',
  rootCommits: [other, root],
  mainRoot: root,
  remotes: ['/srv/git/app', '[2001:db8::1]/app', 'github.com/me/app', 'host/@scope/app', 'host/项目/a b'],
  origin: 'github.com/me/app',
  marker,
};

describe('a place', () => {
  it('is what the evidence says', () => {
    const { path, name, rootCommits, mainRoot, remotes, origin } = place as Required<ProjectPlace>;
    const git = { rootCommits, mainRoot, remotes, origin, shallow: false, mainPath: '/elsewhere' };
    expect([createPlace({ path, name, git, marker }), createPlace({ path, name })]).toEqual([
      place,
      { path, name, rootCommits: [], remotes: [] },
    ]);
  });

  it('comes back from JSON as it was', () => {
    expect(parsePlace(JSON.parse(JSON.stringify(formatPlace(place))))).toEqual(place);
  });

  it('never holds a secret of a remote, whoever made it', () => {
    const loose = [
      'https://me:hunter2@github.com/me/app.git',
      'https://hunter2@github.com/me/app.git',
      'me:hunter2@github.com:me/app',
      'https://host/app?token=hunter2',
      'host/app?token=hunter2',
      'me:hunter2@host/app',
      "ext::curl -u hunter2 'x'",
    ];
    const written = formatPlace({ ...place, remotes: loose, origin: 'https://me:hunter2@github.com/me/app.git' });
    expect(JSON.stringify(written)).not.toContain('hunter2');
    expect(written).toEqual({ ...place, remotes: ['github.com/me/app', 'host/app'] });
  });

  it.each([undefined, null, 'x', [], {}, { path: 'relative' }, { path: 7 }])('is not in %j', (value) => {
    expect(parsePlace(value as never)).toBeUndefined();
  });

  it('loses only the fields that are not what they should be', () => {
    const odd = {
      path: '/p',
      name: 3,
      rootCommits: ['HEAD', root, 7, root],
      mainRoot: 'x',
      remotes: 'no',
      origin: [],
      marker: 'm',
    };
    expect(parsePlace(odd as never)).toEqual({ path: '/p', name: '/p', rootCommits: [root], remotes: [] });
  });
});

describe('linking places', () => {
  it('keeps where a conversation was held, and every place it was linked to once, newest first', () => {
    const at = (path: string): ProjectPlace => ({ path, name: path.slice(1), rootCommits: [], remotes: [] });
    let meta = { place: formatPlace(at('/first')), mine: 1 };
    for (const path of ['/a', '/b', '/a']) meta = { ...meta, ...linkPlace(meta, at(path)) };
    expect(meta.mine).toBe(1);
    expect(readPlaces(meta).map(({ path }) => path)).toEqual(['/a', '/b', '/first']);
    expect(readPlaces({ linkedPlaces: 'odd', place: 3 })).toEqual([]);
  });
});
