// Recall where something it leans on gives way: an index that cannot be written, an embedding server that never answers.
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/open-store.ts';
import { createHashingEmbedder } from '../../src/testing/hashing-embedder.ts';
import { Cli } from './cli-program.ts';
import { canBeHeld, runHeld } from './held-program.ts';

describe.runIf(canBeHeld && process.platform !== 'win32')('an index that can be read and not written', () => {
  it('answers as long as it has everything, and leaves what it lacks to the log, with one line about it', async () => {
    const cli = new Cli();
    await cli.json(['append', 'The walrus sleeps on the pier.']);
    await cli.json(['search', 'walrus']);
    const index = join(cli.home, 'index.db');
    chmodSync(index, 0o400);
    const known = await runHeld(cli, ['search', 'walrus', '--json']);
    expect({ ...known, stdout: JSON.parse(known.stdout) }).toMatchObject({ code: 0, stderr: '', stdout: { hits: 1 } });
    await cli.json(['append', 'The penguin paints the pier.']);
    chmodSync(index, 0o400);
    for (const word of ['penguin', 'walrus', 'pier']) {
      const { code, stdout, stderr } = await runHeld(cli, ['search', word]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(word) });
      expect(stderr.match(/index\.db/g)).toEqual(['index.db']);
    }
    const answer = await runHeld(cli, ['chat', '-p', 'What does the penguin paint?']);
    expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining('The penguin paints the pier.') });
  });
});

describe('an embedding server that takes a question and never answers', () => {
  it('costs one wait, and words answer in search, in recall and in a chat', async () => {
    let isSilent = false;
    let waits = 0;
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (isSilent) {
        waits += 1;
        return;
      }
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
      const vectors = await createHashingEmbedder({ dimension: 64 }).embed(input);
      response.end(JSON.stringify({ data: vectors.map((vector, index) => ({ index, embedding: [...vector] })) }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const cli = new Cli();
    await cli.json(['append', 'The walrus sleeps on the pier.']);
    await cli.json(['embedder', 'use', 'openai-compatible', '--base-url', url, '--model', 'words']);
    isSilent = true;
    await cli.json(['append', 'The penguin paints the pier.']);
    for (const args of [
      ['search', 'walrus'],
      ['recall', 'where does the walrus sleep'],
      ['chat', '-p', 'Where does the walrus sleep?'],
    ]) {
      waits = 0;
      const { code, stdout, stderr } = await cli.run(args);
      expect({ args, code, stdout }).toEqual({ args, code: 0, stdout: expect.stringContaining('sleeps on the pier') });
      expect(stderr).toContain('took longer than 2 seconds');
      expect(stderr).not.toContain('could not be looked up');
      expect({ args, waits }).toEqual({ args, waits: 1 });
    }
  });
});

describe('continuo cleanup', () => {
  it('calls a conversation without a title by its first words, and the trash tells why it went', async () => {
    const cli = new Cli();
    const then = await openStore({ home: cli.home, clock: () => Date.now() - 90 * 24 * 60 * 60 * 1000 });
    const { id } = await then.create({});
    await then.append(id, { kind: 'message', role: 'user', text: 'The walrus sleeps on the pier.' });
    await then.close();
    expect((await cli.run(['cleanup'])).stdout).toContain('The walrus sleeps on the pier.');
    expect(await cli.json(['cleanup'])).toMatchObject({ trash: [{ id, preview: 'The walrus sleeps on the pier.' }] });
    const alike = await cli.run(['cleanup'], { env: { CONTINUO_CLEANUP_STRATEGY: 'similarity' } });
    expect(alike.stdout).toContain('told from 10 conversations on');
    await cli.json(['cleanup', '--yes']);
    expect((await cli.run(['list', '--trash'])).stdout).toContain('[not used for long]');
  });
});

describe('chat without recall', () => {
  it('quotes nothing, also where no model is configured', async () => {
    const cli = new Cli();
    await cli.json(['append', 'The walrus sleeps on the pier.']);
    for (const [args, env] of [
      [['--no-recall'], {}],
      [[], { CONTINUO_RECALL: 'false' }],
    ] as const) {
      const { code, stdout, stderr } = await cli.run(['chat', ...args, '-p', 'continue'], { env });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('recall is off') });
      expect(stdout + stderr).not.toMatch(/walrus|from earlier/);
    }
  });
});

describe('a search at a pipe that has to wait for the index', () => {
  it('says so once, but not with --quiet', async () => {
    const cli = new Cli();
    await cli.json(['append', 'The walrus sleeps on the pier.']);
    await cli.json(['search', 'walrus']);
    await cli.json(['append', 'The penguin paints the pier.']);
    // Another process that lives and says it is indexing: this one.
    const index = new Sqlite(join(cli.home, 'index.db'));
    const put = index.prepare('UPDATE state SET value = ? WHERE name = ?');
    put.run(1, 'lease-token');
    put.run(process.pid, 'lease-pid');
    put.run(Date.now() + 600_000, 'lease-until');
    index.close();
    const [told, quiet] = await Promise.all([cli.run(['search', 'walrus']), cli.run(['search', 'walrus', '--quiet'])]);
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('walrus') });
    expect(told.stderr.split('The search index is brought up to date first')).toHaveLength(2);
    expect(quiet).toMatchObject({ code: 0, stdout: expect.stringContaining('walrus'), stderr: '' });
  });
});
