// The base class of everything that can be saved and restored, row by row of its specification, over real files.
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { ContinuoError } from '../../src/model/error.ts';
import type { SavedSession } from '../../src/snapshot/snapshot.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { listed, SmallAgent, type SmallAgentOptions, talk } from './session-restorable-agent.ts';

const fixture = (name: string) => fileURLToPath(new URL(`saved-sessions/${name}`, import.meta.url));
const start = Date.parse('2026-03-01T10:00:00.000Z');

function setUp(options: Partial<SmallAgentOptions> = {}) {
  const directory = options.directory ?? createTemporaryFolder('restorable');
  const folder = join(directory, '.continuo');
  let now = start;
  const create = (more: Partial<SmallAgentOptions> = {}) => new SmallAgent({ clock: () => now, ...options, ...more, directory });
  const readFile = (path: string | undefined) => JSON.parse(readFileSync(path as string, 'utf8'));
  return { directory, folder, create, readFile, files: () => readdirSync(folder).sort(), pass: (ms: number) => (now += ms) };
}

describe('saving (保存会话)', () => {
  it('1-7 writes the envelope around the state to .continuo, marks it saved and says where (统一实现)', async () => {
    const { directory, folder, create, readFile, files } = setUp();
    const agent = create();
    agent.messages = talk(2);
    expect(agent.isSaved).toBe(false);
    expect(await agent.saveSession()).toBe(true);
    const name = 'saved_session_small_agent_openai_gpt-4o_20260301T100000000Z.json';
    const path = join(folder, name);
    expect(files()).toEqual(['.gitignore', name]);
    expect(readFile(path)).toEqual({
      version: '1.0',
      saved_at: '2026-03-01T10:00:00.000Z',
      file_prefix: 'small_agent',
      id: expect.stringMatching(/^ses_/),
      summary: { messages: 2, task: 'Find the bug in parser.ts, part 0: 修好它。' },
      state: agent.state,
    });
    expect(agent.isSaved).toBe(true);
    expect(agent.sessionFile).toBe(path);
    const { size } = statSync(path);
    expect(agent.notices).toEqual([
      {
        level: 'info',
        code: 'session-saved',
        details: { path, messages: 2, bytes: size, masked: 0 },
        text: `The session is saved in ${path} (2 messages).`,
      },
    ]);
    expect(directory).not.toBe('');
  });

  it('keeps one file for one object, with the time of the first save, and replaces it', async () => {
    const { create, readFile, files, pass } = setUp();
    const agent = create();
    await agent.saveSession();
    const path = agent.sessionFile;
    pass(60_000);
    agent.messages = talk(3);
    agent.markChanged();
    expect(agent.isSaved).toBe(false);
    expect(await agent.saveSession()).toBe(true);
    expect([agent.isSaved, agent.sessionFile, files().length]).toEqual([true, path, 2]);
    expect(readFile(path)).toMatchObject({ saved_at: '2026-03-01T10:01:00.000Z', state: { messages: talk(3) } });
  });

  it('takes the state as it is at the moment of the call', async () => {
    const { create, readFile } = setUp();
    for (const count of [10, 2000]) {
      const agent = create();
      agent.messages = talk(count);
      const saving = agent.saveSession();
      agent.messages.push({ role: 'user', content: 'later' });
      agent.toolGroup = 'later';
      await saving;
      expect(readFile(agent.sessionFile).state).toEqual({ ...agent.state, tool_group: 'default', messages: talk(count) });
      expect(agent.isSaved).toBe(true);
    }
  });

  it('gives the file mode 600 and its folder 700 (文件权限)', async () => {
    const { folder, create } = setUp();
    const agent = create();
    await agent.saveSession();
    expect(lstatSync(agent.sessionFile as string).mode & 0o777).toBe(0o600);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('leaves a folder that was there without a .gitignore of ours, and takes the rights of others away', async () => {
    const { folder, create, files } = setUp();
    mkdirSync(folder, { mode: 0o755 });
    const agent = create();
    expect(await agent.saveSession()).toBe(true);
    expect(files()).toEqual([basename(agent.sessionFile as string)]);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });

  it.each([
    'anthropic/claude-3.5:thinking',
    '通义千问-最大',
    'x'.repeat(500),
    '模'.repeat(300),
    '../../../etc/passwd',
    'CON',
    '',
    'a\ud800b',
    'e\u0301',
    'sp ace\n',
  ])('makes a file name of the model %j that every system keeps', async (modelName) => {
    const { folder, create, files } = setUp();
    const agent = create({ modelName });
    expect(await agent.saveSession()).toBe(true);
    const name = basename(agent.sessionFile as string);
    expect(files()).toContain(name);
    expect(Buffer.byteLength(name)).toBeLessThan(215);
    expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}]/u);
    const other = create();
    expect(await other.restoreSession()).toBe(true);
    expect(join(folder, name)).toBe(other.sessionFile);
  });

  it('never gives two models one name, however alike they look once cleaned', async () => {
    const { create } = setUp();
    const models = [
      'a/b',
      'a%2Fb',
      'a_b',
      'a b',
      'a:b',
      'é',
      'e\u0301',
      `${'x'.repeat(200)}1`,
      `${'x'.repeat(200)}2`,
      'a\ud800',
      'a\udc00',
    ];
    const names = new Set<string | undefined>();
    for (const modelName of models) {
      const agent = create({ modelName });
      await agent.saveSession();
      names.add(agent.sessionFile);
    }
    expect(names.size).toBe(models.length);
  });

  it('numbers the files of two objects that are saved in the same millisecond', async () => {
    const { create, files } = setUp();
    const agents = [create(), create(), create()];
    expect(await Promise.all(agents.map((agent) => agent.saveSession()))).toEqual([true, true, true]);
    expect(files()).toHaveLength(4);
    expect(new Set(agents.map(({ sessionFile }) => sessionFile)).size).toBe(3);
  });

  it('masks secrets of the conversation, of tool output and of the environment, and says how many (敏感信息)', async () => {
    const { create } = setUp({ secretValues: ['correct"horse\nbattery', 'short', ''] });
    const agent = create();
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    agent.messages = [
      { role: 'user', content: `use ${token} please` },
      { role: 'tool', content: JSON.stringify({ password: 'hunter2-but-long' }), tool_call_id: 'x' },
      ...talk(600),
      { role: 'tool', content: 'PASS=correct"horse\nbattery', 'correct"horse\nbattery': ['a correct"horse\nbattery b'] },
    ];
    agent.more = { env: { API_KEY: 'sk-very-secret-value-123456' }, note: 'short' };
    expect(await agent.saveSession()).toBe(true);
    const text = readFileSync(agent.sessionFile as string, 'utf8');
    for (const secret of [token, 'hunter2', 'horse', 'very-secret']) expect(text).not.toContain(secret);
    expect(text).toContain('"note":"short"');
    expect(agent.lastNotice).toMatchObject({ code: 'session-saved-masked', details: { masked: 6 } });
    agent.messages.push({ role: 'user', content: `again ${token}` });
    expect(await agent.saveSession()).toBe(true);
    expect(readFileSync(agent.sessionFile as string, 'utf8')).not.toContain(token);
    expect(agent.lastNotice).toMatchObject({ details: { masked: 7 } });
  });

  it('goes beside a file that somebody else has changed, and tells', async () => {
    const { create, readFile, files } = setUp();
    const first = create();
    first.messages = talk(1);
    await first.saveSession();
    const second = create();
    expect(await second.restoreSession()).toBe(true);
    second.messages.push({ role: 'assistant', content: 'from the second' });
    expect(await second.saveSession()).toBe(true);
    const taken = second.sessionFile as string;
    first.messages.push({ role: 'assistant', content: 'from the first' });
    expect(await first.saveSession()).toBe(true);
    expect(first.codes).toEqual(['session-saved', 'session-saved-beside', 'session-saved']);
    expect(readFile(taken).state.messages[1].content).toBe('from the second');
    expect(readFile(first.sessionFile).state.messages[1].content).toBe('from the first');
    expect(files()).toHaveLength(3);
  });

  it('writes a file that was deleted again', async () => {
    const { folder, create } = setUp();
    const agent = create();
    await agent.saveSession();
    const path = agent.sessionFile;
    rmSync(folder, { recursive: true });
    expect(await agent.saveSession()).toBe(true);
    expect(agent.sessionFile).toBe(path);
  });
});

describe('restoring (恢复会话)', () => {
  it('1-5 reads, checks and takes over the state, and says so with the details of the file (统一实现, 文件信息)', async () => {
    const { create } = setUp();
    const agent = create();
    agent.messages = talk(4);
    agent.more = { plan: { steps: [1, 2, { deep: null }] } };
    await agent.saveSession();
    const other = create();
    expect(await other.restoreSession()).toBe(true);
    expect(other.state).toEqual(agent.state);
    expect(other.isSaved).toBe(true);
    const path = agent.sessionFile as string;
    expect(other.lastNotice).toMatchObject({
      code: 'session-restored',
      details: { path, savedAt: '2026-03-01T10:00:00.000Z', messages: 4, bytes: statSync(path).size },
    });
  });

  it('goes on with the same file and the same id (继续工作)', async () => {
    const { create, readFile, files, pass } = setUp();
    const agent = create();
    await agent.saveSession();
    const { id } = readFile(agent.sessionFile);
    const other = create();
    await other.restoreSession();
    other.messages.push(...talk(1));
    pass(5000);
    expect(await other.saveSession()).toBe(true);
    expect([other.sessionFile, readFile(other.sessionFile).id, files().length]).toEqual([agent.sessionFile, id, 2]);
  });

  it('takes the newest of several without a human (多会话管理, 非交互模式)', async () => {
    const { create, pass } = setUp();
    for (const words of ['first', 'second', 'third']) {
      const agent = create();
      agent.messages = talk(1, words);
      await agent.saveSession();
      pass(1000);
    }
    const asked: unknown[] = [];
    const other = create({ pick: async (sessions) => void asked.push(sessions) });
    expect(await other.restoreSession()).toBe(true);
    expect(other.messages).toEqual(talk(1, 'third'));
    expect(asked).toEqual([]);
  });

  it('lets the human choose among several, with time, size, messages, task and branch (多会话管理, 交互模式)', async () => {
    const { create, pass } = setUp();
    for (const [index, words] of ['first', 'second'].entries()) {
      const agent = create();
      agent.messages = talk(index + 1, words);
      agent.more = { branch: `feature/${words}` };
      await agent.saveSession();
      pass(1000);
    }
    let shown: SavedSession[] = [];
    const other = create({
      interactive: true,
      pick: async (sessions) => {
        shown = sessions;
        return sessions[1];
      },
    });
    expect(await other.restoreSession()).toBe(true);
    expect(other.messages).toEqual(talk(1, 'first'));
    expect(shown.map(({ savedAt, messages, task, branch, version }) => [savedAt, messages, task, branch, version])).toEqual([
      ['2026-03-01T10:00:01.000Z', 2, 'second, part 0: 修好它。', 'feature/second', '1.0'],
      ['2026-03-01T10:00:00.000Z', 1, 'first, part 0: 修好它。', 'feature/first', '1.0'],
    ]);
    expect(shown.map(({ bytes }) => bytes)).toEqual(shown.map(({ path }) => statSync(path).size));
    const none = create({ interactive: true, pick: async () => undefined });
    expect([await none.restoreSession(), none.codes]).toEqual([false, ['session-not-chosen']]);
    const broken = create({ interactive: true, pick: async () => Promise.reject(new Error('no terminal')) });
    expect([await broken.restoreSession(), broken.codes]).toEqual([false, ['session-restore-failed']]);
  });

  it('takes exactly the one that is named: by path, by name or by id', async () => {
    const { directory, create, readFile, pass } = setUp();
    const agent = create();
    agent.messages = talk(1, 'wanted');
    await agent.saveSession();
    const path = agent.sessionFile as string;
    pass(1000);
    await create().saveSession();
    const sources = [path, `.continuo/${basename(path)}`, basename(path), readFile(path).id];
    for (const source of sources) {
      const other = create();
      expect([source, await other.restoreSession(source)]).toEqual([source, true]);
      expect(other.messages).toEqual(agent.messages);
    }
    for (const source of [basename(path).slice(0, -6), 'ses_0', 'nothing.json', '/nowhere/x.json', '']) {
      const other = create();
      expect([source, await other.restoreSession(source)]).toEqual([source, false]);
      expect(other.lastNotice).toMatchObject({ level: 'error' });
    }
    expect(directory).not.toBe('');
  });

  it('restores a file that was moved to another directory, and saves where it is now (目录间迁移)', async () => {
    const [from, to] = [setUp(), setUp()];
    const agent = from.create();
    agent.messages = talk(3);
    await agent.saveSession();
    const path = agent.sessionFile as string;
    const direct = to.create();
    expect(await direct.restoreSession(path)).toBe(true);
    direct.messages.push(...talk(1));
    expect(await direct.saveSession()).toBe(true);
    expect(direct.sessionFile?.startsWith(to.folder)).toBe(true);
    expect(from.readFile(path).state.messages).toEqual(talk(3));
    rmSync(to.folder, { recursive: true });
    mkdirSync(to.folder);
    copyFileSync(path, join(to.folder, basename(path)));
    const moved = to.create();
    expect([await moved.restoreSession(), moved.messages]).toEqual([true, talk(3)]);
  });

  it('leaves the object as it was where the state cannot be taken over, and says why', async () => {
    const { create } = setUp();
    const agent = create();
    agent.messages = talk(2);
    await agent.saveSession();
    const other = create();
    other.messages = talk(1, 'mine');
    const before = structuredClone(other.state);
    let calls = 0;
    other.takeOver = async (state) => {
      other.messages.length = 0;
      if (calls++ === 0) throw new ContinuoError('unsafe-path', { path: '/gone', reason: 'it is not a folder' });
      other.assign(state);
    };
    expect(await other.restoreSession()).toBe(false);
    expect(other.state).toEqual(before);
    expect(other.lastNotice).toMatchObject({ code: 'unsafe-path', details: { path: '/gone' } });
    other.takeOver = () => {
      throw new Error('broken for good.');
    };
    expect(await other.restoreSession()).toBe(false);
    expect(other.lastNotice).toMatchObject({ code: 'session-half-restored', details: { reason: 'broken for good' } });
  });

  it('refuses to save what is half restored', async () => {
    const { create, readFile } = setUp();
    const agent = create();
    agent.messages = talk(2);
    await agent.saveSession();
    const other = create();
    let inside: boolean | undefined;
    other.takeOver = async (state) => {
      inside = await other.saveSession();
      other.assign(state);
    };
    expect([await other.restoreSession(), inside]).toEqual([true, false]);
    expect(readFile(agent.sessionFile).state).toEqual(agent.state);
  });

  it('restores for several callers at once', async () => {
    const { create } = setUp();
    const agent = create();
    agent.messages = talk(700);
    await agent.saveSession();
    const other = create();
    expect(await Promise.all([other.restoreSession(), other.restoreSession(), other.saveSession()])).toEqual([true, true, true]);
  });
});

describe('edges (边界条件, 边界情况验收)', () => {
  it('空会话: an empty list of messages is saved and restored', async () => {
    const { create } = setUp();
    await create().saveSession();
    const other = create();
    other.messages = talk(1);
    expect([await other.restoreSession(), other.messages]).toEqual([true, []]);
  });

  it('无 start_commit: null stays null', async () => {
    const { create, readFile } = setUp();
    const agent = create();
    await agent.saveSession();
    expect(readFile(agent.sessionFile).state.start_commit).toBeNull();
    const other = create();
    other.startCommit = 'abc';
    expect([await other.restoreSession(), other.startCommit]).toEqual([true, null]);
  });

  it('版本升级, 向后兼容: a file of before the envelope, {messages, model_name}, is brought up and saved as 1.0', async () => {
    const { folder, create, readFile } = setUp();
    mkdirSync(folder);
    const path = join(folder, 'saved_session_small_agent_openai_deepseek-chat_20240101.json');
    copyFileSync(fixture('v0.json'), path);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const agent = create();
    const old = JSON.parse(readFileSync(fixture('v0.json'), 'utf8'));
    expect((await agent.listSessions()).map(listed)).toEqual([
      {
        path,
        messages: 3,
        task: '修复 parser.ts 里的最后一个记号丢失的问题',
        branch: undefined,
        version: '0.0',
        isLegacy: false,
        problem: undefined,
      },
    ]);
    expect(await agent.restoreSession()).toBe(true);
    expect(agent.codes).toEqual(['session-upgraded', 'session-restored']);
    expect(agent.state).toEqual({
      agent_type: 'small_agent',
      tool_group: 'default',
      model_name: 'deepseek-chat',
      start_commit: null,
      messages: old.messages,
    });
    expect(agent.lastNotice?.details.savedAt).toBe('2023-11-14T22:13:20.000Z');
    expect(await agent.saveSession()).toBe(true);
    expect(readFile(path)).toMatchObject({ version: '1.0', file_prefix: 'small_agent', state: { messages: old.messages } });
  });

  it('版本兼容: a file of version 1.0, as the specification shows it, is restored', async () => {
    const { folder, create } = setUp();
    mkdirSync(folder);
    copyFileSync(fixture('v1.0.json'), join(folder, 'saved_session_x.json'));
    const agent = create();
    expect(await agent.restoreSession()).toBe(true);
    expect(agent.codes).toEqual(['session-restored']);
    expect(agent.startCommit).toBe('abc123def456');
  });

  it('the place of an older program, .jarvis, is listed and read but never written', async () => {
    const { directory, create, files } = setUp();
    const legacy = join(directory, '.jarvis');
    mkdirSync(legacy);
    copyFileSync(fixture('v0.json'), join(legacy, 'saved_session_a_b_c_1.json'));
    const before = readFileSync(join(legacy, 'saved_session_a_b_c_1.json'), 'utf8');
    const agent = create();
    expect((await agent.listSessions()).map(({ isLegacy }) => isLegacy)).toEqual([true]);
    expect([await agent.restoreSession(), agent.messages.length]).toEqual([true, 3]);
    agent.messages.push(...talk(1));
    expect(await agent.saveSession()).toBe(true);
    expect(readdirSync(legacy)).toEqual(['saved_session_a_b_c_1.json']);
    expect(readFileSync(join(legacy, 'saved_session_a_b_c_1.json'), 'utf8')).toBe(before);
    expect(files()).toHaveLength(2);
  });

  it('fields of the envelope that this version does not know are passed over (扩展性)', async () => {
    const { create, readFile } = setUp();
    const agent = create();
    agent.messages = talk(1);
    await agent.saveSession();
    const path = agent.sessionFile as string;
    writeFileSync(path, JSON.stringify({ later: { a: 1 }, ...readFile(path) }));
    const other = create();
    expect([await other.restoreSession(), other.messages]).toEqual([true, talk(1)]);
  });
});

describe('faults while saving (保存时的异常)', () => {
  class Thing {
    field = 1;
  }
  const cycle: Record<string, unknown> = {};
  cycle.self = { cycle };
  const odd: [string, unknown, string, string][] = [
    ['a cycle', cycle, 'more', 'it is nested deeper than 500 levels, or contains itself'],
    ['a BigInt', 10n, 'more.odd', 'bigint is not a JSON value'],
    ['a function', () => 1, 'more.odd', 'function is not a JSON value'],
    ['undefined in a list', [1, undefined], 'more.odd[1]', 'undefined is not a JSON value'],
    ['NaN', { a: [Number.NaN] }, 'more.odd.a[0]', 'NaN is not a JSON number'],
    ['a Map', { 'a b': new Map() }, 'more.odd["a b"]', 'an instance of Map is not a JSON value'],
    ['an instance', new Thing(), 'more.odd', 'an instance of Thing is not a JSON value'],
    ['a key __proto__', JSON.parse('{"__proto__":1}'), 'more.odd', 'it has a key "__proto__"'],
    [
      'a toJSON that throws',
      {
        toJSON() {
          throw new Error('not today');
        },
      },
      '',
      'not today',
    ],
  ];

  it.each(odd)('序列化错误: %s is refused with its place, and the file before is intact', async (_name, value, place, reason) => {
    const { create, files } = setUp();
    const agent = create();
    agent.messages = talk(2);
    expect(await agent.saveSession()).toBe(true);
    const before = readFileSync(agent.sessionFile as string, 'utf8');
    const names = files();
    agent.more = { more: { odd: value } };
    expect(await agent.saveSession()).toBe(false);
    expect(agent.isSaved).toBe(false);
    expect(agent.lastNotice).toMatchObject({ level: 'error', code: 'session-state-unfit', details: { reason } });
    expect(String(agent.lastNotice?.details.place).startsWith(place)).toBe(true);
    for (const count of [3, 900]) {
      agent.more = {};
      agent.messages = [...talk(count), { role: 'user', content: value as never }];
      expect(await agent.saveSession()).toBe(false);
      expect(agent.lastNotice).toMatchObject({ code: 'session-state-unfit', details: { reason } });
      expect(String(agent.lastNotice?.details.place).startsWith(`messages[${count}]`)).toBe(true);
    }
    expect(readFileSync(agent.sessionFile as string, 'utf8')).toBe(before);
    expect(files()).toEqual(names);
    agent.messages = talk(3);
    expect([await agent.saveSession(), agent.isSaved]).toEqual([true, true]);
  });

  it('序列化错误: what knows how to become JSON, and a property that is undefined, are no faults', async () => {
    const { create, readFile } = setUp();
    const agent = create();
    agent.more = { when: new Date(start), gone: undefined };
    agent.messages = [...talk(600), { role: 'user', content: 'x', when: new Date(start) as never, gone: undefined as never }];
    expect(await agent.saveSession()).toBe(true);
    const { state } = readFile(agent.sessionFile);
    expect(state.when).toBe('2026-03-01T10:00:00.000Z');
    expect(state.messages.at(-1)).toEqual({ role: 'user', content: 'x', when: '2026-03-01T10:00:00.000Z' });
  });

  it('a state that cannot be collected, or that is none, is false and a message', async () => {
    const { create } = setUp();
    const agent = create();
    Object.defineProperty(agent, 'getSessionState', {
      configurable: true,
      value: () => {
        throw new Error('the tools are gone.');
      },
    });
    expect(await agent.saveSession()).toBe(false);
    expect(agent.lastNotice).toMatchObject({ code: 'session-state-failed', details: { reason: 'the tools are gone' } });
    for (const state of [null, 'text', [1], { messages: {} }]) {
      Object.defineProperty(agent, 'getSessionState', { configurable: true, value: () => state });
      expect(await agent.saveSession()).toBe(false);
      expect(agent.lastNotice).toMatchObject({ code: 'session-state-unfit' });
    }
  });

  it('a listener that throws changes nothing', async () => {
    const { create } = setUp();
    const agent = create({
      report: () => {
        throw new Error('no');
      },
      progress: () => {
        throw new Error('no');
      },
    });
    agent.messages = talk(600);
    expect([await agent.saveSession(), await agent.restoreSession()]).toEqual([true, true]);
  });
});

describe('faults while restoring (恢复时的异常)', () => {
  it('文件不存在: nothing saved yet is false and a message', async () => {
    const { directory, create } = setUp();
    const agent = create();
    expect(await agent.restoreSession()).toBe(false);
    expect(agent.lastNotice).toMatchObject({ level: 'error', code: 'no-saved-session', details: { path: directory } });
    expect(await agent.restoreSession('saved_session_x.json')).toBe(false);
    expect(agent.lastNotice).toMatchObject({ code: 'saved-session-not-found', details: { id: 'saved_session_x.json' } });
  });

  it('文件损坏: a damaged file is told; with others beside it the newest whole one is taken, and the damage is told all the same', async () => {
    const { folder, create } = setUp();
    mkdirSync(folder);
    const broken = join(folder, 'saved_session_broken.json');
    writeFileSync(broken, '{"version":"1.0","saved_at"');
    const agent = create();
    expect([await agent.restoreSession(), agent.codes]).toEqual([false, ['session-damaged']]);
    const whole = create();
    whole.messages = talk(2);
    await whole.saveSession();
    const other = create();
    expect([await other.restoreSession(), other.codes]).toEqual([true, ['session-damaged', 'session-restored']]);
    expect(other.notices.map(({ level }) => level)).toEqual(['warning', 'info']);
    expect(readFileSync(broken, 'utf8')).toBe('{"version":"1.0","saved_at"');
  });

  it('文件损坏: what only turns out to be damaged, or too large, when it is read is passed over and told as well', async () => {
    const { folder, create } = setUp();
    const whole = create();
    whole.messages = talk(2);
    await whole.saveSession();
    const text = readFileSync(whole.sessionFile as string, 'utf8');
    const soon = new Date(Date.parse(JSON.parse(text).saved_at) + 60_000);
    // The first line and the end are as they should be.
    const damaged = join(folder, 'saved_session_damaged.json');
    writeFileSync(damaged, text.replace(JSON.parse(text).saved_at, soon.toISOString()).replace('"role"', '"role'));
    const large = join(folder, 'saved_session_large.json');
    writeFileSync(large, '{');
    truncateSync(large, 300 * 1024 * 1024);
    utimesSync(large, soon, soon);
    const other = create();
    expect([await other.restoreSession(), other.messages]).toEqual([true, talk(2)]);
    expect(other.notices.map(({ level, code, details }) => [level, code, details.path]).sort()).toEqual([
      ['info', 'session-restored', whole.sessionFile],
      ['warning', 'session-damaged', damaged],
      ['warning', 'session-damaged', large],
    ]);
  });

  it.each(['1.1', '2.0', '10', '1.0.0'])('版本不兼容: version %s', async (version) => {
    const { create, readFile } = setUp();
    const agent = create();
    await agent.saveSession();
    const path = agent.sessionFile as string;
    const text = JSON.stringify({ ...readFile(path), version });
    writeFileSync(path, text);
    const other = create();
    const isKnown = version === '1.0.0';
    expect(await other.restoreSession()).toBe(isKnown);
    if (isKnown) return;
    expect(other.lastNotice).toMatchObject({ code: 'session-newer', details: { path, found: version, known: '1.0' } });
    expect(other.lastNotice?.text).toMatch(/Upgrade/);
    expect((await other.listSessions()).map(listed)).toMatchObject([{ path, version: undefined, problem: 'session-newer' }]);
    // The object that wrote it before does not write over it either.
    expect(await agent.saveSession()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it.each(['tool_group', 'model_name', 'start_commit', 'messages'])('字段缺失: %s', async (field) => {
    const { create, readFile } = setUp();
    const agent = create();
    await agent.saveSession();
    const path = agent.sessionFile as string;
    const document = readFile(path);
    delete document.state[field];
    writeFileSync(path, JSON.stringify(document));
    const other = create();
    other.messages = talk(1, 'mine');
    expect(await other.restoreSession()).toBe(false);
    expect(other.lastNotice).toMatchObject({ code: 'session-damaged', details: { path, reason: `"${field}" is missing` } });
    expect(other.messages).toEqual(talk(1, 'mine'));
  });

  it.each(['saved_at', 'file_prefix', 'state'])('字段缺失: %s of the envelope', async (field) => {
    const { create, readFile } = setUp();
    const agent = create();
    await agent.saveSession();
    const path = agent.sessionFile as string;
    const { [field]: _gone, ...rest } = readFile(path);
    writeFileSync(path, JSON.stringify(rest));
    const other = create();
    expect([await other.restoreSession(), other.codes]).toEqual([false, ['session-damaged']]);
  });

  it('a file of another kind is neither listed nor restored', async () => {
    const { folder, create } = setUp();
    mkdirSync(folder);
    const path = join(folder, 'saved_session_other.json');
    writeFileSync(path, JSON.stringify({ version: '1.0', saved_at: '2026-01-01', file_prefix: 'other', state: {} }));
    const agent = create();
    expect(await agent.listSessions()).toEqual([]);
    expect([await agent.restoreSession(), agent.lastNotice?.code]).toEqual([false, 'no-saved-session']);
    expect(await agent.restoreSession(path)).toBe(false);
    expect(agent.lastNotice).toMatchObject({
      code: 'saved-session-of-another-kind',
      details: { path, found: 'other', wanted: 'small_agent' },
    });
  });
});

describe('long sessions (性能验收, 进度显示)', () => {
  it('进度显示: more than 500 messages tell how far they are, while others have their turn; 500 do not', async () => {
    for (const [count, isLong] of [
      [500, false],
      [501, true],
      [30_000, true],
    ] as const) {
      const told: [number, number][] = [];
      const { create } = setUp({ progress: (done, total) => void told.push([done, total]) });
      const agent = create();
      agent.messages = talk(count);
      let turns = 0;
      const timer = setInterval(() => (turns += 1), 1);
      expect(await agent.saveSession()).toBe(true);
      const saved = told.splice(0);
      const other = create();
      expect([await other.restoreSession(), other.messages.length]).toEqual([true, count]);
      clearInterval(timer);
      for (const calls of [saved, told]) {
        expect(calls.length > 0).toBe(isLong);
        expect(calls.every(([done, total]) => total === count && done <= total)).toBe(true);
        if (isLong) expect(calls.at(-1)).toEqual([count, count]);
      }
      if (count > 10_000) expect(turns).toBeGreaterThan(3);
    }
  });

  it('保存性能, 恢复性能: 1000 messages are far from two and three seconds', async () => {
    const { create } = setUp();
    const agent = create();
    agent.messages = talk(1000, 'x'.repeat(400));
    const began = performance.now();
    expect(await agent.saveSession()).toBe(true);
    const saved = performance.now();
    expect(await create().restoreSession()).toBe(true);
    expect(saved - began).toBeLessThan(2000);
    expect(performance.now() - saved).toBeLessThan(3000);
  });

  it('压力测试: many sessions are saved and restored at the same time, each whole', async () => {
    const { create, files } = setUp();
    const agents = Array.from({ length: 20 }, (_, index) => {
      const agent = create();
      agent.messages = talk(index * 40, `session ${index}`);
      return agent;
    });
    const saved = await Promise.all(agents.flatMap((agent) => [agent.saveSession(), agent.saveSession()]));
    expect(saved).toEqual(Array(40).fill(true));
    expect(files()).toHaveLength(21);
    const restored = await Promise.all(
      agents.map(async ({ sessionFile }) => {
        const other = create();
        await other.restoreSession(sessionFile);
        return other.state;
      }),
    );
    expect(restored).toEqual(agents.map(({ state }) => state));
  });

  it('lists large sessions by their first line', async () => {
    const { create, folder } = setUp();
    const agent = create();
    agent.messages = talk(20_000);
    await agent.saveSession();
    const path = agent.sessionFile as string;
    const text = readFileSync(path, 'utf8');
    // What is behind the first line is not looked at.
    writeFileSync(path, `${text.slice(0, text.indexOf('\n'))}\n${'x'.repeat(1000)}}}\n`);
    expect((await agent.listSessions()).map(listed)).toMatchObject([{ messages: 20_000, problem: undefined }]);
    writeFileSync(join(folder, 'saved_session_cut.json'), text.slice(0, 5000));
    expect((await agent.listSessions()).map(({ problem }) => problem?.details.reason)).toContain('its end is missing');
  });
});

describe('a subclass', () => {
  it('is refused without an absolute working directory', () => {
    expect(() => new SmallAgent({ directory: 'here' })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  it('may say where its file goes, and what lists show', async () => {
    class Placed extends SmallAgent {
      protected override getSessionFilePath(): string {
        return '.continuo/saved_session_mine.json';
      }

      protected override describeSession(state: JsonObject) {
        return { task: `group ${state.tool_group}` };
      }
    }
    const directory = createTemporaryFolder('placed');
    const agent = new Placed({ directory });
    expect(await agent.saveSession()).toBe(true);
    expect(agent.sessionFile).toBe(join(directory, '.continuo/saved_session_mine.json'));
    expect((await agent.listSessions()).map(({ task }) => task)).toEqual(['group default']);
    // Another object does not write over it.
    const second = new Placed({ directory });
    expect(await second.saveSession()).toBe(true);
    expect(second.sessionFile).toBe(join(directory, '.continuo/saved_session_mine-2.json'));
  });
});
