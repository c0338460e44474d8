import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createFileAtomically,
  isVacant,
  listFiles,
  makePrivate,
  makePrivateFolder,
  writeFileAtomically,
} from './private-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-files-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function mode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

it('makes folders for the owner only, with all their parents, also when asked twice at once', async () => {
  const deep = join(folder, 'a/b/c');
  await Promise.all([makePrivateFolder(deep), makePrivateFolder(deep)]);
  expect([await mode(join(folder, 'a')), await mode(deep)]).toEqual(['700', '700']);
});

it('says no where a folder cannot be made, instead of trying for ever', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(makePrivateFolder(join(folder, 'file/below'))).rejects.toMatchObject({ code: 'EEXIST' });
  if (process.platform === 'linux') {
    await expect(makePrivateFolder('/proc/nowhere/below')).rejects.toMatchObject({ code: 'ENOENT' });
  }
});

it('replaces a file in one step and leaves nothing else behind', async () => {
  const path = join(folder, 'file');
  await writeFileAtomically(path, 'one');
  await writeFileAtomically(path, 'two');
  expect([await readFile(path, 'utf8'), await mode(path), await listFiles(folder)]).toEqual(['two', '600', ['file']]);
});

it('lets exactly one of many create a file', async () => {
  const path = join(folder, 'file');
  const made = await Promise.all(Array.from({ length: 8 }, (_, i) => createFileAtomically(path, `by ${i}`)));
  expect(made.filter(Boolean).length).toBe(1);
  expect(await readFile(path, 'utf8')).toBe(`by ${made.indexOf(true)}`);
  expect(await listFiles(folder)).toEqual(['file']);
});

it('tells a vacant place from a used one and does not list what links point to', async () => {
  expect([await isVacant(join(folder, 'nothing')), await isVacant(folder)]).toEqual([true, true]);
  await symlink('/etc/hosts', join(folder, 'link'));
  expect([await isVacant(folder), await isVacant(join(folder, 'link')), await listFiles(folder)]).toEqual([false, false, []]);
});

it('takes away the rights of others and only those', async () => {
  const path = join(folder, 'file');
  await writeFile(path, '');
  await chmod(path, 0o644);
  await makePrivate(path);
  expect(await mode(path)).toBe('600');
});
