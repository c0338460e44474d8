import { lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setSetting, unsetSetting } from './edit-config.ts';
import { loadConfig } from './load-config.ts';

let home: string;
let path: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-config-'));
  path = join(home, 'conversation.toml');
});
afterEach(() => rm(home, { recursive: true, force: true }));

const text = () => readFile(path, 'utf8');

describe('setSetting', () => {
  it('makes a private file where there is none', async () => {
    await setSetting(path, 'trash.grace_days', 7);
    expect(await text()).toBe('# Settings of Continuo. "continuo config" lists them all.\n\n[trash]\ngrace_days = 7\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('exchanges one value and keeps comments, order and spacing', async () => {
    const before =
      '# mine\n[store]   # where\n  redact   =  true     # keep # this "comment"\n\n# languages\n[cli]\nlanguage = \'zh\'\n';
    await writeFile(path, before);
    await setSetting(path, 'store.redact', false);
    expect(await text()).toBe(before.replace('=  true ', '=  false '));
  });

  it('adds a setting to its table, before the next one', async () => {
    await writeFile(path, '[store]\nredact = true # yes\n\n[cli]\nlanguage = "en"\n');
    await setSetting(path, 'store.driver', 'jsonl');
    expect(await text()).toBe('[store]\nredact = true # yes\ndriver = "jsonl"\n\n[cli]\nlanguage = "en"\n');
  });

  it('writes a list as an array', async () => {
    await setSetting(path, 'approvals.allow', ['git status', 'say "hi"']);
    expect(await text()).toContain('[approvals]\nallow = ["git status","say \\"hi\\""]\n');
    expect((await loadConfig({ home, env: {} }))['approvals.allow'].value).toEqual(['git status', 'say "hi"']);
  });

  it('adds a table at the end, also after a last line without an end', async () => {
    await writeFile(path, '[cli]\nlanguage = "en"');
    await setSetting(path, 'trash.grace_days', 3);
    expect(await text()).toBe('[cli]\nlanguage = "en"\n\n[trash]\ngrace_days = 3\n');
    await setSetting(path, 'cli.color', 'never');
    expect(await text()).toBe('[cli]\nlanguage = "en"\ncolor = "never"\n\n[trash]\ngrace_days = 3\n');
  });

  it('follows the dotted style and Windows line ends of the file', async () => {
    await writeFile(path, 'store.redact = true\r\n# end\r\n');
    await setSetting(path, 'store.driver', 'jsonl');
    expect(await text()).toBe('store.redact = true\r\nstore.driver = "jsonl"\r\n# end\r\n');
  });

  it('writes quotes and backslashes so that they read back', async () => {
    await setSetting(path, 'store.key_file', '/keys/a "b"\\c 密钥');
    expect((await loadConfig({ home, env: {} }))['store.key_file'].value).toBe('/keys/a "b"\\c 密钥');
  });

  it('never touches a file that cannot be parsed or that has another mistake', async () => {
    for (const broken of ['[store\nredact = true\n', '[store]\nredcat = true\n']) {
      await writeFile(path, broken);
      await expect(setSetting(path, 'store.redact', false)).rejects.toMatchObject({ code: 'config-invalid' });
      expect(await text()).toBe(broken);
    }
  });

  it('refuses, unchanged, what cannot be done by one line', async () => {
    const inline = 'store = { redact = true }\n';
    await writeFile(path, inline);
    await expect(setSetting(path, 'store.driver', 'jsonl')).rejects.toMatchObject({ code: 'config-invalid' });
    expect(await text()).toBe(inline);
  });

  it('is not fooled by a setting inside a longer text', async () => {
    const before = '[store]\nkey_file = """\nredact = true"""\n';
    await writeFile(path, before);
    await setSetting(path, 'cli.color', 'never');
    expect(await text()).toBe(`${before}\n[cli]\ncolor = "never"\n`);
    await setSetting(path, 'store.redact', false);
    expect(await text()).toBe(`${before}redact = false\n\n[cli]\ncolor = "never"\n`);
  });

  it.each([
    ['a number out of range', 'dimension = 100000 # too many', 'dimension = 768 # too many'],
    ['no number', 'dimension = nan', 'dimension = 768'],
    ['a list over several lines', 'dimension = [\n  1, # one\n  2,\n]', 'dimension = 768'],
    ['an inline table', 'dimension = { a = 1 }', 'dimension = 768'],
  ])('repairs the very setting that is wrong and keeps the rest: %s', async (_name, wrong, right) => {
    const file = (line: string) => `# mine\n[embedder]\nkind = "none" # why\n${line}\n[cli]\ncolor = "never"\n`;
    await writeFile(path, file(wrong));
    await setSetting(path, 'embedder.dimension', 768);
    expect(await text()).toBe(file(right));
    await writeFile(path, file(wrong));
    expect(await unsetSetting(path, 'embedder.dimension')).toBe(true);
    expect(await text()).toBe(file('').replace('\n\n[cli]', '\n[cli]'));
  });

  it('repairs two mistakes one after the other', async () => {
    await writeFile(path, '[embedder]\ndimension = 0\npooling = "max"\n');
    await setSetting(path, 'embedder.pooling', 'mean');
    await unsetSetting(path, 'embedder.dimension');
    expect(await text()).toBe('[embedder]\npooling = "mean"\n');
  });

  it('writes nothing that could not be read back', async () => {
    await writeFile(path, '');
    await expect(setSetting(path, 'embedder.dimension', 100_000)).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await text()).toBe('');
  });

  it('keeps a link to a file that lives elsewhere', async () => {
    const elsewhere = join(home, 'dotfiles.toml');
    await writeFile(elsewhere, '');
    await symlink(elsewhere, path);
    await setSetting(path, 'cli.color', 'always');
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect(await readFile(elsewhere, 'utf8')).toBe('[cli]\ncolor = "always"\n');
  });
});

describe('unsetSetting', () => {
  it('takes out one line and tells whether there was one', async () => {
    await writeFile(path, '[store]\n# why\nredact = false\ndriver = "jsonl"\n');
    expect(await unsetSetting(path, 'store.redact')).toBe(true);
    expect(await text()).toBe('[store]\n# why\ndriver = "jsonl"\n');
    expect(await unsetSetting(path, 'store.redact')).toBe(false);
  });

  it('takes out what does not exist, and a table in the place of a setting', async () => {
    await writeFile(path, '[store]\nredcat = true\nredact = true\n[cli.color]\nx = 1\n');
    expect(await unsetSetting(path, 'store.redcat')).toBe(true);
    expect(await unsetSetting(path, 'cli.color')).toBe(true);
    expect(await text()).toBe('[store]\nredact = true\n');
  });

  it('makes no file', async () => {
    expect(await unsetSetting(path, 'store.redact')).toBe(false);
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
