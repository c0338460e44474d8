import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../test/support/temporary-folder.ts';
import { findMarker, markerFileName, readMarker, writeMarker } from './marker.ts';

const id = '0b9f0d9c-7f38-4a62-9f6f-3f3f2a1c9d11';

describe('writing a marker', () => {
  it('makes one line of JSON everybody may read, and nothing else', async () => {
    const folder = makeFolder();
    const made = await writeMarker(folder);
    const text = readFileSync(join(folder, markerFileName), 'utf8');
    expect({ lines: text.split('\n').length, id: JSON.parse(text).id, made }).toEqual({
      lines: 2,
      id: made.id,
      made: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), written: true },
    });
    expect(statSync(join(folder, markerFileName)).mode & 0o777).toBe(0o644);
    expect(readdirSync(folder)).toEqual([markerFileName]);
  });

  it('leaves the one that is there and answers with it', async () => {
    const folder = makeFolder();
    const first = await writeMarker(folder, { id });
    expect([first, await writeMarker(folder), await writeMarker(folder, { id })]).toEqual([
      { id, written: true },
      { id, written: false },
      { id, written: false },
    ]);
  });

  it('makes one marker where several ask at once', async () => {
    const folder = makeFolder();
    const made = await Promise.all(Array.from({ length: 8 }, () => writeMarker(folder)));
    expect(new Set(made.map((one) => one.id)).size).toBe(1);
    expect(made.filter((one) => one.written).length).toBe(1);
  });

  it('refuses to give the folder to another project', async () => {
    const folder = makeFolder();
    await writeMarker(folder);
    await expect(writeMarker(folder, { id })).rejects.toMatchObject({ code: 'unsafe-path' });
  });

  it.each<[string, (file: string) => void]>([
    ['a file that is no marker', (file) => writeFileSync(file, 'mine')],
    ['an empty file', (file) => writeFileSync(file, '')],
    ['a folder', (file) => mkdirSync(file)],
    ['a symbolic link that leads nowhere', (file) => symlinkSync('/nowhere/at/all', file)],
  ])('never touches %s', async (_name, put) => {
    const folder = makeFolder();
    const file = join(folder, markerFileName);
    put(file);
    await expect(writeMarker(folder)).rejects.toMatchObject({ code: 'unsafe-path', details: { path: file } });
    expect(readdirSync(folder)).toEqual([markerFileName]);
  });

  it('says where there is no folder, and what is no id', async () => {
    await expect(writeMarker('/nowhere/at/all')).rejects.toMatchObject({
      code: 'io-failed',
      details: { reason: 'its folder /nowhere/at/all does not exist' },
    });
    await expect(writeMarker(makeFolder(), { id: '../x' })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('finding a marker', () => {
  it('looks upward and takes the nearest', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'a/b/c'), { recursive: true });
    const outer = await writeMarker(folder);
    const inner = await writeMarker(join(folder, 'a/b'));
    expect([
      await findMarker(join(folder, 'a/b/c')),
      await findMarker(join(folder, 'a')),
      await readMarker(join(folder, 'a')),
    ]).toEqual([{ folder: join(folder, 'a/b'), id: inner.id }, { folder, id: outer.id }, undefined]);
  });

  it('does not give the home folder to every folder below it', async () => {
    const home = makeFolder();
    mkdirSync(join(home, 'work'));
    const { id: homeId } = await writeMarker(home);
    expect([await findMarker(join(home, 'work'), { home }), await findMarker(home, { home })]).toEqual([
      undefined,
      { folder: home, id: homeId },
    ]);
  });

  it('reads an id whatever its case, and ignores what else is written there', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, markerFileName), ` {"more":[1],"id":"${id.toUpperCase()}"}\r\n`);
    expect(await findMarker(folder)).toEqual({ folder, id });
  });

  it.each<[string, (file: string) => void]>([
    ['text', (file) => writeFileSync(file, 'not json')],
    ['JSON without an id', (file) => writeFileSync(file, 'null')],
    ['an id that is none', (file) => writeFileSync(file, '{"id":"../../x"}')],
    ['a file that is too long', (file) => writeFileSync(file, JSON.stringify({ id, more: 'x'.repeat(5000) }))],
    ['a symbolic link to a real marker', (file) => symlinkSync(elsewhere(), file)],
    ['a pipe nobody writes to', (file) => void execFileSync('mkfifo', [file])],
    ['a folder', (file) => mkdirSync(file)],
  ])('stops at %s without an id, and does not take the folder above for it', async (_name, put) => {
    const folder = makeFolder();
    await writeMarker(folder);
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    put(join(inner, markerFileName));
    expect(await findMarker(inner)).toEqual({ folder: inner });
  });
});

function makeFolder(): string {
  return realpathSync(createTemporaryFolder('marker'));
}

function elsewhere(): string {
  const file = join(makeFolder(), 'real');
  writeFileSync(file, JSON.stringify({ id }));
  return file;
}
