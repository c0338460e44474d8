// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration has templates of its own
import { describe, expect, it } from 'vitest';
import { parseMcpConfig } from './mcp-config.ts';

const parse = (config: unknown, variables: Record<string, string> = {}) =>
  parseMcpConfig('/home/a/.mcp.json', typeof config === 'string' ? config : JSON.stringify(config), variables);

describe('an MCP configuration', () => {
  it('is read as other programs write it, with what only they know left alone', () => {
    const config = {
      $schema: 'https://example.com/schema.json',
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'server-files', '/data'], env: { DEBUG: '1' }, cwd: 'sub', autoApprove: ['read'] },
        bare: { type: 'stdio', command: 'bare' },
        github: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' }, oauth: {} },
        streamed: { type: 'streamable-http', url: 'http://localhost:3000/mcp' },
        untyped: { url: 'http://[::1]:3000/mcp', args: null },
      },
    };
    expect(parse(`\uFEFF${JSON.stringify(config)}`)).toEqual([
      {
        name: 'files',
        transport: { type: 'stdio', command: 'npx', args: ['-y', 'server-files', '/data'], env: { DEBUG: '1' }, cwd: 'sub' },
        disabled: false,
      },
      { name: 'bare', transport: { type: 'stdio', command: 'bare', args: [], env: {} }, disabled: false },
      {
        name: 'github',
        transport: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
        disabled: false,
      },
      { name: 'streamed', transport: { type: 'http', url: 'http://localhost:3000/mcp', headers: {} }, disabled: false },
      { name: 'untyped', transport: { type: 'http', url: 'http://[::1]:3000/mcp', headers: {} }, disabled: false },
    ]);
  });

  it('may say which tools are seen, under which names and for how long', () => {
    const own = { tools: ['a', 'b'], hiddenTools: ['c'], prefix: 'gh_', timeout_seconds: 2.5, disabled: true };
    expect(parse({ mcpServers: { one: { command: 'x', ...own } } })).toEqual([
      {
        name: 'one',
        transport: { type: 'stdio', command: 'x', args: [], env: {} },
        tools: ['a', 'b'],
        hiddenTools: ['c'],
        prefix: 'gh_',
        timeoutSeconds: 2.5,
        disabled: true,
      },
    ]);
  });

  it('may name no servers at all, or one with the name of what every object has', () => {
    expect(parse({})).toEqual([]);
    expect(parse({ mcpServers: {} })).toEqual([]);
    expect(
      parse('{"mcpServers": {"__proto__": {"command": "x"}, "constructor": {"command": "y"}}}').map(({ name }) => name),
    ).toEqual(['__proto__', 'constructor']);
  });
});

describe('variables', () => {
  it('are put in everywhere, once, with defaults where they are not set or empty', () => {
    const config = {
      mcpServers: {
        one: {
          command: '${HOME}/bin/${NAME:-server}',
          args: ['--token=${TOKEN}', '${EMPTY:-full}', '$HOME', '${not a variable}'],
          env: { KEY: '${TOKEN}', NONE: '${EMPTY}', BLANK: '${MISSING:-}' },
          cwd: '${HOME}',
        },
        two: { url: 'https://${HOST:-localhost}/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
      },
    };
    expect(parse(config, { HOME: '/home/a', TOKEN: '${HOME}', EMPTY: '' }).map(({ transport }) => transport)).toEqual([
      {
        type: 'stdio',
        command: '/home/a/bin/server',
        args: ['--token=${HOME}', 'full', '$HOME', '${not a variable}'],
        env: { KEY: '${HOME}', NONE: '', BLANK: '' },
        cwd: '/home/a',
      },
      { type: 'http', url: 'https://localhost/mcp', headers: { Authorization: 'Bearer ${HOME}' } },
    ]);
  });

  it('need not be set for a server that is disabled', () => {
    const [server] = parse({ mcpServers: { one: { command: '${MISSING}', disabled: true } } });
    expect(server?.transport).toEqual({ type: 'stdio', command: '${MISSING}', args: [], env: {} });
  });
});

describe('a mistake', () => {
  const server = (value: unknown) => ({ mcpServers: { github: value } });
  it.each<[string, unknown, string]>([
    ['no JSON', '{"mcpServers": ', 'it is not JSON'],
    ['no object', '[]', 'it must be an object'],
    ['servers as a list', { mcpServers: [] }, 'mcpServers: it must be an object'],
    ['a server that is text', server('x'), 'mcpServers.github: it must be an object'],
    ['nothing to start or connect to', server({}), 'mcpServers.github: it needs a "command" to start or a "url" to connect to'],
    ['no command', server({ type: 'stdio', url: 'http://a' }), 'mcpServers.github: it needs a "command" to start'],
    ['no url', server({ type: 'http' }), 'mcpServers.github: it needs a "url" to connect to'],
    ['both', server({ command: 'x', url: 'http://a' }), 'mcpServers.github: it has both "command" and "url"; keep one of them'],
    ['an empty command', server({ command: '' }), 'mcpServers.github.command: it is empty'],
    ['a command that is a list', server({ command: ['x'] }), 'mcpServers.github.command: it must be text'],
    ['arguments that are text', server({ command: 'x', args: '-y' }), 'mcpServers.github.args: it must be a list of texts'],
    ['an argument that is a number', server({ command: 'x', args: ['a', 1] }), 'mcpServers.github.args.1: it must be text'],
    ['a variable that is a number', server({ command: 'x', env: { A: 1 } }), 'mcpServers.github.env.A: it must be text'],
    ['a url of another kind', server({ url: 'file:///etc' }), 'mcpServers.github.url: it must be an http:// or https:// address'],
    ['a url that is none', server({ url: 'example' }), 'mcpServers.github.url: it must be an http:// or https:// address'],
    [
      'a header that cannot be sent',
      server({ url: 'http://a', headers: { 'a b': 'x' } }),
      'mcpServers.github.headers: a name or a value in it cannot be sent as an HTTP header',
    ],
    [
      'the old transport',
      server({ type: 'sse', url: 'http://a/sse' }),
      'mcpServers.github: the transport "sse" is not spoken; give the server\'s streamable HTTP address with "type": "http"',
    ],
    [
      'an unknown transport',
      server({ type: 'ws', url: 'ws://a' }),
      'mcpServers.github: the type "ws" is not known; use "stdio", "http" or "streamable-http"',
    ],
    [
      'a variable that is not set',
      server({ command: 'x', env: { T: '${TOKEN}' } }),
      'mcpServers.github.env.T: the variable TOKEN is not set',
    ],
    ['a list of tools that is text', server({ command: 'x', tools: 'a' }), 'mcpServers.github.tools: it must be a list of texts'],
    [
      'a prefix with signs',
      server({ command: 'x', prefix: 'a.b' }),
      'mcpServers.github.prefix: it must be 1 to 32 letters, digits, "_" or "-"',
    ],
    [
      'no time',
      server({ command: 'x', timeout_seconds: 0 }),
      'mcpServers.github.timeout_seconds: it must be a number over 0 and up to 86400',
    ],
    ['a half truth', server({ command: 'x', disabled: 'no' }), 'mcpServers.github.disabled: it must be true or false'],
    [
      'a name without end',
      { mcpServers: { ['n'.repeat(65)]: { command: 'x' } } },
      `mcpServers.${'n'.repeat(65)}: a server's name has 1 to 64 characters, none of them a control character`,
    ],
  ])('is named with its place: %s', (_, config, reason) => {
    expect(() => parse(config)).toThrow(
      expect.objectContaining({ code: 'mcp-config-invalid', details: { path: '/home/a/.mcp.json', reason } }),
    );
  });
});
