// The MCP server as a process and as a peer: bytes that are no messages, methods it does not know, clients that go away or do not read.
import { describe, expect, it } from 'vitest';
import { hello, RawServer } from '../mcp-server/server-lab.ts';
import { Cli } from './cli-program.ts';

const request = (id: number | string, method: string, params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const search = (id: number) => request(id, 'tools/call', { name: 'search_conversations', arguments: { query: 'quokka' } });

describe('a message', () => {
  it('that is none gets an error, and the next one its answer', async () => {
    const server = await RawServer.start(new Cli());
    const wrong: [string | Buffer, number | null, number][] = [
      ['garbage\n', null, -32700],
      ['{"jsonrpc":"2.0","id":1,\n', null, -32700],
      [Buffer.from([0xff, 0xfe, 0x00, 0x0a]), null, -32700],
      ['[]\n', null, -32600],
      [`${JSON.stringify([request(1, 'ping')])}\n`, null, -32600],
      ['"text"\n', null, -32600],
      ['null\n', null, -32600],
      ['{"id":2,"method":"ping"}\n', 2, -32600],
      ['{"jsonrpc":"1.0","id":3,"method":"ping"}\n', 3, -32600],
      ['{"jsonrpc":"2.0","id":4}\n', 4, -32600],
      ['{"jsonrpc":"2.0","id":5,"method":7}\n', 5, -32600],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}\n', null, -32600],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}\n', null, -32600],
      ['{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}\n', null, -32600],
      ['{"jsonrpc":"2.0","id":6,"method":"ping","params":[1]}\n', 6, -32602],
      ['{"jsonrpc":"2.0","id":7,"method":"tools/call"}\n', 7, -32602],
      ['{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":3}}\n', 8, -32602],
      ['{"jsonrpc":"2.0","id":9,"method":"initialize","params":{}}\n', 9, -32602],
      ['{"jsonrpc":"2.0","id":10,"method":"resources/read","params":{"uri":7}}\n', 10, -32602],
      ['{"jsonrpc":"2.0","id":11,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}\n', 11, -32002],
      ['{"jsonrpc":"2.0","id":12,"method":"resources/list","params":{"cursor":4}}\n', 12, -32602],
    ];
    for (const [bytes, id, code] of wrong) {
      const known = server.lines.length;
      server.write(bytes);
      expect((await server.messages(known + 1))[known]).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    }
    server.write(request('fine', 'ping'));
    expect(await server.answer('fine')).toEqual({ jsonrpc: '2.0', id: 'fine', result: {} });
  });

  it('of a method nobody knows is answered at once, before there was a hello', async () => {
    const server = await RawServer.start(new Cli());
    server.write(
      request(0, 'server/discover'),
      request(1, '__proto__'),
      request(2, 'toString'),
      request(3, 'prompts/list'),
      hello,
    );
    const messages = await server.messages(5);
    expect(messages.slice(0, 4).map(({ id, error }) => [id, (error as { code: number }).code])).toEqual(
      [0, 1, 2, 3].map((id) => [id, -32601]),
    );
    expect(messages[4]).toMatchObject({ id: 'hello', result: { protocolVersion: '2025-11-25' } });
  });

  it('may come in any pieces, several at once, with empty lines and CRLF', async () => {
    const server = await RawServer.start(new Cli());
    const bytes = Buffer.from(`\r\n${JSON.stringify(request('你好', 'ping'))}\r\n\n${JSON.stringify(request(2, 'ping'))}\n`);
    for (const byte of bytes) server.write(Buffer.from([byte]));
    expect(await server.messages(2)).toEqual(['你好', 2].map((id) => ({ jsonrpc: '2.0', id, result: {} })));
  });

  it('of any length beyond the limit is refused without being kept', async () => {
    const server = await RawServer.start(new Cli());
    server.write(
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(20 * 1024 * 1024)}"}}\n`,
      request(2, 'ping'),
    );
    expect(await server.messages(2)).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: 2, result: {} },
    ]);
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'that says hello in version %s is answered in it',
    async (version) => {
      const server = await RawServer.start(new Cli());
      server.write({ ...hello, params: { ...hello.params, protocolVersion: version } });
      expect(await server.answer('hello')).toMatchObject({ result: { protocolVersion: version } });
    },
  );

  it('that says hello in another version is offered the newest', async () => {
    const server = await RawServer.start(new Cli());
    server.write({ ...hello, params: { ...hello.params, protocolVersion: '2026-07-28' } });
    expect(await server.answer('hello')).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('after a byte order mark is read like any other', async () => {
    const server = await RawServer.start(new Cli());
    server.write('\ufeff', hello);
    expect(await server.answer('hello')).toMatchObject({ result: { serverInfo: { name: 'continuo' } } });
  });

  it('among others in an array gets its answer in an array, in the one version that has them', async () => {
    const server = await RawServer.start(new Cli());
    const batch = [
      request(1, 'ping'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      request(2, 'nothing'),
      5,
      request('three', 'tools/call', { name: 'list_projects' }),
    ];
    const tooMany = Array.from({ length: 101 }, (_, id) => request(id, 'ping'));
    server.write({ ...hello, params: { ...hello.params, protocolVersion: '2025-03-26' } });
    await server.answer('hello');
    for (const each of [batch, [{ jsonrpc: '2.0', method: 'notifications/none' }], tooMany])
      server.write(`${JSON.stringify(each)}\n`);
    const messages = (await server.messages(3)).slice(1);
    const [answers] = messages.filter((message) => Array.isArray(message)) as unknown as Record<string, unknown>[][];
    expect(new Map(answers?.map(({ id, error }) => [id, (error as { code: number } | undefined)?.code]))).toEqual(
      new Map<unknown, unknown>([
        [1, undefined],
        [2, -32601],
        [null, -32600],
        ['three', undefined],
      ]),
    );
    expect(messages.filter((message) => !Array.isArray(message))).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  it('that is cancelled gets no answer, and its id is free again', async () => {
    const server = await RawServer.start(new Cli());
    const cancel = (requestId: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    server.write(search(1), cancel(1), cancel(99), cancel({}), request(2, 'ping'));
    expect(await server.answer(2)).toMatchObject({ result: {} });
    // When it is free is not ours to know: it is asked until then.
    for (let tries = 0; ; tries++) {
      server.write(request(1, 'ping'));
      const answers = await server.messages(2 + tries);
      if ('result' in (answers.at(-1) as object)) break;
      expect(answers.at(-1)).toMatchObject({ id: 1, error: { message: expect.stringContaining('in use') } });
    }
    expect((await server.messages(1)).filter((message) => 'structuredContent' in ((message.result ?? {}) as object))).toEqual([]);
  });
});

describe('the server', () => {
  it('writes nothing but messages, also where it warns', async () => {
    const cli = new Cli();
    await cli.json(['append', 'The quokka sleeps.']);
    const { writeFileSync } = await import('node:fs');
    const { join } = await import('node:path');
    writeFileSync(join(cli.home, 'index.db'), 'this is no index');
    const server = await RawServer.start(cli, { env: { CONTINUO_PASSPHRASE: 'left over from another store' } });
    server.write(hello, search(1), request(2, 'tools/call', { name: 'save_note', arguments: { text: 'A note.' } }));
    await server.answer(2);
    expect(await server.answer(1)).toMatchObject({ result: { structuredContent: { hits: [{ text: 'The quokka sleeps.' }] } } });
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(server.stderr).not.toBe('');
  });

  it('answers what was asked before stdin closed, and ends', async () => {
    const cli = new Cli();
    const server = await RawServer.start(cli);
    server.write(hello, request(1, 'ping'));
    server.child.stdin.end(JSON.stringify(request(2, 'ping')));
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect((await server.messages(3)).map(({ id }) => id)).toEqual(['hello', 1, 2]);
  });

  it('ends where there is no stdin at all', async () => {
    expect(await new Cli().run(['mcp'])).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });

  it.each([
    ['SIGTERM', 143, 5000],
    ['SIGINT', 130, 5000],
    // What was asked before it closed may take a while.
    ['closed stdin', 0, 10_000],
  ] as const)('ends with %s in the middle of its work', async (how, code, most) => {
    const cli = new Cli();
    const store = await cli.open();
    for (let i = 0; i < 200; i++) {
      const { id } = await store.create({});
      await store.append(
        id,
        Array.from({ length: 20 }, (_, j) => ({ kind: 'message', role: 'user', text: `quokka ${i} ${j} `.repeat(20) }) as const),
      );
    }
    await store.close();
    const server = await RawServer.start(cli);
    server.write(hello);
    await server.answer('hello');
    for (let id = 0; id < 200; id++) server.write(search(id));
    // The index is being made, and calls are waiting.
    await server.messages(2);
    const began = performance.now();
    if (how === 'closed stdin') server.child.stdin.end();
    else server.child.kill(how);
    expect(await server.ended).toEqual({ code, signal: null });
    // A second on a machine that has nothing else to do.
    expect(performance.now() - began).toBeLessThan(most);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['closed stdin', 0],
  ] as const)('ends with %s also where its client asks and asks and does not read', async (how, code) => {
    const cli = new Cli();
    await cli.json(['append', 'The quokka sleeps.']);
    const server = await RawServer.start(cli, { reads: false });
    server.write(hello);
    for (let id = 0; id < 3000; id++) server.write(request(id, 'tools/list'));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const began = performance.now();
    if (how === 'closed stdin') server.child.stdin.end();
    else server.child.kill(how);
    expect(await server.ended).toEqual({ code, signal: null });
    expect(performance.now() - began).toBeLessThan(5000);
    expect(server.stderr).toBe('');
  });

  it('goes on where it stopped once its client reads again', async () => {
    const server = await RawServer.start(new Cli(), { reads: false });
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    for (const id of ids) server.write(request(id, 'tools/list'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    server.read();
    expect((await server.messages(ids.length)).map(({ id }) => id)).toEqual(ids);
    expect(server.stderr).toBe('');
  });

  it('ends where the client closes stdout', async () => {
    const server = await RawServer.start(new Cli());
    server.write(hello);
    await server.answer('hello');
    server.child.stdout.destroy();
    for (let id = 0; id < 10; id++) server.write(request(id, 'ping'));
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  it('does not ask for a passphrase on the stdin of the client', async () => {
    const cli = new Cli();
    await cli.json(['append', 'Sealed.'], { env: { CONTINUO_PASSPHRASE: 'open sesame' } });
    const server = await RawServer.start(cli);
    server.write(hello, search(1));
    expect(await server.answer(1)).toMatchObject({ result: { isError: true } });
    expect(server.stderr).toBe('');
  });
});
