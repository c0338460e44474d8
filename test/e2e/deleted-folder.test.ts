// A working folder that was deleted while somebody was in it; a folder in the place of the index; names that protect nothing.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Cli, findProgram } from './cli-program.ts';

async function runInDeleted(cli: Cli, words: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const folder = join(cli.folder, 'gone');
  mkdirSync(folder);
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  const line = ['-c', script, 'sh', folder, process.execPath, await findProgram(), ...words];
  return new Promise((resolve) => {
    const child = execFile('sh', line, { env: cli.environment() }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

describe('in a working folder that was deleted', () => {
  it.each([
    [['list']],
    [['search', 'Neptune']],
    [['projects']],
    [['append', 'another word']],
    [['config']],
    [['stats']],
    [['doctor']],
    [[]],
  ])('continuo %j works', async (words) => {
    const cli = new Cli();
    await cli.json(['append', 'Neptune']);
    expect(await runInDeleted(cli, words)).toMatchObject({ code: 0 });
  });

  it.each([[['list', '--here']], [['append', '--project', 'here', 'x']], [['chat', '-p', 'x']], [['recall', 'x']], [['relink']]])(
    'continuo %j says that there is no folder',
    async (words) => {
      const cli = new Cli();
      await cli.json(['append', 'Neptune']);
      const { stderr } = await runInDeleted(cli, words);
      expect(stderr).toContain('The folder you are in does not exist any more.');
    },
  );
});

describe('what is wrong is called by its name', () => {
  it('a folder in the place of the index', async () => {
    const cli = new Cli();
    await cli.json(['append', 'Neptune']);
    mkdirSync(join(cli.home, 'index.db'));
    const { stdout, stderr } = await cli.run(['search', 'Neptune']);
    expect(`${stdout}${stderr}`).toContain('a folder is in its place');
    expect(`${stdout}${stderr}`).not.toContain('No permission');
  });

  it('a private project that does not exist', async () => {
    const cli = new Cli({ CONTINUO_PRIVATE_PROJECTS: 'shopp' });
    await cli.json(['append', '--project', 'shop', 'Neptune']);
    expect((await cli.run(['projects'])).stderr).toContain('recall.private_projects names shopp, but no project is called so');
    expect((await cli.run(['doctor'])).stdout).toContain('recall.private_projects names shopp');
    const right = await cli.run(['projects'], { env: { CONTINUO_PRIVATE_PROJECTS: 'shop' } });
    expect(right.stderr).not.toContain('private_projects');
  });

  it('a setting that is wrong, which can be repaired by its name', async () => {
    const cli = new Cli();
    mkdirSync(cli.home);
    writeFileSync(join(cli.home, 'conversation.toml'), '[embedder]\ndimension = nan\n[conversation.cleanup]\nfoo = 1\n');
    expect((await cli.run(['list'])).stderr).toContain('not nan');
    expect((await cli.run(['config', 'set', 'embedder.dimension', '64'])).stderr).toContain(
      'there is no setting "conversation.cleanup.foo"',
    );
    const unknown = await cli.run(['list']);
    expect(unknown.stderr).not.toContain('did you mean');
    expect((await cli.run(['config', 'unset', 'conversation.cleanup.foo'])).code).toBe(0);
    expect(await cli.json(['config', 'get', 'embedder.dimension'])).toMatchObject({ value: 64 });
  });

  it('an embedder whose vectors are too long, before anything is written', async () => {
    const cli = new Cli();
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [{ index: 0, embedding: new Array(100_000).fill(0.01) }], model: 'm' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const words = ['embedder', 'use', 'openai-compatible', '--base-url', url, '--model', 'm'];
    expect(await cli.failure(words)).toMatchObject({ error: { code: 'invalid-input' } });
    expect(await cli.json(['config', 'get', 'embedder.kind'])).toMatchObject({ value: null });
  });
});
