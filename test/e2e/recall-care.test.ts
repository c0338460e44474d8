// Caring for what is recalled: leaving a conversation out, its title, what stats and doctor say of the index, when a cleanup is
// announced, and a dimension that does not fit the embedder.
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/open-store.ts';
import { createHashingEmbedder } from '../../src/testing/hashing-embedder.ts';
import { needs } from '../support/require-system.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

interface Found {
  groups: { conversationId: string; hits: { kind: string; text: string }[] }[];
}

const day = 24 * 60 * 60 * 1000;

async function append(cli: Cli, text: string, ...more: string[]): Promise<string> {
  return (await cli.json<{ conversation: { id: string } }>(['append', text, ...more])).conversation.id;
}

async function search(cli: Cli, words: string): Promise<string[]> {
  return (await cli.json<Found>(['search', words])).groups.map(({ conversationId }) => conversationId);
}

function isInIndex(cli: Cli, word: string): boolean {
  const files = readdirSync(cli.home).filter((name) => name.startsWith('index.db'));
  return files.some((name) => readFileSync(join(cli.home, name), 'latin1').includes(word));
}

describe('continuo exclude', () => {
  it('leaves a conversation out of every search and of the index, marks it, and takes it back', async () => {
    const cli = new Cli();
    const id = await append(cli, 'The zqxwalrus sleeps on the pier.', '--title', 'zqxharbour');
    const other = await append(cli, 'The pier was painted.');
    expect(await search(cli, 'zqxwalrus')).toEqual([id]);
    expect(isInIndex(cli, 'zqxwalrus')).toBe(true);
    expect(await cli.json(['exclude', id])).toMatchObject({ conversations: [{ id, meta: { recall: 'excluded' } }] });
    expect(['zqxwalrus', 'zqxharbour'].filter((word) => isInIndex(cli, word))).toEqual([]);
    expect(await search(cli, 'zqxwalrus')).toEqual([]);
    expect(await search(cli, 'zqxharbour')).toEqual([]);
    expect(await search(cli, 'pier')).toEqual([other]);
    expect((await cli.run(['list'])).stdout).toContain('[not recalled] zqxharbour');
    expect((await cli.run(['list', '--lang', 'zh'])).stdout).toContain('[不回忆] zqxharbour');
    expect((await cli.run(['show', id])).stdout).toContain('left out of recall');
    const { stdout } = await cli.run(['exclude', id, '--off', '--lang', 'zh']);
    expect(stdout).toMatch(/^cnv_\w+ 可以再次被找到和引用。\n$/);
    expect(await search(cli, 'zqxwalrus')).toEqual([id]);
    expect((await cli.json<{ conversation: { meta: object } }>(['show', id])).conversation.meta).not.toHaveProperty('recall');
  });
});

describe('a title', () => {
  it('is found by search, follows a rename, and is gone with a purge', async () => {
    const cli = new Cli();
    const id = await append(cli, 'Which port does it use?', '--title', 'zqxharbour');
    expect((await cli.json<Found>(['search', 'zqxharbour'])).groups).toMatchObject([
      { conversationId: id, hits: [{ kind: 'title', text: 'zqxharbour' }] },
    ]);
    expect((await cli.run(['search', 'zqxharbour'])).stdout).toContain('title, ');
    await cli.json(['rename', id, 'zqxlighthouse']);
    expect(await search(cli, 'zqxlighthouse')).toEqual([id]);
    expect(await search(cli, 'zqxharbour')).toEqual([]);
    await cli.json(['trash', id]);
    await cli.json(['purge', id, '--yes']);
    expect(['zqxharbour', 'zqxlighthouse'].filter((word) => isInIndex(cli, word))).toEqual([]);
  });
});

describe('stats and doctor', () => {
  it('tell how large the index is, how far behind, and whose vectors it has', async () => {
    const cli = new Cli({ CONTINUO_EMBEDDER: 'none' });
    await append(cli, 'The walrus sleeps.');
    expect(await cli.json(['stats'])).toMatchObject({ index: { state: 'absent' } });
    expect(existsSync(join(cli.home, 'index.db'))).toBe(false);
    expect((await cli.run(['doctor'])).stdout).toContain('Search index: none yet; the first search makes it');
    await search(cli, 'walrus');
    await append(cli, 'The penguin does not.', '--title', 'Birds');
    expect(await cli.json(['stats'])).toMatchObject({
      index: { state: 'ok', documents: 1, behind: { entries: 1, conversations: 1 }, models: [] },
    });
    expect((await cli.run(['stats'])).stdout).toMatch(
      /Search index +\S+ \S+, 1 passage; 1 entry of 1 conversation behind; words only/,
    );
    expect((await cli.run(['stats', '--lang', 'zh'])).stdout).toContain('还差 1 个对话的 1 条；只按词语');
    const { checks } = await cli.json<{ checks: { check: string }[] }>(['doctor']);
    expect(checks.filter(({ check }) => check === 'index')).toEqual([
      { check: 'index', status: 'note', message: expect.stringContaining('behind'), next: expect.stringContaining('reindex') },
    ]);
    await search(cli, 'penguin');
    expect((await cli.run(['doctor'])).stdout).toMatch(/✓ Search index: .*2 passages; up to date/);
  });

  it('say that the index is damaged, leave it as it is, and are content after a reindex', async () => {
    const cli = new Cli({ CONTINUO_EMBEDDER: 'none' });
    await append(cli, 'The walrus sleeps.');
    await search(cli, 'walrus');
    const file = join(cli.home, 'index.db');
    truncateSync(file, 5000);
    const before = readFileSync(file);
    expect(await cli.json(['stats'])).toMatchObject({ index: { state: 'damaged' } });
    const { code, stdout } = await cli.run(['doctor']);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('✗ Search index: damaged\n  → Nothing is lost'),
    });
    expect(readFileSync(file)).toEqual(before);
    await cli.json(['reindex']);
    expect((await cli.run(['doctor'])).code).toBe(0);
    expect(await cli.json(['stats'])).toMatchObject({ index: { state: 'ok', documents: 1 } });
  });

  it('look into the index of an encrypted store with its key', async () => {
    const cli = new Cli({ CONTINUO_PASSPHRASE: 'correct horse', CONTINUO_EMBEDDER: 'none' });
    await append(cli, 'The walrus sleeps.');
    await search(cli, 'walrus');
    expect(await cli.json(['stats'])).toMatchObject({
      encrypted: true,
      index: { state: 'ok', documents: 1, behind: { entries: 0 } },
    });
  });
});

describe('conversation.semantic_search.embedding_dimension', () => {
  it('is held against the embedder in use; a difference is told with what to do, and the search goes on', async () => {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
      const vectors = await createHashingEmbedder({ dimension: 64 }).embed(input);
      response.end(JSON.stringify({ data: vectors.map((vector, index) => ({ index, embedding: [...vector] })) }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const cli = new Cli();
    await append(cli, 'The walrus sleeps.');
    await cli.json(['embedder', 'use', 'openai-compatible', '--base-url', url, '--model', 'words']);
    const { stdout, stderr } = await cli.run(['search', 'walrus'], { env: { CONTINUO_EMBEDDING_DIMENSION: '384' } });
    expect(stdout).toContain('The walrus sleeps.');
    expect(stderr).toContain('64 dimensions where 384 are expected');
    expect(stderr).toContain('continuo config set conversation.semantic_search.embedding_dimension 64');
    const agreed = await cli.run(['search', 'walrus'], { env: { CONTINUO_EMBEDDING_DIMENSION: '64' } });
    expect(agreed.stderr).not.toContain('dimension');
    const none = await cli.run(['search', 'walrus'], { env: { CONTINUO_EMBEDDING_DIMENSION: '384', CONTINUO_EMBEDDER: 'none' } });
    expect(none.stderr).not.toContain('dimension');
  });
});

describe.runIf(needs(hasTmux, 'tmux, which gives the program a terminal'))('conversation.cleanup.enable', () => {
  it('announces a cleanup once a day to a person, and puts nothing into the trash', async () => {
    const cli = new Cli();
    const then = await openStore({ home: cli.home, clock: () => Date.now() - 90 * day });
    for (const title of ['one', 'two']) {
      const { id } = await then.create({ title });
      await then.append(id, { kind: 'message', role: 'user', text: 'x' });
    }
    await then.close();
    const env = { CONTINUO_CLEANUP: 'true' };
    const line = 'Cleanup is due: 2 conversations would go into the trash.';
    const look = async (args: string[], more: Record<string, string>) => {
      using screen = await TerminalScreen.open(cli, args, { env: more, columns: 200 });
      await screen.shows('ended with 0');
      return screen.text();
    };
    expect(await look(['list'], {})).not.toContain('Cleanup');
    expect((await cli.run(['list'], { env })).stderr).toBe('');
    expect(await look(['list'], env)).toContain(`${line} Nothing goes by itself; see which, and decide: continuo cleanup`);
    expect(await look(['list'], env)).not.toContain('Cleanup');
    const file = join(cli.home, 'cleanup-announced.json');
    const { at } = JSON.parse(readFileSync(file, 'utf8')) as { at: number };
    writeFileSync(file, JSON.stringify({ at: at - day }));
    expect(await look(['list'], { ...env, CONTINUO_LANG: 'zh' })).toContain('该清理了：有 2 个对话会移入回收站。不会自动清理');
    expect(await cli.json(['stats'])).toMatchObject({ conversations: 2, trashed: 0 });
    expect((await cli.run(['doctor'])).code).toBe(0);
  });
});
