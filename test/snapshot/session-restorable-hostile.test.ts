// Files that nobody should have made: a restore of any of them is false with a message, or true with the state, and never a fall, a
// wait or a state in between. None of them is ever replaced.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { createQuickFolder, createTemporaryFolder } from '../support/temporary-folder.ts';
import { SmallAgent, talk } from './session-restorable-agent.ts';

const name = 'saved_session_small_agent_x.json';

function setUp() {
  const directory = createTemporaryFolder('hostile');
  const folder = join(directory, '.continuo');
  mkdirSync(folder);
  return { directory, folder, path: join(folder, name), create: () => new SmallAgent({ directory }) };
}

const envelope = { version: '1.0', saved_at: '2026-01-01T00:00:00Z', file_prefix: 'small_agent' };
const state = { agent_type: 'small_agent', tool_group: 'default', model_name: 'm', start_commit: null, messages: [] };
const document = (more: object) => JSON.stringify({ ...envelope, state: { ...state, ...more } });
const head = JSON.stringify(envelope).slice(0, -1);
const lines = (messages: string) =>
  `${head},"summary":{"messages":1},\n"state":${JSON.stringify(state).replace('[]', messages)}}\n`;

const cases: [string, string | Uint8Array, string, string?][] = [
  ['empty', '', 'session-damaged', 'it is empty'],
  ['blank', ' \n\t ', 'session-damaged', 'it is empty'],
  ['a list', '[]', 'session-damaged', 'it is not a JSON object'],
  ['null', 'null', 'session-damaged', 'it is not a JSON object'],
  ['text', '"x"', 'session-damaged', 'it is not a JSON object'],
  ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'session-damaged', 'it is not text'],
  ['not UTF-8 in a slice', Buffer.from(lines('[\n{"content":"\xff"}\n]'), 'latin1'), 'session-damaged', 'it is not text'],
  ['UTF-16', Buffer.from(`\ufeff${document({})}`, 'utf16le'), 'session-damaged', 'it is not text'],
  ['zeros', Buffer.alloc(1000), 'session-damaged', 'it is not JSON'],
  ['no state and no messages', JSON.stringify({ hello: 1 }), 'session-damaged', 'it has no messages'],
  ['a state that is a list', JSON.stringify({ ...envelope, state: [] }), 'session-damaged', '"state" is not an object'],
  ['messages that are text', document({ messages: 'x' }), 'session-damaged', '"state.messages" is not a list'],
  ['a field of a wrong type', document({ tool_group: 3 }), 'session-damaged', '"tool_group" is not text'],
  ['a version that is a number', JSON.stringify({ ...envelope, version: 1 }), 'session-damaged'],
  ['a version that is none', JSON.stringify({ ...envelope, version: 'new' }), 'session-damaged'],
  ['a moment that is none', JSON.stringify({ ...envelope, saved_at: 'soon', state }), 'session-damaged'],
  ['__proto__', document({}).replace('{', '{"__proto__":{"a":1},'), 'session-damaged', 'it has a key "__proto__"'],
  ['__proto__ in a slice', lines('[\n{"__proto__":{"a":1}}\n]'), 'session-damaged', 'it has a key "__proto__"'],
  ['__proto__ in escapes', lines('[\n{"\\u005f_proto__":{"a":1}}\n]'), 'session-damaged', 'it has a key "__proto__"'],
  ['a break inside of a text', lines('["a\n]b"]'), 'session-damaged', 'it is not JSON'],
  ['a slice without its comma', lines('[\n{}\n{}\n]'), 'session-damaged', 'it is not JSON'],
  ['an empty slice', lines('[\n{},\n\n]'), 'session-damaged', 'it is not JSON'],
  ['100,000 levels', document({}).replace('[]', '['.repeat(100_000) + ']'.repeat(100_000)), 'session-damaged'],
  ['100,000 levels in a slice', lines(`[\n${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n]`), 'session-damaged'],
];

describe('a hostile file (文件损坏)', () => {
  it.each(cases)('%s', async (_name, content, code, reason) => {
    const { path, folder, create } = setUp();
    writeFileSync(path, content);
    const agent = create();
    agent.messages = talk(1, 'mine');
    const before = structuredClone(agent.state);
    expect(await agent.restoreSession()).toBe(false);
    expect(agent.lastNotice).toMatchObject({ level: 'error', code, details: reason === undefined ? { path } : { path, reason } });
    expect(await agent.restoreSession(path)).toBe(false);
    expect(agent.state).toEqual(before);
    expect(await agent.listSessions()).toHaveLength(1);
    expect(await agent.saveSession()).toBe(true);
    expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
    expect(readdirSync(folder)).toHaveLength(2);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  it('cut off at any byte is damaged, for a restore and for a list', { timeout: 60_000 }, async () => {
    const { path, create } = setUp();
    const agent = create();
    agent.messages = talk(2, 'a');
    await agent.saveSession();
    const whole = readFileSync(agent.sessionFile as string);
    const reader = new SmallAgent({ directory: setUp().directory });
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      const isWhole = length === whole.length - 1;
      expect([length, await reader.restoreSession(path)]).toEqual([length, isWhole]);
      if (!isWhole) expect(reader.lastNotice?.code).toBe('session-damaged');
    }
    expect(whole.length).toBeGreaterThan(300);
  });

  it('is read in slices as it would be at once, whatever was done to it', { timeout: 60_000 }, async () => {
    const directory = createQuickFolder('altered');
    const path = join(directory, 'x.json');
    const odd = [
      lines('[\n{}],"x":[{}\n]'),
      lines('[\n{"a":[\n]},\n{}\n]'),
      lines('[\n]'),
      lines('[\n\n]'),
      lines('[\n{},\n\n]'),
    ];
    const long = new SmallAgent({ directory });
    long.messages = [...talk(3), { role: 'tool', content: [{ type: 'text', text: '[\n],\n"messages":[\n' }] }, ...talk(300)];
    await long.saveSession();
    const whole = readFileSync(long.sessionFile as string, 'utf8');
    const random = createSeededRandom(7);
    const pieces = ['\n', ',', ']', '[', '{', '}', '"', '\n]', '"messages":[\n', '\\', ':', '1', '\u0000'];
    const altered = Array.from({ length: 600 }, () => {
      // Where lines begin and end is where it matters.
      const breaks = [...whole.matchAll(/\n/g)].map(({ index }) => index);
      const at = random.chance(0.7) ? random.pick(breaks) + random.between(-2, 3) : random.between(0, whole.length);
      return whole.slice(0, at) + (random.chance(0.7) ? random.pick(pieces) : '') + whole.slice(at + random.between(0, 3));
    });
    let restored = 0;
    for (const text of [whole, ...odd, ...altered]) {
      writeFileSync(path, text);
      const agent = new SmallAgent({ directory });
      const isRestored = await agent.restoreSession(path);
      if (!isRestored) expect(agent.lastNotice?.level).toBe('error');
      const parsed = parseOrNothing(text);
      if (isRestored) expect(agent.state).toEqual(parsed?.state);
      // What differs in its messages only is restored.
      else expect(parsed !== undefined && withoutMessages(parsed) === withoutMessages(JSON.parse(whole))).toBe(false);
      if (isRestored) restored += 1;
    }
    expect(restored).toBeGreaterThan(10);
  });

  it('with a byte order mark is read', async () => {
    for (const content of [document({ messages: talk(2) }), lines(`[\n${JSON.stringify(talk(2)).slice(1, -1)}\n]`)]) {
      const { path, create } = setUp();
      writeFileSync(path, `\ufeff${content}`);
      const agent = create();
      expect([await agent.restoreSession(), agent.messages]).toEqual([true, talk(2)]);
      expect(await agent.listSessions()).toMatchObject([{ problem: undefined }]);
    }
  });

  it('of 200 MB is listed at once and refused without a fall', { timeout: 120_000 }, async () => {
    const { path, create } = setUp();
    const file = openSync(path, 'w');
    writeSync(file, `${head},"state":{"messages":[`);
    const filler = Buffer.from(`"${'x'.repeat(1024 * 1024 - 3)}",`);
    for (let megabyte = 0; megabyte < 200; megabyte++) writeSync(file, filler);
    closeSync(file);
    const agent = create();
    // Not looked into: else its end would be missed.
    expect(await agent.listSessions()).toMatchObject([{ path, messages: undefined, problem: undefined }]);
    expect(await agent.restoreSession()).toBe(false);
    expect(agent.lastNotice).toMatchObject({ code: 'session-damaged', details: { reason: 'it is not JSON' } });
  });

  it('that is larger than any session is refused by its size', async () => {
    const { path, create } = setUp();
    writeFileSync(path, '{');
    execFileSync('truncate', ['-s', '300M', path]);
    const agent = create();
    expect(await agent.restoreSession(path)).toBe(false);
    expect(agent.lastNotice).toMatchObject({ details: { reason: 'it is larger than 256 MB' } });
  });
});

function parseOrNothing(text: string): { state?: JsonObject } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutMessages({ state: found, ...envelope }: { state?: JsonObject }): string {
  return JSON.stringify([envelope, { ...found, messages: Array.isArray(found?.messages) }]);
}

describe('something that is no file (文件损坏, 路径验证)', () => {
  it.each([
    ['a folder', (path: string) => mkdirSync(path), 'it is not a regular file'],
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path]), 'it is not a regular file'],
    ['a link', (path: string) => symlinkSync('/etc/passwd', path), 'it is a symbolic link'],
    ['a link to nothing', (path: string) => symlinkSync('nowhere.json', path), 'it is a symbolic link'],
  ])('%s is refused, never followed or waited for', async (_name, make, reason) => {
    const { path, create } = setUp();
    make(path);
    const agent = create();
    expect(await agent.listSessions()).toMatchObject([{ problem: { code: 'unsafe-path' } }]);
    for (const source of [undefined, path, name]) {
      expect(await agent.restoreSession(source)).toBe(false);
      expect(agent.lastNotice).toMatchObject({ code: 'unsafe-path', details: { path, reason } });
    }
    expect(await agent.saveSession()).toBe(true);
    expect(lstatSync(path).isFile()).toBe(false);
  });

  it('a folder of sessions that is a link is refused', async () => {
    const directory = createTemporaryFolder('linked');
    const elsewhere = createTemporaryFolder('elsewhere');
    symlinkSync(elsewhere, join(directory, '.continuo'));
    const agent = new SmallAgent({ directory });
    expect(await agent.saveSession()).toBe(false);
    expect(agent.lastNotice).toMatchObject({ code: 'unsafe-path' });
    expect([await agent.restoreSession(), await agent.listSessions()]).toEqual([false, []]);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('a file in the place of the folder is refused', async () => {
    const directory = createTemporaryFolder('in-the-way');
    writeFileSync(join(directory, '.continuo'), 'mine');
    const agent = new SmallAgent({ directory });
    expect([await agent.saveSession(), agent.lastNotice?.level]).toEqual([false, 'error']);
    expect([await agent.restoreSession(), agent.lastNotice?.level]).toEqual([false, 'error']);
    expect(readFileSync(join(directory, '.continuo'), 'utf8')).toBe('mine');
  });
});
