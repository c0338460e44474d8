import { describe, expect, it } from 'vitest';
import {
  formatPathKey,
  formatProjectKey,
  formatSuccessorKey,
  isProjectKey,
  type ProjectKeyParts,
  parseProjectKey,
  readProjectField,
  splitProjectKey,
} from './project-key.ts';

const commit = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const id = '0b9f0d9c-7f38-4a62-9f6f-3f3f2a1c9d11';

describe('a project key', () => {
  const rows: [ProjectKeyParts, string][] = [
    [{ kind: 'git', rootCommit: commit }, `git:${commit}`],
    [{ kind: 'git', rootCommit: 'ab'.repeat(32) }, `git:${'ab'.repeat(32)}`],
    [{ kind: 'marker', id }, `marker:${id}`],
    [{ kind: 'path', path: '/home/我/a b ' }, 'path:/home/我/a b '],
    [{ kind: 'path', path: '/' }, 'path:/'],
    [{ kind: 'path', path: 'C:\\Users\\me' }, 'path:C:\\Users\\me'],
    [{ kind: 'path', path: '\\\\server\\share\\app' }, 'path:\\\\server\\share\\app'],
    [{ kind: 'path', digest: 'ab'.repeat(32) }, `path:sha256:${'ab'.repeat(32)}`],
  ];

  it.each(rows)('is written and read: %j', (parts, key) => {
    expect([formatProjectKey(parts), splitProjectKey(parseProjectKey(key)), isProjectKey(key)]).toEqual([key, parts, true]);
  });

  it.each([
    '',
    'git:',
    'git:HEAD',
    `git:${commit.toUpperCase()}`,
    `git:${commit} `,
    `marker:${id.slice(1)}`,
    'path:',
    'path:relative/folder',
    'path:C:relative',
    'path:/nul\0byte',
    'path:sha256:short',
    `path:/${'x'.repeat(1000)}`,
    '/home/me/app',
    'my project',
  ])('is refused where it is none: %j', (text) => {
    expect(isProjectKey(text)).toBe(false);
    expect(() => parseProjectKey(text)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  it('differs for every two folders, however alike they look', () => {
    const paths = [
      '/a/App',
      '/a/app',
      '/a/app ',
      '/a/caf\u00e9',
      '/a/cafe\u0301',
      '/a/导航',
      '/a/沙发',
      '/a/my app',
      '/a/my-app',
      '/a/my_app',
    ];
    const long = ['x', 'y'].map((end) => `/${'长'.repeat(1200)}${end}`);
    const keys = [...paths, ...long].map(formatPathKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((key) => key.length <= 1000 && isProjectKey(key))).toBe(true);
  });

  it('of a second project at a path is told by what is there, and is the same each time', () => {
    const keys = [['a'], ['a'], ['b'], ['a', 'b']].map((facts) => formatSuccessorKey('/p', facts));
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(3);
    expect(keys.map((key) => splitProjectKey(key).kind)).toEqual(['path', 'path', 'path', 'path']);
  });
});

describe('the project field of a conversation', () => {
  it.each([
    [`git:${commit}`, `git:${commit}`],
    ['/home/me/app', 'path:/home/me/app'],
    ['C:/work/app', 'path:C:/work/app'],
    ['website', undefined],
    [undefined, undefined],
  ])('%j means %j', (field, key) => {
    expect(readProjectField(field)).toBe(key);
  });
});
