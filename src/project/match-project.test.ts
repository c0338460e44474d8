import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProjectEvidence } from './gather-evidence.ts';
import type { KnownProject } from './known-project.ts';
import { matchProject, type ProjectMatch } from './match-project.ts';
import { parseProjectKey } from './project-key.ts';

const r1 = '1'.repeat(40);
const r2 = '2'.repeat(40);
const r3 = '3'.repeat(40);
const u = '0b9f0d9c-7f38-4a62-9f6f-3f3f2a1c9d11';
const v = '1b9f0d9c-7f38-4a62-9f6f-3f3f2a1c9d11';

const known = (key: string, seen: Partial<Omit<KnownProject, 'key'>>): KnownProject => ({
  key: parseProjectKey(key),
  name: 'app',
  rootCommits: [],
  mainRoots: seen.rootCommits?.slice(0, 1) ?? [],
  remotes: [],
  origins: seen.remotes?.slice(0, 1) ?? [],
  markers: [],
  paths: [],
  lastSeen: 1,
  conversations: 1,
  fields: [key],
  ...seen,
});
const folder = (path: string, marker?: string): ProjectEvidence => ({
  path,
  name: 'app',
  ...(marker !== undefined && { marker }),
});
/** The first root and the first remote are the main ones. */
const repository = (path: string, rootCommits: string[], remotes: string[] = [], marker?: string): ProjectEvidence => ({
  ...folder(path, marker),
  git: {
    rootCommits,
    ...(rootCommits[0] !== undefined && { mainRoot: rootCommits[0] }),
    remotes,
    ...(remotes[0] !== undefined && { origin: remotes[0] }),
    shallow: false,
  },
});
const match = (key: string, how: ProjectMatch['how'], confidence: ProjectMatch['confidence'], ...more: (string | boolean)[]) => ({
  key,
  how,
  confidence,
  alsoFits: more.filter((one) => typeof one === 'string'),
  seenHere: more.includes(true),
});
const here = true;

const first = known(`git:${r1}`, { rootCommits: [r1], remotes: ['host/me/app'], paths: ['/a'], lastSeen: 5 });
const local = known(`git:${r2}`, { rootCommits: [r2], paths: ['/b'] });
const noted = known(`marker:${u}`, { markers: [u], paths: ['/n'] });
const plain = known('path:/p', { paths: ['/p'] });
const all = [first, local, noted, plain];

describe('a folder among known projects', () => {
  const rows: Record<string, [ProjectEvidence, readonly KnownProject[], ReturnType<typeof match>]> = {
    'nothing is known': [repository('/a', [r1]), [], match(`git:${r1}`, 'new', 'high')],
    'nothing is known, no commit': [repository('/a', [], ['host/me/app']), [], match('path:/a', 'new', 'high')],
    'nothing is known, a marker': [folder('/a', u), [], match(`marker:${u}`, 'new', 'high')],
    'nothing fits': [repository('/z', [r3], ['host/me/z'], v), all, match(`git:${r3}`, 'new', 'high')],
    'a root': [repository('/z', [r1]), all, match(`git:${r1}`, 'root-commit', 'high')],
    'a root and the path': [repository('/a', [r1]), all, match(`git:${r1}`, 'root-commit', 'high', here)],
    'a root wins over the path of another': [repository('/p', [r1]), all, match(`git:${r1}`, 'root-commit', 'high', 'path:/p')],
    'a root wins over the remote of another': [
      repository('/z', [r2], ['host/me/app']),
      all,
      match(`git:${r2}`, 'root-commit', 'high', `git:${r1}`),
    ],
    'a marker wins over the path of another': [folder('/p', u), all, match(`marker:${u}`, 'marker', 'high', 'path:/p')],
    'a remote that is not the origin is not enough': [
      repository('/z', [r3], ['host/me/z', 'host/me/app']),
      all,
      match(`git:${r3}`, 'new', 'low', `git:${r1}`),
    ],
    'the same origin of two projects decides nothing': [
      repository('/z', [], ['host/me/app']),
      [first, known(`git:${r3}`, { rootCommits: [r3], remotes: ['host/me/app'], paths: ['/c'], lastSeen: 9 })],
      match('path:/z', 'new', 'low', `git:${r3}`, `git:${r1}`),
    ],
    'the same origin of two projects, one of them here': [
      repository('/c', [], ['host/me/app']),
      [first, known(`git:${r3}`, { rootCommits: [r3], remotes: ['host/me/app'], paths: ['/c'] })],
      match(`git:${r3}`, 'remote', 'high', `git:${r1}`, here),
    ],
    'the same origin, and another marker': [
      repository('/z', [], ['host/me/app'], v),
      [{ ...first, markers: [u] }],
      match(`marker:${v}`, 'new', 'low', `git:${r1}`),
    ],
    'rewritten in place, and fetched from a fork since': [
      repository('/a', [r3], ['host/you/app', 'host/me/app']),
      [first],
      match(`git:${r1}`, 'path', 'medium', here),
    ],
    'another repository in its place that only shares a template': [
      repository('/a', [r3], ['host/me/z', 'host/template']),
      [{ ...first, remotes: ['host/me/app', 'host/template'] }],
      match(`git:${r3}`, 'new', 'low', `git:${r1}`),
    ],
    'a marker in a rewritten history elsewhere, that still knows where it came from': [
      repository('/z', [r3], ['host/you/fork', 'host/me/app'], u),
      [{ ...first, markers: [u] }],
      match(`git:${r1}`, 'marker', 'high'),
    ],
    'cloned from the folder of the project, with a remote of its own': [
      repository('/z', [r1], ['/a', 'host/me/mirror']),
      [first],
      match(`git:${r1}`, 'root-commit', 'high'),
    ],
    'a path on another computer': [
      folder('\\\\server\\share\\app'),
      [
        known('path:\\\\server\\share\\app', { paths: ['\\\\server\\share\\app'] }),
        known('path:\\\\server\\share\\App', { paths: [] }),
      ],
      match('path:\\\\server\\share\\app', 'path', 'medium', here),
    ],
    'git tells nothing, and the path is one of several': [
      { ...folder('/a'), gitProblem: 'missing' },
      [{ ...first, paths: ['/elsewhere', '/a'] }],
      match(`git:${r1}`, 'path', 'low', here),
    ],
    'the history is too long to walk, and the path is one of several': [
      { ...folder('/a'), git: { rootCommits: [], remotes: [], shallow: false, incomplete: true } },
      [{ ...first, paths: ['/elsewhere', '/a'] }],
      match(`git:${r1}`, 'path', 'low', here),
    ],
    'a plain folder where a project was that was seen elsewhere since': [
      folder('/a'),
      [{ ...first, paths: ['/elsewhere', '/a'] }],
      match('path:/a', 'new', 'low', `git:${r1}`),
    ],
    'a plain folder that is one of the places of a project without signs': [
      folder('/p'),
      [{ ...plain, paths: ['/q', '/p'] }],
      match('path:/p', 'path', 'medium', here),
    ],
    'two projects were here one after the other': [
      folder('/a'),
      [first, known(`git:${r3}`, { rootCommits: [r3], paths: ['/a'], lastSeen: 9 })],
      match(`git:${r3}`, 'path', 'low', `git:${r1}`, here),
    ],
    'the key of the path is taken, and what is here is something else': [
      repository('/p', [], ['host/me/z']),
      [known('path:/p', { remotes: ['host/me/other'], paths: ['/p'] })],
      match(expect.stringMatching(/^path:sha256:/) as never, 'new', 'low', 'path:/p'),
    ],
    'the server was changed where the history is not known': [
      repository('/p', [], ['new.host/me/app']),
      [known('path:/p', { remotes: ['old.host/us/app'], paths: ['/p'] })],
      match('path:/p', 'path', 'medium', here),
    ],
    'a copy among two projects with one beginning, nothing more': [
      repository('/z', [r1]),
      [known(`marker:${u}`, { rootCommits: [r1], markers: [u], lastSeen: 9 }), first],
      match(`git:${r1}`, 'root-commit', 'medium', `marker:${u}`),
    ],
    'a copy with the marker of the one that was told apart': [
      repository('/z', [r1], ['host/me/app'], u),
      [known(`marker:${u}`, { rootCommits: [r1], markers: [u] }), first],
      match(`marker:${u}`, 'root-commit', 'high', `git:${r1}`),
    ],
  };

  it.each(Object.entries(rows))('%s', (_name, [evidence, projects, expected]) => {
    const before = structuredClone(projects);
    expect(matchProject(evidence, projects)).toEqual(expected);
    // In whatever order the projects come.
    expect(matchProject(evidence, projects.toReversed())).toEqual(expected);
    expect(projects).toEqual(before);
  });

  it('that is new gets a key no known project has, and finds itself again by it', () => {
    const evidence = repository('/p', [r1], ['host/me/z']);
    const taken = [first, known('path:/p', { rootCommits: [r3], remotes: ['host/me/other'], paths: ['/p'] })];
    const { key, how } = matchProject(evidence, taken);
    expect([how, taken.some((project) => project.key === key)]).toEqual(['new', false]);
    const again = [...taken, known(key, { rootCommits: [r1], remotes: ['host/me/z'], paths: ['/p'] })];
    expect(matchProject(evidence, again)).toMatchObject({ key, how: 'root-commit', seenHere: true });
    expect(matchProject({ ...evidence, path: '/moved' }, again)).toMatchObject({ key, how: 'root-commit' });
  });
});

describe('projects that have nothing in common', () => {
  /** A folder whose every sign is made of its number, so that no two share one. */
  const world = fc
    .array(fc.record({ rooted: fc.boolean(), remote: fc.boolean(), marked: fc.boolean(), moves: fc.boolean() }), {
      minLength: 2,
      maxLength: 8,
    })
    .map((signs) => signs.map((sign, index) => ({ ...sign, ...createFolder(index, sign) })));

  it('are never taken for each other, and each is found again as long as something tells it', () => {
    fc.assert(
      fc.property(world, (folders) => {
        const projects: KnownProject[] = [];
        for (const { evidence } of folders) {
          const found = matchProject(evidence, projects);
          expect([found.how, found.alsoFits]).toEqual(['new', []]);
          const { git, marker, path } = evidence;
          projects.push(
            known(found.key, {
              rootCommits: git?.rootCommits ?? [],
              remotes: git?.remotes ?? [],
              markers: marker === undefined ? [] : [marker],
              paths: [path],
            }),
          );
        }
        expect(new Set(projects.map(({ key }) => key)).size).toBe(folders.length);
        folders.forEach(({ evidence, moves, rooted, marked, remote }, index) => {
          const found = matchProject(moves ? { ...evidence, path: `/moved/${index}` } : evidence, projects);
          const told = rooted || marked || remote || !moves;
          expect(told ? found.key : found.how).toBe(told ? projects[index]?.key : 'new');
          expect(found.alsoFits).toEqual([]);
        });
      }),
    );
  });

  function createFolder(
    index: number,
    sign: { rooted: boolean; remote: boolean; marked: boolean },
  ): { evidence: ProjectEvidence } {
    const digit = index.toString(16);
    const marker = sign.marked ? `${digit.repeat(8)}-0000-4000-8000-000000000000` : undefined;
    // The same folder name and nearly the same path everywhere.
    const path = `/home/me/${' '.repeat(index)}app`;
    if (!sign.rooted && !sign.remote) return { evidence: folder(path, marker) };
    return {
      evidence: repository(path, sign.rooted ? [digit.repeat(40)] : [], sign.remote ? [`host${digit}/me/app`] : [], marker),
    };
  }
});
