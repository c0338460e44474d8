// What goes wrong in everyday use, and that the program then tells the truth and the next step.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from './cli-program.ts';

describe('a key', () => {
  it('is asked for as a new one where a plain store is to be encrypted', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x']);
    expect(await cli.run(['encrypt'])).toMatchObject({
      code: 2,
      stderr:
        'Error: A new key is needed to encrypt with: a passphrase in CONTINUO_PASSPHRASE, or a file that is made for it with --new-key-file FILE.\n',
    });
    expect((await cli.run(['encrypt', '--lang', 'zh'])).stderr).toBe(
      '错误：加密需要一个新的密钥：在 CONTINUO_PASSPHRASE 里给出新口令，或用 --new-key-file 文件 生成密钥文件。\n',
    );
    const { code, stderr } = await cli.run(['decrypt']);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^Error: The store at .* is not encrypted\./);
    expect(stderr).not.toContain('was given');
    expect((await cli.run(['decrypt', '--lang', 'zh'])).stderr).toMatch(/^错误：.* 的存储没有加密。/);
  });

  it('left over in the environment does not keep a plain store shut; one that was named does', async () => {
    const cli = new Cli();
    await cli.run(['append', 'plain words']);
    const env = { CONTINUO_PASSPHRASE: 'of another store' };
    expect(await cli.run(['show', 'latest'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('plain words'),
      stderr: 'CONTINUO_PASSPHRASE is set, but this store is not encrypted. It was not used.\n',
    });
    expect((await cli.run(['list', '--lang', 'zh'], { env })).stderr).toBe(
      '设置了 CONTINUO_PASSPHRASE，但这个存储没有加密，口令没有用到。\n',
    );
    await writeFile(join(cli.folder, 'k'), Buffer.alloc(64, 7), { mode: 0o600 });
    expect(await cli.failure(['list', '--key-file', 'k'])).toMatchObject({ code: 4, error: { code: 'not-encrypted' } });
  });
});

describe('a setting that does not fit the store', () => {
  it('is refused when it is set, with the reason and what to do instead', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x']);
    const { code, stderr } = await cli.run(['config', 'set', 'store.driver', 'jsonl']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `Error: The store in ${cli.home} is kept as sqlite and stays so: store.driver only says how a new store is made. For another kind of store choose a new home with --home NEW_FOLDER.\n`,
    );
    expect((await cli.run(['config', 'set', 'store.driver', 'jsonl', '--lang', 'zh'])).stderr).toContain('的存储方式是 sqlite');
    expect((await cli.run(['config', 'set', 'store.key_file', 'k'])).stderr).toContain(
      'is not encrypted, so no key file opens it',
    );
    expect((await cli.run(['config', 'set', 'store.driver', 'sqlite'])).code).toBe(0);
    expect((await cli.run(['list'])).code).toBe(0);
  });

  it('is named with its cure where it stands in the file, by every command and by the doctor', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x']);
    await writeFile(join(cli.home, 'conversation.toml'), '[store]\ndriver = "jsonl"\n', { mode: 0o600 });
    const cure = 'Take the setting back with: continuo config unset store.driver';
    expect((await cli.run(['list'])).stderr).toMatch(new RegExp(`^Error: .*sqlite.* ${cure}\n$`));
    expect((await cli.run(['list', '--lang', 'zh'])).stderr).toMatch(/去掉这项设置：continuo config unset store.driver\n$/);
    expect((await cli.run(['doctor'])).stdout).toMatch(
      new RegExp(`^✗ The store at .*\n {2}→ ${cure}\n\n1 problem remains.\n$`, 'm'),
    );
    expect((await cli.run(['list'], { env: { CONTINUO_DRIVER: 'jsonl' } })).stderr).toContain('variable CONTINUO_DRIVER');
    expect((await cli.run(['config', 'unset', 'store.driver'])).code).toBe(0);
    expect((await cli.run(['list'])).code).toBe(0);
  });

  it('or that cannot be read is one problem with a next step, and a plain store is looked at all the same', async () => {
    const cli = new Cli();
    await cli.run(['append', 'x']);
    await writeFile(join(cli.home, 'conversation.toml'), 'no toml at all\n', { mode: 0o600 });
    const { code, stdout } = await cli.run(['doctor', '--json']);
    const { problems, checks } = JSON.parse(stdout) as { problems: number; checks: { check: string; status: string }[] };
    expect({ code, problems }).toEqual({ code: 1, problems: 1 });
    expect(checks.find(({ check }) => check === 'settings')).toMatchObject({
      status: 'problem',
      code: 'config-invalid',
      next: 'Correct that line with an editor; nothing in the store is touched by it.',
    });
    expect(checks.find(({ check }) => check === 'store')).toMatchObject({ status: 'ok' });
    expect((await cli.run(['doctor', '--lang', 'zh'])).stdout).toContain('→ 请用编辑器改正那一行');
    const sealed = new Cli({ CONTINUO_PASSPHRASE: 'p' });
    await sealed.run(['append', 'x']);
    await mkdir(sealed.home, { recursive: true });
    await writeFile(join(sealed.home, 'conversation.toml'), 'no toml at all\n', { mode: 0o600 });
    expect((await sealed.run(['doctor'])).stdout).toMatch(/^· What is stored was not looked at.*\n\n1 problem remains\.$/m);
  });
});
