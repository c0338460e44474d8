// Choosing what finds by meaning, against a server in this process: tried first, written down, embedded anew, interrupted, gone.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHashingEmbedder } from '../../src/testing/hashing-embedder.ts';
import { writeTinyOnnxModel } from '../support/tiny-onnx-model.ts';
import { Cli, collectResult, findProgram } from './cli-program.ts';

interface Asked {
  model: string;
  texts: string[];
  key: string | undefined;
}

interface Found {
  groups: { hits: { text: string; why?: { semantic?: number } }[] }[];
}

/** Vectors by hashed words, 64 numbers each, of another kind for each model. */
async function startServer() {
  const asked: Asked[] = [];
  const state = { delay: 0 };
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', async () => {
      const { model, input } = JSON.parse(body) as { model: string; input: string[] };
      asked.push({ model, texts: input, key: request.headers.authorization });
      if (state.delay > 0) await sleep(state.delay);
      const vectors = await createHashingEmbedder({ dimension: 64, name: model }).embed(input);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: vectors.map((vector, index) => ({ index, embedding: [...vector] })) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, state, stop };
}

async function fill(cli: Cli, count = 3): Promise<void> {
  const store = await cli.open();
  const { id } = await store.create();
  await store.append(id, { kind: 'message', role: 'user', text: 'The walrus is a mascot.' });
  for (let i = 1; i < count; i++) await store.append(id, { kind: 'message', role: 'user', text: `Penguin number ${i} swims.` });
  await store.close();
}

const meaningOf = (found: Found) => found.groups[0]?.hits[0]?.why?.semantic;
const useServer = (url: string, model: string) => ['embedder', 'use', 'openai-compatible', '--base-url', url, '--model', model];

describe('continuo embedder', () => {
  it('uses a server: tried, written into the settings beside what stands there, embedded and asked', async () => {
    const cli = new Cli({ MY_KEY: 'secret-of-mine' });
    const { url, asked } = await startServer();
    await fill(cli);
    const file = join(cli.home, 'conversation.toml');
    writeFileSync(file, '# mine\n[recall]\ntoken_budget = 900 # enough\n');
    const id = 'openai-compatible/words/64';
    expect(await cli.json([...useServer(url, 'words'), '--key-env', 'MY_KEY'])).toEqual({
      file,
      kind: 'openai-compatible',
      id,
      dimension: 64,
      embedded: 3,
    });
    const written = readFileSync(file, 'utf8');
    expect(written).toMatch(/^# mine\n\[recall\]\ntoken_budget = 900 # enough\n/);
    expect(written).not.toContain('secret');
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(['Bearer secret-of-mine']));
    expect(await cli.json(['embedder'])).toMatchObject({
      inUse: {
        kind: 'openai-compatible',
        id,
        dimension: 64,
        settings: { 'embedder.key_env': 'MY_KEY', 'embedder.dimension': 64 },
      },
      vectors: { model: id, documents: 3, behind: 0 },
      problem: null,
    });
    expect(meaningOf(await cli.json<Found>(['search', 'The walrus is a mascot.', '--explain']))).toBeGreaterThan(0);
    const tested = await cli.json<{ similarities: number[][] }>(['embedder', 'test', 'one walrus', 'one walrus', 'x']);
    expect(tested).toMatchObject({ embedder: id, dimension: 64, texts: ['one walrus', 'one walrus', 'x'] });
    expect(tested.similarities[0]?.slice(0, 2)).toEqual([1, 1]);
    expect(await cli.json(['embedder', 'use', 'none'])).toEqual({
      file,
      kind: 'none',
      id: null,
      dimension: null,
      embedded: null,
    });
    expect(readFileSync(file, 'utf8')).toBe('# mine\n[recall]\ntoken_budget = 900 # enough\n\n[embedder]\nkind = "none"\n');
    expect(meaningOf(await cli.json<Found>(['search', 'The walrus is a mascot.', '--explain']))).toBeUndefined();
  });

  it('that does not work is not written down', async () => {
    const cli = new Cli();
    await fill(cli);
    const gone = await cli.failure(useServer('http://127.0.0.1:1/v1', 'words'));
    expect(gone).toMatchObject({ code: 6, error: { code: 'embedder-failed' } });
    const keyless = await cli.failure([...useServer('http://127.0.0.1:1/v1', 'words'), '--key-env', 'NO_SUCH_KEY']);
    expect(keyless).toMatchObject({ code: 6, error: { details: { reason: 'the environment variable NO_SUCH_KEY is not set' } } });
    const { code, stderr } = await cli.run([...useServer('http://127.0.0.1:1/v1', 'words'), '--key-env', 'sk-abc-123']);
    expect([code, stderr.includes('sk-abc')]).toEqual([2, false]);
    expect(existsSync(join(cli.home, 'conversation.toml'))).toBe(false);
  });

  it('whose server is gone leaves search by words, with one line that says so', async () => {
    const cli = new Cli();
    const { url, stop } = await startServer();
    await fill(cli);
    await cli.json(useServer(url, 'words'));
    await stop();
    for (const more of [[], ['--json']]) {
      const { code, stdout, stderr } = await cli.run(['search', 'walrus', ...more]);
      expect(code).toBe(0);
      expect(stdout).toContain('The walrus is a mascot.');
      const lines = stderr.split('\n').filter((line) => line.startsWith('Looking by words alone.'));
      expect(lines).toEqual([
        'Looking by words alone. The embedder openai-compatible/words/64 failed: nobody answers there. Searching by words goes on.',
      ]);
    }
  });

  it('that is interrupted leaves the answers to the one before, and goes on where it was', async () => {
    const cli = new Cli();
    const { url, asked, state } = await startServer();
    await fill(cli, 600);
    await cli.json(useServer(url, 'first'));
    state.delay = 100;
    const child = spawn(process.execPath, [await findProgram(), ...useServer(url, 'second')], {
      cwd: cli.folder,
      env: cli.environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = collectResult(child);
    while (asked.filter(({ model, texts }) => model === 'second' && texts.length > 1).length < 6) await sleep(20);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining('continuo reindex --vectors') as string });
    state.delay = 0;
    const status = await cli.json<{ vectors: { documents: number; behind: number } }>(['embedder']);
    expect(status).toMatchObject({ inUse: { id: 'openai-compatible/second/64' } });
    const { documents, behind } = status.vectors;
    expect(documents).toBeGreaterThan(0);
    expect([documents + behind, behind > 0]).toEqual([600, true]);

    asked.length = 0;
    expect(meaningOf(await cli.json<Found>(['search', 'The walrus is a mascot.', '--explain']))).toBeGreaterThan(0);
    expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(['first']));

    asked.length = 0;
    expect(await cli.json(['reindex', '--vectors'])).toMatchObject({ complete: true, embedded: behind });
    expect(asked.flatMap(({ texts }) => texts)).toHaveLength(behind);
    asked.length = 0;
    expect(meaningOf(await cli.json<Found>(['search', 'The walrus is a mascot.', '--explain']))).toBeGreaterThan(0);
    expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(['second']));
    expect(existsSync(join(cli.home, 'embedder-former.json'))).toBe(false);
  });

  it('in a folder says what to install, and what is wrong with the folder', async () => {
    const cli = new Cli();
    const folder = join(cli.folder, 'models', 'multilingual-e5-small');
    expect(await cli.failure(['embedder', 'use', 'onnx', folder])).toMatchObject({
      code: 4,
      error: { code: 'embedder-folder-unfit', details: { path: folder, reason: 'there is no such folder' } },
    });
    writeTinyOnnxModel(folder);
    const { embedders } = await cli.json<{ embedders: { kind: string; install?: string }[] }>(['embedder']);
    const install = embedders.find(({ kind }) => kind === 'onnx')?.install;
    if (install === undefined) return; // Installed here.
    expect(install).toBe(
      `npm install --prefix "${join(cli.home, 'packages')}" onnxruntime-node@1.30 @huggingface/tokenizers@0.2`,
    );
    expect(await cli.failure(['embedder', 'use', 'onnx', folder])).toMatchObject({
      code: 6,
      error: { code: 'embedder-packages-missing', details: { command: install } },
    });
  });

  it('takes no option that means nothing, and says what is missing', async () => {
    const cli = new Cli();
    for (const args of [
      ['use'],
      ['use', 'none', 'more'],
      ['use', 'onnx'],
      ['use', 'openai-compatible', '--model', 'words'],
      ['use', 'none', '--model', 'words'],
      ['list', 'more'],
      ['test', 'x', '--later'],
      ['train'],
    ]) {
      expect(await cli.failure(['embedder', ...args]), args.join(' ')).toMatchObject({ code: 2, error: { code: 'usage' } });
    }
    expect(await cli.failure(['embedder', 'test'], { env: { CONTINUO_EMBEDDER: 'none' } })).toMatchObject({ code: 2 });
  });

  it('packages in the home are no matter for the doctor', async () => {
    const cli = new Cli();
    await fill(cli);
    const folder = join(cli.home, 'packages', 'node_modules');
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    writeFileSync(join(folder, 'index.js'), '', { mode: 0o644 });
    const { checks } = await cli.json<{ checks: { check: string; status: string }[] }>(['doctor']);
    expect(checks.find(({ check }) => check === 'permissions')).toMatchObject({ status: 'ok' });
  });
});
