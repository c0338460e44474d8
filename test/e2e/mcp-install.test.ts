// continuo mcp install: the settings of other agents, with everything else in them as it was.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { parse } from 'smol-toml';
import { describe, expect, it, onTestFinished } from 'vitest';
import { needs } from '../support/require-system.ts';
import { Cli } from './cli-program.ts';
import { canBeHeld, runHeld } from './held-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

interface Installed {
  client: string;
  file: string;
  state: string;
  backup: string | null;
}

const vscodeFolder = process.platform === 'darwin' ? 'Library/Application Support/Code/User' : '.config/Code/User';

/** Where each keeps its settings below the home folder, and where the entry is found in them. */
const clients: Record<string, { file: string; entry: (settings: never) => unknown }> = {
  claude: { file: '.claude.json', entry: (s: { mcpServers: { continuo: object } }) => s.mcpServers.continuo },
  gemini: { file: '.gemini/settings.json', entry: (s: { mcpServers: { continuo: object } }) => s.mcpServers.continuo },
  opencode: { file: '.config/opencode/opencode.json', entry: (s: { mcp: { continuo: object } }) => s.mcp.continuo },
  qwen: { file: '.qwen/settings.json', entry: (s: { mcpServers: { continuo: object } }) => s.mcpServers.continuo },
  copilot: { file: '.copilot/mcp-config.json', entry: (s: { mcpServers: { continuo: object } }) => s.mcpServers.continuo },
  continue: {
    file: '.continue/mcpServers/continuo.json',
    entry: (s: { mcpServers: { continuo: object } }) => s.mcpServers.continuo,
  },
  cursor: { file: '.cursor/mcp.json', entry: (s: { mcpServers: { continuo: object } }) => s.mcpServers.continuo },
  windsurf: {
    file: '.codeium/windsurf/mcp_config.json',
    entry: (s: { mcpServers: { continuo: object } }) => s.mcpServers.continuo,
  },
  pi: { file: '.pi/agent/mcp.json', entry: (s: { mcpServers: { continuo: object } }) => s.mcpServers.continuo },
  vscode: { file: `${vscodeFolder}/mcp.json`, entry: (s: { servers: { continuo: object } }) => s.servers.continuo },
  codex: { file: '.codex/config.toml', entry: (s: { mcp_servers: { continuo: object } }) => s.mcp_servers.continuo },
};

function parseSettings(path: string): never {
  const text = readFileSync(path, 'utf8');
  return (path.endsWith('.toml') ? parse(text) : JSON.parse(text)) as never;
}

function write(file: string, text: string | Buffer): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('an agent without settings', () => {
  it.each(Object.entries(clients))('gets them: %s', async (name, { file, entry }) => {
    const cli = new Cli();
    const path = join(cli.folder, file);
    expect(await cli.json<Installed>(['mcp', 'install', name, '--yes'])).toEqual({
      client: name,
      file: path,
      state: 'add',
      backup: null,
    });
    const written = JSON.stringify(entry(parseSettings(path)));
    expect(written).toContain(JSON.stringify(['mcp', '--home', cli.home]).slice(1, -1));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await cli.json<Installed>(['mcp', 'install', name, '--yes'])).toMatchObject({ state: 'none' });
    expect(await cli.json<Installed>(['mcp', 'install', name, '--undo', '--yes'])).toMatchObject({ state: 'remove' });
    expect(existsSync(path)).toBe(false);
    expect(await cli.json<Installed>(['mcp', 'install', name, '--undo', '--yes'])).toMatchObject({ state: 'none' });
  });

  it('starts the server that was written down', async () => {
    const cli = new Cli();
    await cli.json(['append', 'The quokka sleeps.']);
    await cli.json(['mcp', 'install', 'cursor', '--yes']);
    const { command, args } = JSON.parse(readFileSync(join(cli.folder, '.cursor/mcp.json'), 'utf8')).mcpServers.continuo;
    const client = new Client({ name: 'cursor', version: '1' });
    // With hardly any environment, as Codex starts it.
    await client.connect(new StdioClientTransport({ command, args, env: { HOME: cli.folder } }));
    onTestFinished(() => client.close());
    const said = JSON.stringify(await client.callTool({ name: 'list_conversations' }));
    expect(said).toContain('The quokka sleeps.');
  });
});

describe('settings that are there', () => {
  const samples: Record<string, [client: string, file: string, text: string]> = {
    'JSON with comments, another server and Chinese': [
      'gemini',
      '.gemini/settings.json',
      '{\n  // 主题\n  "ui": { "theme": "暗" },\n  "mcpServers": {\n    "other": { "command": "x" }, // 保留\n  },\n}\n',
    ],
    'JSON by tabs without a last line end': ['claude', '.claude.json', '{\n\t"numStartups": 3,\n\t"projects": {"/a": {}}\n}'],
    'JSON with CRLF and a byte order mark': ['cursor', '.cursor/mcp.json', '\ufeff{\r\n  "mcpServers": {\r\n  }\r\n}\r\n'],
    'JSON on one line': [
      'copilot',
      '.copilot/mcp-config.json',
      '{"mcpServers":{"a":{"type":"local","command":"b","args":[],"tools":["*"]}}}',
    ],
    'a jsonc file': [
      'opencode',
      '.config/opencode/opencode.jsonc',
      '{\n  "$schema": "https://opencode.ai/config.json", // 模式\n}\n',
    ],
    'TOML with comments, CRLF and Chinese': [
      'codex',
      '.codex/config.toml',
      'model = "gpt" # 模型\r\n\r\n[mcp_servers.other]\r\ncommand = "x"\r\n\r\n# 末尾\r\n',
    ],
    'TOML without a last line end': ['codex', '.codex/config.toml', '[projects."/家"]\ntrust_level = "trusted"'],
    'TOML with a byte order mark': ['codex', '.codex/config.toml', '\ufeffmodel = "x"\n'],
  };

  it.each(Object.entries(samples))(
    'keep everything else, their mode and a copy, and come back byte for byte: %s',
    async (_name, sample) => {
      const [client, file, text] = sample;
      const cli = new Cli();
      const path = write(join(cli.folder, file), text);
      chmodSync(path, 0o640);
      const backup = `${path}.continuo-backup`;
      expect(await cli.json<Installed>(['mcp', 'install', client, '--yes'])).toEqual({
        client,
        file: path,
        state: 'add',
        backup,
      });
      const changed = readFileSync(path, 'utf8');
      expect(changed).not.toBe(text);
      // Nothing was taken away: the old text is the new one with pieces left out.
      expect(isSubsequence(text, changed)).toBe(true);
      expect(readFileSync(backup, 'utf8')).toBe(text);
      for (const each of [path, backup]) expect(statSync(each).mode & 0o777).toBe(0o640);
      await cli.json(['mcp', 'install', client, '--undo', '--yes']);
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(statSync(path).mode & 0o777).toBe(0o640);
      expect(existsSync(backup)).toBe(false);
    },
  );

  it('that changed since lose the entry alone', async () => {
    const cli = new Cli();
    const path = write(join(cli.folder, '.gemini/settings.json'), '{\n  "a": 1\n}\n');
    await cli.json(['mcp', 'install', 'gemini', '--yes']);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"a": 1', '"a": 2 /* 新 */'));
    await cli.json(['mcp', 'install', 'gemini', '--undo', '--yes']);
    expect(readFileSync(path, 'utf8')).toContain('"a": 2 /* 新 */');
    expect(readFileSync(path, 'utf8')).not.toContain('continuo');
  });

  it('keep what somebody added to the entry when it is brought up to date', async () => {
    const cli = new Cli();
    const path = write(
      join(cli.folder, '.codex/config.toml'),
      '[mcp_servers.continuo]\ncommand = "old"\nargs = []\ndefault_tools_approval_mode = "approve"\n\n[mcp_servers.continuo.env]\nCONTINUO_PASSPHRASE = "mine"\n',
    );
    expect(await cli.json<Installed>(['mcp', 'install', 'codex', '--yes'])).toMatchObject({ state: 'replace' });
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('default_tools_approval_mode = "approve"');
    expect(text).toContain('[mcp_servers.continuo.env]\nCONTINUO_PASSPHRASE = "mine"');
    expect(text).not.toContain('"old"');
    const json = write(join(cli.folder, '.qwen/settings.json'), '{"mcpServers":{"continuo":{"command":"old","trust":true}}}');
    await cli.json(['mcp', 'install', 'qwen', '--yes']);
    expect(JSON.parse(readFileSync(json, 'utf8')).mcpServers.continuo).toMatchObject({ trust: true, args: expect.any(Array) });
  });

  /** Entries that somebody wrote by hand, and what must be found after the install as it was. */
  const byHand: Record<string, [client: string, file: string, text: string, kept: string[]]> = {
    'a table with comments, another spelling and a table below': [
      'codex',
      '.codex/config.toml',
      '[mcp_servers."continuo"] # mine\n# a remark\ncommand = "old" # why\nargs = [\n  "a",\n]\nstartup_timeout_sec = 1.5 # keep\n[mcp_servers.continuo.env]\nA = "b"\n\n[tui]\na = 1\n',
      [
        '[mcp_servers."continuo"] # mine\n# a remark\n',
        ' # why\n',
        'startup_timeout_sec = 1.5 # keep\n[mcp_servers.continuo.env]\nA = "b"\n\n[tui]\na = 1\n',
      ],
    ],
    'a table by CRLF at the end without a line end': [
      'codex',
      '.codex/config.toml',
      'model = "x"\r\n[mcp_servers.continuo]\r\ncommand = "old"',
      ['model = "x"\r\n[mcp_servers.continuo]\r\n'],
    ],
    'a table that is all there is': ['codex', '.codex/config.toml', '[mcp_servers.continuo]\ncommand = "old"\n', []],
    'an object with comments': [
      'gemini',
      '.gemini/settings.json',
      '{\n  "a": 1,\n  "mcpServers": {\n    "continuo": { // mine\n      "command": "old", /* why */\n      "trust": true, // keep\n      "env": { "A": "b" }\n    }\n  }\n}\n',
      ['"continuo": { // mine\n', ', /* why */\n      "trust": true, // keep\n      "env": { "A": "b" }'],
    ],
    'an object that is all there is': [
      'cursor',
      '.cursor/mcp.json',
      '{\n  "mcpServers": {\n    "continuo": {\n      "command": "old"\n    }\n  }\n}\n',
      [],
    ],
    'no object at all': ['cursor', '.cursor/mcp.json', '{"mcpServers":{"continuo":1}}', []],
  };

  it.each(Object.entries(byHand))('give back the entry they had before: %s', async (_name, [client, file, text, kept]) => {
    const cli = new Cli();
    const path = write(join(cli.folder, file), text);
    const backup = `${path}.continuo-backup`;
    expect(await cli.json<Installed>(['mcp', 'install', client, '--yes'])).toMatchObject({ state: 'replace', backup });
    for (const each of kept) expect(readFileSync(path, 'utf8')).toContain(each);
    expect(readFileSync(backup, 'utf8')).toBe(text);
    const undo = ['mcp', 'install', client, '--undo', '--yes'];
    expect(await cli.json<Installed>(undo)).toMatchObject({ state: 'restore', backup: null });
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(existsSync(backup)).toBe(false);
    // Once more it goes itself, and is in the copy then.
    expect(await cli.json<Installed>(undo)).toMatchObject({ state: 'remove', backup });
    expect(readFileSync(path, 'utf8')).not.toContain('continuo');
    expect(readFileSync(backup, 'utf8')).toBe(text);
    expect(await cli.json<Installed>(undo)).toMatchObject({ state: 'none', backup });
  });

  it('that changed since get that entry back among the changes, and keep the copy', async () => {
    const cli = new Cli();
    for (const [client, file, text, from, to] of [
      ['codex', '.codex/config.toml', byHand['a table with comments, another spelling and a table below']?.[2], 'a = 1', 'a = 2'],
      ['gemini', '.gemini/settings.json', byHand['an object with comments']?.[2], '"a": 1', '"a": 2'],
    ] as const) {
      const path = write(join(cli.folder, file), text as string);
      await cli.json(['mcp', 'install', client, '--yes']);
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
      const { stdout, stderr } = await cli.run(['mcp', 'install', client, '--undo', '--yes']);
      expect(readFileSync(path, 'utf8')).toBe((text as string).replace(from, to));
      expect(stdout).toContain('had before is back');
      expect(stderr).toContain(`${path}.continuo-backup`);
    }
  });

  it('that no longer have a place for that entry keep it in the copy, and the person is told', async () => {
    const cli = new Cli();
    const text = '[mcp_servers.continuo]\ncommand = "old"\nenv = { A = "b" }\n';
    const path = write(join(cli.folder, '.codex/config.toml'), text);
    await cli.json(['mcp', 'install', 'codex', '--yes']);
    for (const [changed, code, left] of [
      ['[mcp_servers.continuo.env]\nA = "c"\n[tui]\n', 0, '[tui]\n'],
      ['mcp_servers.continuo.command = "c"\n', 2, 'mcp_servers.continuo.command = "c"\n'],
    ] as const) {
      writeFileSync(path, changed);
      const ended = await cli.run(['mcp', 'install', 'codex', '--undo', '--yes']);
      expect(ended.stderr).toContain(`cannot be put back, because the file has changed since. It is in ${path}.continuo-backup`);
      expect({ code: ended.code, left: readFileSync(path, 'utf8') }).toEqual({ code, left });
      expect(readFileSync(`${path}.continuo-backup`, 'utf8')).toBe(text);
    }
  });

  it('that changed since lose the table that was made for the entry, and only that', async () => {
    const cli = new Cli();
    for (const [before, after] of [
      ['{\n  "a": 1\n}\n', '{\n  "a": 2\n}\n'],
      ['{\n  "a": 1,\n  "mcpServers": {}\n}\n', '{\n  "a": 2,\n  "mcpServers": {\n  }\n}\n'],
    ] as const) {
      const path = write(join(cli.folder, '.qwen/settings.json'), before);
      await cli.json(['mcp', 'install', 'qwen', '--yes']);
      writeFileSync(path, readFileSync(path, 'utf8').replace('"a": 1', '"a": 2'));
      expect(await cli.json<Installed>(['mcp', 'install', 'qwen', '--undo', '--yes'])).toMatchObject({
        state: 'remove',
        backup: `${path}.continuo-backup`,
      });
      expect(readFileSync(path, 'utf8')).toBe(after);
    }
  });

  it('with null for the servers have none', async () => {
    const cli = new Cli();
    const path = write(join(cli.folder, '.claude.json'), '{"mcpServers": null, "a": 1}');
    expect(await cli.json<Installed>(['mcp', 'install', 'claude', '--yes'])).toMatchObject({ state: 'add' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ a: 1, mcpServers: { continuo: { type: 'stdio' } } });
    await cli.json(['mcp', 'install', 'claude', '--undo', '--yes']);
    expect(readFileSync(path, 'utf8')).toBe('{"mcpServers": null, "a": 1}');
  });

  it.each([
    ['mcp_servers = { other = { command = "x" } }\n', 1],
    ['a = 1\nmcp_servers.continuo.command = "x"\n', 2],
    ['[mcp_servers]\ncontinuo = { command = "x" }\n', 2],
  ])('that are right but not changed are told from wrong ones, with what to add: %j', async (text, line) => {
    const cli = new Cli();
    write(join(cli.folder, '.codex/config.toml'), text);
    const { code, stderr } = await cli.run(['mcp', 'install', 'codex', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain(`line ${line}: the file is right`);
    const toml = /By hand, in mcp_servers: (continuo = .*)/.exec(stderr)?.[1] as string;
    expect(parse(toml)).toMatchObject({ continuo: { command: expect.any(String), args: expect.arrayContaining(['mcp']) } });
    const said = await cli.run(['mcp', 'install', 'codex', '--yes', '--lang', 'zh']);
    expect(said.stderr).toContain('文件没有错');
  });

  it.each([
    ['claude', '.claude.json', '{ "a": 1'],
    ['claude', '.claude.json', '[]'],
    ['claude', '.claude.json', '{ "mcpServers": "none" }'],
    ['claude', '.claude.json', Buffer.from([0x7b, 0xff, 0x7d])],
    ['claude', '.claude.json', Buffer.from('\ufeff{}', 'utf16le')],
    ['codex', '.codex/config.toml', 'model = '],
    ['codex', '.codex/config.toml', 'mcp_servers = { other = { command = "x" } }\n'],
    ['codex', '.codex/config.toml', 'mcp_servers.continuo.command = "x"\n'],
  ])('that cannot be read or changed are left alone: %s %s %j', async (client, file, text) => {
    const cli = new Cli();
    const path = write(join(cli.folder, file), text);
    const before = readFileSync(path);
    expect((await cli.failure(['mcp', 'install', client, '--yes'])).error).toMatchObject({ code: 'config-invalid' });
    expect(readFileSync(path)).toEqual(before);
    expect(existsSync(`${path}.continuo-backup`)).toBe(false);
  });

  it('behind a link stay behind it, also where the file is not there yet', async () => {
    const cli = new Cli();
    const real = write(join(cli.folder, 'dotfiles/settings.json'), '{}\n');
    mkdirSync(join(cli.folder, '.gemini'));
    symlinkSync(real, join(cli.folder, '.gemini/settings.json'));
    mkdirSync(join(cli.folder, '.qwen'));
    symlinkSync('../dotfiles/qwen.json', join(cli.folder, '.qwen/settings.json'));
    for (const [client, link, target] of [
      ['gemini', '.gemini/settings.json', real],
      ['qwen', '.qwen/settings.json', join(cli.folder, 'dotfiles/qwen.json')],
    ] as const) {
      await cli.json(['mcp', 'install', client, '--yes']);
      expect(lstatSync(join(cli.folder, link)).isSymbolicLink()).toBe(true);
      expect(readFileSync(target, 'utf8')).toContain('continuo');
    }
  });
});

describe('where the settings are', () => {
  it.each([
    ['claude', 'CLAUDE_CONFIG_DIR', '.claude.json'],
    ['codex', 'CODEX_HOME', 'config.toml'],
    ['gemini', 'GEMINI_CLI_HOME', '.gemini/settings.json'],
    ['qwen', 'QWEN_HOME', 'settings.json'],
    ['copilot', 'COPILOT_HOME', 'mcp-config.json'],
    ['continue', 'CONTINUE_GLOBAL_DIR', 'mcpServers/continuo.json'],
    ['opencode', 'XDG_CONFIG_HOME', 'opencode/opencode.json'],
    ['pi', 'PI_CODING_AGENT_DIR', 'mcp.json'],
  ])('%s says with %s', async (client, variable, file) => {
    const cli = new Cli();
    const folder = join(cli.folder, '别处');
    const { file: named } = await cli.json<Installed>(['mcp', 'install', client, '--yes'], { env: { [variable]: folder } });
    expect(named).toBe(join(folder, file));
    expect(existsSync(named)).toBe(true);
  });

  it('in a project is the project, where the agent has such', async () => {
    const cli = new Cli();
    const project = join(cli.folder, 'work');
    mkdirSync(project);
    const run = (client: string) =>
      cli.json<Installed>(['mcp', 'install', client, '--scope', 'project', '--yes'], { cwd: project });
    expect((await run('claude')).file).toBe(join(project, '.mcp.json'));
    expect(JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8')).mcpServers.continuo).toMatchObject({ type: 'stdio' });
    expect((await run('vscode')).file).toBe(join(project, '.vscode/mcp.json'));
    expect(JSON.parse(readFileSync(join(project, '.vscode/mcp.json'), 'utf8')).servers.continuo).toMatchObject({ type: 'stdio' });
    expect(await cli.failure(['mcp', 'install', 'codex', '--scope', 'project', '--yes'])).toMatchObject({ code: 2 });
  });
});

describe('without a yes', () => {
  it('nothing is done where nobody can be asked, and --print shows it', async () => {
    const cli = new Cli();
    expect(await cli.failure(['mcp', 'install', 'claude'])).toMatchObject({ code: 4, error: { code: 'not-confirmed' } });
    const shown = await cli.run(['mcp', 'install', 'codex', '--print']);
    expect(shown.stdout).toMatch(/^\[mcp_servers\.continuo\]\ncommand = ".*"\nargs = \[.*"mcp",.*\]\n$/);
    expect(shown.stderr).toContain(join(cli.folder, '.codex/config.toml'));
    expect(await cli.json(['mcp', 'install', 'claude', '--print'])).toMatchObject({ client: 'claude', entry: { type: 'stdio' } });
    for (const file of ['.claude.json', '.codex']) expect(existsSync(join(cli.folder, file))).toBe(false);
    expect(await cli.failure(['mcp', 'install', 'emacs'])).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect(await cli.failure(['mcp', 'install'])).toMatchObject({ code: 2 });
  });

  it('--print shows what --undo would do', async () => {
    const cli = new Cli();
    const path = write(join(cli.folder, '.qwen/settings.json'), '{ "a": 1 }\n');
    const shown = ['mcp', 'install', 'qwen', '--print', '--undo'];
    expect((await cli.run(shown)).stdout).toContain('no entry "continuo"');
    await cli.json(['mcp', 'install', 'qwen', '--yes']);
    const installed = readFileSync(path, 'utf8');
    expect((await cli.run(shown)).stdout).toContain(`again what it was before (${path}.continuo-backup)`);
    expect(await cli.json(shown)).toEqual({ client: 'qwen', file: path, state: 'remove', text: '{ "a": 1 }\n' });
    expect(readFileSync(path, 'utf8')).toBe(installed);
  });

  it('a key file that is not there is told about, and nothing written', async () => {
    const cli = new Cli();
    const missing = join(cli.folder, 'nope/key');
    for (const options of [{}, { env: { CONTINUO_KEY_FILE: missing } }]) {
      const flag = 'env' in options ? [] : ['--key-file', missing];
      const { code, stderr } = await cli.run(['mcp', 'install', 'claude', '--yes', ...flag], options);
      expect({ code, isNamed: stderr.includes(missing) }).toEqual({ code: 2, isNamed: true });
    }
    expect(existsSync(join(cli.folder, '.claude.json'))).toBe(false);
    expect((await cli.run(['mcp', 'install', 'claude', '--undo', '--key-file', missing])).code).toBe(0);
  });

  it.runIf(needs(hasTmux, 'tmux'))('a person is asked, and no is an answer', async () => {
    const cli = new Cli();
    const path = join(cli.folder, '.claude.json');
    using screen = await TerminalScreen.open(cli, ['mcp', 'install', 'claude']);
    await screen.shows('"mcpServers"');
    await screen.shows('[y/N]');
    screen.say('n');
    await screen.shows('Nothing was done');
    expect(existsSync(path)).toBe(false);
  });
});

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const character of long) if (character === short[at]) at += 1;
  return at === short.length;
}

describe('settings that are closed to writing', () => {
  const install = ['mcp', 'install', 'cursor', '--yes', '--json'];
  const errorOf = ({ stderr }: { stderr: string }) => (JSON.parse(stderr) as { error: unknown }).error;
  const furnish = () => {
    const cli = new Cli();
    const file = write(join(cli.folder, '.cursor/mcp.json'), '{ "mcpServers": {} }\n');
    return { cli, file, folder: dirname(file) };
  };

  it.skipIf(!canBeHeld)('by the mode of the file alone are written after the question, and keep the mode', async () => {
    const { cli, file } = furnish();
    chmodSync(file, 0o400);
    expect(await runHeld(cli, install)).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain('"continuo"');
    expect(statSync(file).mode & 0o777).toBe(0o400);
    expect(await runHeld(cli, [...install, '--undo'])).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('{ "mcpServers": {} }\n');
    expect(statSync(file).mode & 0o777).toBe(0o400);
  });

  it.skipIf(!canBeHeld)('by their folder stay as they are, with nothing beside them', async () => {
    const { cli, file, folder } = furnish();
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    const ended = await runHeld(cli, install);
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ code: 'permission-denied' });
    expect(readdirSync(folder)).toEqual(['mcp.json']);
    expect(readFileSync(file, 'utf8')).toBe('{ "mcpServers": {} }\n');
  });

  it.skipIf(!canBeHeld)('and to reading are left alone', async () => {
    const { cli, file, folder } = furnish();
    chmodSync(file, 0);
    const ended = await runHeld(cli, install);
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ code: 'permission-denied' });
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  it('because a folder is in their place are told about, whoever asks', async () => {
    const cli = new Cli();
    const place = join(cli.folder, '.cursor/mcp.json');
    mkdirSync(place, { recursive: true });
    expect(await cli.failure(['mcp', 'install', 'cursor', '--yes'])).toMatchObject({ code: 5, error: { code: 'io-failed' } });
    expect(readdirSync(dirname(place))).toEqual(['mcp.json']);
  });
});
