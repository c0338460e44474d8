// The servers its makers publish, as programs of their own: over stdio and over streamable HTTP, also when they are restarted.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { selectSafeEnvironment } from '../../src/tools/mcp/safe-environment.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { context, findTool, openPool, overHttp, published, publishedProgram, say, until } from './mcp-bench.ts';

describe('the everything server over stdio', () => {
  it('answers, shows progress, and is shared', async () => {
    const pool = openPool();
    const one = pool.view({ servers: [published('everything', ['stdio'])], allowTools: ['echo', 'get-sum'] });
    const other = pool.view({ servers: [published('everything', ['stdio'])], hideTools: ['get-env'], naming: 'qualified' });
    expect((await one.tools()).map(({ name }) => name)).toEqual(['echo', 'get-sum']);
    expect(await say(one, 'echo', { message: '你好' })).toBe('Echo: 你好');
    expect(await say(one, 'get-sum', { a: 2, b: 40 })).toContain('42');
    expect((await other.tools()).map(({ name }) => name)).not.toContain('mcp__everything__get-env');
    expect(pool.status()).toHaveLength(1);

    const structured = await other.call('mcp__everything__get-structured-content', { location: 'New York' }, context());
    expect(structured.output).toMatchObject({ conditions: expect.any(String), temperature: expect.any(Number) });
    expect(await say(other, 'mcp__everything__get-tiny-image')).toContain('[image: image/png, ');
    const long = await findTool(other, 'mcp__everything__trigger-long-running-operation');
    expect((await long.access({})).summary).toContain('(read-only, says the server)');
    expect(await long.run({ duration: 0.2, steps: 2 }, context())).toEqual({ text: expect.stringContaining('completed') });
  });

  it('tells what is wrong with the input', async () => {
    const view = openPool().view({ servers: [published('everything', ['stdio'])] });
    const outcome = await view.call('get-structured-content', { location: 'Atlantis' }, context());
    expect(outcome).toMatchObject({ failed: true, text: expect.stringContaining('location') });
  });
});

describe('the filesystem server over stdio', () => {
  it('reads where it may and refuses elsewhere', async () => {
    const folder = createTemporaryFolder('mcp-files');
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
    const view = openPool().view({
      servers: [published('filesystem', [folder])],
      allowTools: ['read_text_file', 'list_directory'],
    });
    expect((await view.tools()).map(({ name }) => name)).toEqual(['list_directory', 'read_text_file']);
    expect(await say(view, 'read_text_file', { path: join(folder, 'a.txt') })).toBe('one\ntwo\n');
    expect(await say(view, 'list_directory', { path: folder })).toBe('[FILE] a.txt');
    expect(await view.call('read_text_file', { path: '/etc/passwd' }, context())).toMatchObject({
      failed: true,
      text: expect.stringContaining('denied'),
    });
    await expect(view.call('write_file', { path: join(folder, 'b'), content: '' }, context())).rejects.toMatchObject({
      code: 'tool-not-found',
    });
  });
});

describe('the everything server over HTTP', () => {
  it('answers, and the next call works when it was restarted', async () => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/mcp`;
    const pool = openPool();
    const view = pool.view({ servers: [overHttp(url)] });
    expect(await view.tools()).toEqual([]);
    expect(view.problems()).toEqual([{ server: 'remote', reason: 'it cannot be reached (ECONNREFUSED)', code: 'mcp-failed' }]);

    const first = await startEverything(port);
    await until(async () => (await view.tools()).length > 5);
    expect(await say(view, 'echo', { message: 'over http' })).toBe('Echo: over http');

    const second = await restart(first, port);
    expect(await say(view, 'echo', { message: 'again' })).toBe('Echo: again');

    const running = view.call('trigger-long-running-operation', { duration: 20, steps: 1 }, context());
    await until(() => pool.status()[0]?.calls === 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const startedAt = performance.now();
    await end(second);
    expect(await running).toMatchObject({ failed: true, code: 'mcp-failed' });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    await startEverything(port);
    expect(await say(view, 'echo', { message: 'and again' })).toBe('Echo: and again');
  });
});

async function startEverything(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [publishedProgram('everything'), 'streamableHttp'], {
    env: { ...selectSafeEnvironment(process.env), PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until(() => said.includes('listening'), 15_000);
  return child;
}

async function restart(child: ChildProcess, port: number): Promise<ChildProcess> {
  await end(child);
  return startEverything(port);
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
