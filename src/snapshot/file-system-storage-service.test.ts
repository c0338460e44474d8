import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processorTimeOf } from '../../test/support/processor-time.ts';
import { createSnapshot } from '../../test/support/session-snapshots.ts';
import { createTemporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Sealer } from '../model/ports/sealer.ts';
import { FileSystemStorageService, type StorageServiceOptions } from './file-system-storage-service.ts';
import type { SessionSnapshot } from './session-snapshot.ts';
import type { SessionProblem } from './storage-service.ts';

function open(options: Partial<StorageServiceOptions> = {}) {
  const home = options.home ?? createTemporaryFolder('sessions');
  const problems: SessionProblem[] = [];
  const service = new FileSystemStorageService({ onProblem: (problem) => problems.push(problem), ...options, home });
  const folder = join(home, 'sessions', 'review');
  return { home, folder, service, problems };
}

const fileName = '20251125T140000000Z-ses_1.json';

/** A file that this Continuo did not write. */
function plant(folder: string, content: unknown, name = fileName): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('a saved session', () => {
  it('is one private file under the name of its team, and comes back as it was', async () => {
    const { service, folder, home } = open();
    const snapshot = createSnapshot(3);
    const path = join(folder, fileName);
    expect(await service.saveSession('review', snapshot)).toEqual({ path, outcome: 'written' });
    expect(readdirSync(folder)).toEqual([fileName]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const made of [join(home, 'sessions'), folder]) expect(statSync(made).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(snapshot);
    expect(await service.loadSession('review', 'ses_1')).toEqual(snapshot);
    expect(await new FileSystemStorageService({ home }).getLatestSession('review')).toEqual(snapshot);
  });

  it('stays one file however often it is saved, and the newest state is loaded', async () => {
    const { service, folder } = open();
    for (let count = 0; count < 5; count++) await service.saveSession('review', createSnapshot(count));
    expect(readdirSync(folder)).toEqual([fileName]);
    expect((await service.loadSession('review', 'ses_1')).context.messages).toHaveLength(4);
  });

  it('keeps what others put into its metadata, and neither todos nor wrong counts', async () => {
    const { service, folder } = open();
    const snapshot = createSnapshot(2);
    const messy = {
      ...snapshot,
      todos: ['x'],
      context: { ...snapshot.context, todos: [{ text: 'never kept' }] },
      metadata: { messageCount: 77, colour: { deep: [1, null] }, programSessions: { kai: 's-1' }, todos: [1] },
    };
    const saved = await service.saveSession('review', messy as unknown as SessionSnapshot);
    expect(readFileSync(saved.path, 'utf8')).not.toContain('todos');
    expect(readdirSync(folder)).toHaveLength(1);
    expect((await service.loadSession('review')).metadata).toEqual({
      colour: { deep: [1, null] },
      programSessions: { kai: 's-1' },
      lastSpeakerId: 'max',
      messageCount: 2,
    });
  });

  it('has a folder that nobody else may read, also where it was open before', async () => {
    const { service, folder } = open();
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    await service.saveSession('review', createSnapshot(1));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['a task that is no text', { context: { teamTask: 1, messages: [] } }, '"context.teamTask" is neither text nor null'],
    ['another version', { schemaVersion: '2.0' }, '"schemaVersion" is not "1.0"'],
    ['no moment', { createdAt: 'yesterday' }, '"createdAt" is not a moment'],
    [
      'metadata that is no JSON',
      { metadata: { messageCount: 0, x: new Map() } },
      '"metadata" cannot be kept: an instance of Map is not a JSON value',
    ],
    [
      'a message without a speaker',
      { context: { teamTask: null, messages: [{ timestamp: '2025-01-01', content: '' }] } },
      '"context.messages[0].speaker" is not a speaker with an id or a name',
    ],
  ])('is refused with %s, and nothing is written', async (_name, change, reason) => {
    const { service, home } = open();
    const snapshot = { ...createSnapshot(1), ...change } as unknown as SessionSnapshot;
    await expect(service.saveSession('review', snapshot)).rejects.toMatchObject({
      code: 'invalid-input',
      details: { what: 'session snapshot', reason },
    });
    expect(readdirSync(home)).toEqual([]);
  });

  it('belongs to the team it names', async () => {
    const { service, home } = open();
    await expect(service.saveSession('planning', createSnapshot(1))).rejects.toMatchObject({ code: 'session-of-another-team' });
    expect(readdirSync(home)).toEqual([]);
  });

  it.each(['../../outside', '代码评审', '..', 'a/b', 'con', '%2F', 'é'])('stays below its folder for the ids %j', async (id) => {
    const { service, home } = open();
    const snapshot = createSnapshot(1, { teamId: id, sessionId: id });
    const { path } = await service.saveSession(id, snapshot);
    expect(dirname(dirname(path))).toBe(join(home, 'sessions'));
    expect(await service.loadSession(id, id)).toEqual(snapshot);
    expect((await service.listSessions(id)).map(({ sessionId }) => sessionId)).toEqual([id]);
    expect(await service.deleteSession(id, id)).toBe(true);
    expect(await service.listSessions(id)).toEqual([]);
  });

  it.each(['', 'a\0', 'x'.repeat(300)])('cannot have the id %j', async (id) => {
    const { service } = open();
    const refusal = { code: 'invalid-input' };
    await expect(service.saveSession('review', createSnapshot(1, { sessionId: id }))).rejects.toMatchObject(refusal);
    await expect(service.loadSession('review', id)).rejects.toMatchObject(refusal);
    await expect(service.listSessions(id)).rejects.toMatchObject(refusal);
    await expect(service.deleteSession('review', id)).rejects.toMatchObject(refusal);
  });
});

describe('loading a session', () => {
  it('goes by the exact id: neither a part of it nor a longer one matches', async () => {
    const { service } = open();
    await service.saveSession('review', createSnapshot(1, { sessionId: 'a-b-c' }));
    for (const id of ['a', 'a-b', 'b-c', 'c', 'a-b-c-d', 'A-B-C', '*', 'a-b-c.json']) {
      await expect(service.loadSession('review', id)).rejects.toMatchObject({
        code: 'session-not-found',
        details: { id, team: 'review' },
      });
    }
    expect((await service.loadSession('review', 'a-b-c')).sessionId).toBe('a-b-c');
  });

  it('says whose session it is where another team has it, and that there is none where there is none', async () => {
    const { service } = open();
    expect(await service.getLatestSession('review')).toBeUndefined();
    await expect(service.loadSession('review')).rejects.toMatchObject({ code: 'session-not-found' });
    await service.saveSession('review', createSnapshot(1));
    await expect(service.loadSession('planning', 'ses_1')).rejects.toMatchObject({
      code: 'session-of-another-team',
      details: { id: 'ses_1', found: 'review', team: 'planning' },
    });
  });

  it('refuses a file that was put into the folder of another team, or under the name of another session', async () => {
    const { service, folder, home } = open();
    const { path } = await service.saveSession('review', createSnapshot(1));
    const other = join(home, 'sessions', 'planning');
    mkdirSync(other);
    linkSync(path, join(other, fileName));
    await expect(service.loadSession('planning', 'ses_1')).rejects.toMatchObject({ code: 'session-of-another-team' });
    linkSync(path, join(folder, '20251125T140000000Z-ses_2.json'));
    await expect(service.loadSession('review', 'ses_2')).rejects.toMatchObject({
      code: 'session-damaged',
      details: { reason: 'its name is not that of its session' },
    });
  });

  it('takes the newest where several files say they are the session', async () => {
    const { service, folder } = open();
    plant(folder, createSnapshot(5), '20240101T000000000Z-ses_1.json');
    plant(folder, createSnapshot(2), '20260101T000000000Z-ses_1.json');
    expect((await service.loadSession('review', 'ses_1')).context.messages).toHaveLength(5);
    expect(await service.listSessions('review')).toMatchObject([{ metadata: { messageCount: 5 } }]);
    await service.saveSession('review', createSnapshot(6));
    expect((await service.loadSession('review', 'ses_1')).context.messages).toHaveLength(6);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('reads speakers by their old field names', async () => {
    const { service, folder } = open();
    const said = { timestamp: '2025-11-25T14:00:00Z', content: 'x' };
    const messages = [
      { ...said, id: 'a', speaker: { roleId: 'r1', roleName: 'max', roleTitle: 'Max, the reviewer', type: 'ai' } },
      { ...said, id: 'b', speaker: { id: 'r2', name: 'kai', displayName: 'Kai', type: 'human' } },
      { ...said, id: 'c', roleId: 'r3', roleName: 'lin' },
      { ...said, timestamp: 1764079200000, speaker: { roleTitle: 'Boss', roleId: 'r4', type: 'alien' } },
    ];
    plant(folder, { ...createSnapshot(0), context: { teamTask: null, todos: [], messages }, metadata: {} });
    const { context, metadata } = await service.loadSession('review', 'ses_1');
    expect(context.messages).toEqual([
      { ...said, id: 'a', speaker: { id: 'r1', name: 'max', displayName: 'Max, the reviewer', type: 'ai' } },
      { ...said, id: 'b', speaker: { id: 'r2', name: 'kai', displayName: 'Kai', type: 'human' } },
      { ...said, id: 'c', speaker: { id: 'r3', name: 'lin' } },
      {
        id: 'message-4',
        timestamp: '2025-11-25T14:00:00.000Z',
        content: 'x',
        speaker: { id: 'r4', name: 'Boss', displayName: 'Boss' },
      },
    ]);
    expect(metadata).toEqual({ messageCount: 4, lastSpeakerId: 'r4' });
  });

  it('brings a file without a version up to the current one', async () => {
    const { service, folder } = open();
    const { context } = createSnapshot(2);
    plant(folder, {
      teamId: 'review',
      sessionId: 'ses_1',
      createdAt: 1764079200000,
      teamTask: 'old',
      messages: context.messages,
    });
    expect(await service.loadSession('review')).toEqual({
      schemaVersion: '1.0',
      teamId: 'review',
      sessionId: 'ses_1',
      createdAt: '2025-11-25T14:00:00.000Z',
      updatedAt: '2025-11-25T14:00:00.000Z',
      context: { teamTask: 'old', messages: context.messages },
      metadata: { messageCount: 2, lastSpeakerId: 'max' },
    });
  });

  it.each(['1.1', '2.0', '10'])(
    'refuses version %s with the advice to upgrade, and never writes over it',
    async (schemaVersion) => {
      const { service, folder, problems } = open();
      const path = plant(folder, { ...createSnapshot(1), schemaVersion });
      const refusal = { code: 'session-newer', details: { path, found: schemaVersion, known: '1.0' } };
      await expect(service.loadSession('review', 'ses_1')).rejects.toMatchObject(refusal);
      await expect(service.loadSession('review', 'ses_1')).rejects.toThrow('Upgrade Continuo');
      await expect(service.saveSession('review', createSnapshot(9))).rejects.toMatchObject(refusal);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ schemaVersion });
      expect(await service.listSessions('review')).toEqual([]);
      expect(problems).toEqual([{ path, error: expect.objectContaining(refusal) }]);
    },
  );
});

describe('a file that is no session', () => {
  const good = createSnapshot(2);
  const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  const message = good.context.messages[0];
  const broken: [string, unknown, string][] = [
    ['empty', '', 'it is empty'],
    ['zeros', '\0'.repeat(100), 'it is not JSON'],
    ['half of one', JSON.stringify(good).slice(0, 200), 'it is not JSON'],
    ['a list', [], 'it is not a JSON object'],
    ['a number', '1', 'it is not a JSON object'],
    ['something deep', deep, 'it has no messages'],
    [
      'deep metadata',
      JSON.stringify({ ...good, metadata: 0 }).replace('"metadata":0', `"metadata":${deep}`),
      '"metadata" cannot be kept: it is nested deeper than 500 levels, or contains itself',
    ],
    ['a prototype', JSON.stringify(good).replace('{', '{"__proto__":{"x":1},'), 'it has a key "__proto__"'],
    ['a hidden prototype', JSON.stringify(good).replace('"summary"', '"\\u005f_proto__"'), 'it has a key "__proto__"'],
    ['a version that is none', { ...good, schemaVersion: {} }, '"schemaVersion" is not a version such as "1.0"'],
    ['no context', { ...good, context: null }, '"context" is not an object'],
    ['messages that are none', { ...good, context: { messages: {} } }, '"context.messages" is not a list'],
    ['a message that is none', { ...good, context: { messages: [1] } }, '"context.messages[0]" is not an object'],
    [
      'content that is none',
      { ...good, context: { messages: [message, { ...message, content: {} }] } },
      '"context.messages[1].content" is not text',
    ],
    ['no team', { ...good, teamId: undefined }, '"teamId" is not text'],
    ['a count that is none', { ...good, metadata: { messageCount: -1 } }, '"metadata.messageCount" is not a count'],
  ];

  it.each(broken)('%s: is told with a code, left alone by readers, and set aside by a save', async (_name, content, reason) => {
    const { service, folder, problems } = open();
    const path = plant(folder, content);
    const before = readFileSync(path);
    const refusal = { code: 'session-damaged', details: { path, reason } };
    await expect(service.loadSession('review', 'ses_1')).rejects.toMatchObject(refusal);
    expect(await service.listSessions('review')).toEqual([]);
    expect(problems).toMatchObject([{ path, error: refusal }]);
    expect(readFileSync(path).equals(before)).toBe(true);
    const { outcome, setAside } = await service.saveSession('review', good);
    expect(outcome).toBe('written');
    expect(problems[1]).toMatchObject({ path, setAside, error: refusal });
    expect(readFileSync(setAside as string).equals(before)).toBe(true);
    expect(await service.loadSession('review', 'ses_1')).toEqual(good);
    expect(await service.listSessions('review')).toHaveLength(1);
  });

  it('cut short: is told in the list too, although its beginning is whole', async () => {
    const { service, problems } = open();
    const { path } = await service.saveSession('review', createSnapshot(100));
    truncateSync(path, statSync(path).size - 100);
    expect(await service.listSessions('review')).toEqual([]);
    expect(problems).toMatchObject([{ error: { code: 'session-damaged', details: { reason: 'its end is missing' } } }]);
    await expect(service.loadSession('review', 'ses_1')).rejects.toMatchObject({ code: 'session-damaged' });
  });

  it('too large: is refused before it is read', async () => {
    const { service, folder } = open();
    truncateSync(plant(folder, ''), 300 * 1024 * 1024);
    await expect(service.loadSession('review', 'ses_1')).rejects.toMatchObject({
      details: { reason: 'it is larger than 256 MB' },
    });
  });

  it('a link, or a folder that is a link: is not followed', async () => {
    const { service, folder, home, problems } = open();
    const outside = join(createTemporaryFolder('outside'), 'x.json');
    writeFileSync(outside, JSON.stringify(createSnapshot(1)));
    mkdirSync(folder, { recursive: true });
    symlinkSync(outside, join(folder, fileName));
    await expect(service.loadSession('review', 'ses_1')).rejects.toMatchObject({ code: 'unsafe-path' });
    expect(await service.listSessions('review')).toEqual([]);
    expect(problems).toHaveLength(1);
    symlinkSync(dirname(outside), join(home, 'sessions', 'planning'));
    const planning = createSnapshot(1, { teamId: 'planning' });
    await expect(service.saveSession('planning', planning)).rejects.toMatchObject({ code: 'unsafe-path' });
    await expect(service.listSessions('planning')).rejects.toMatchObject({ code: 'unsafe-path' });
    expect(readdirSync(dirname(outside))).toEqual(['x.json']);
  });

  it('does not hide the others', async () => {
    const { service, folder } = open();
    await service.saveSession('review', good);
    plant(folder, '{', '20260101T000000000Z-ses_0.json');
    plant(folder, 'notes', 'notes.txt');
    expect(await service.getLatestSession('review')).toEqual(good);
    const { sessions, problems } = await service.inspectSessions('review');
    expect([sessions.length, problems.length]).toEqual([1, 1]);
  });
});

describe('the list of sessions', () => {
  it('is in order, newest first, with when and how many messages', async () => {
    const { service } = open();
    for (const [sessionId, count] of [
      ['a', 5],
      ['b', 9],
      ['c', 1],
    ] as const) {
      await service.saveSession('review', createSnapshot(count, { sessionId }));
    }
    const sessions = await service.listSessions('review');
    expect(sessions.map(({ sessionId, updatedAt, metadata }) => [sessionId, updatedAt, metadata.messageCount])).toEqual([
      ['b', '2025-11-25T14:00:09.000Z', 9],
      ['a', '2025-11-25T14:00:05.000Z', 5],
      ['c', '2025-11-25T14:00:01.000Z', 1],
    ]);
    const { context: _context, ...head } = createSnapshot(9, { sessionId: 'b' });
    const path = sessions[0]?.path as string;
    expect(sessions[0]).toEqual({ ...head, path, bytes: statSync(path).size, sealed: false });
  });

  it('costs the same however many messages there are', async () => {
    const measure = async (count: number) => {
      const { service } = open();
      for (let i = 0; i < 20; i++) await service.saveSession('review', createSnapshot(count, { sessionId: `s${i}` }));
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 5; round++) {
        const taken = await processorTimeOf(async () => expect(await service.listSessions('review')).toHaveLength(20));
        best = Math.min(best, taken);
      }
      return best;
    };
    const [small, large] = [await measure(5), await measure(5_000)];
    expect(large).toBeLessThan(small * 3 + 5);
  });

  it('does not list what is being written, the lock, or what was set aside', async () => {
    const { service, folder } = open();
    await service.saveSession('review', createSnapshot(1));
    for (const name of [`${fileName}.1.abc.tmp`, '.lock', `${fileName}.damaged-20251125T140000000Z`]) plant(folder, '{}', name);
    const { sessions, problems } = await service.inspectSessions('review');
    expect([sessions.length, problems]).toEqual([1, []]);
  });
});

describe('deleting a session', () => {
  it('takes that one only, and says whether there was one', async () => {
    const { service, folder } = open();
    await service.saveSession('review', createSnapshot(1));
    await service.saveSession('review', createSnapshot(1, { sessionId: 'ses_10' }));
    expect(await service.deleteSession('review', 'ses_1')).toBe(true);
    expect(await service.deleteSession('review', 'ses_1')).toBe(false);
    expect(await service.deleteSession('nobody', 'ses_1')).toBe(false);
    expect(readdirSync(folder)).toEqual(['20251125T140000000Z-ses_10.json']);
  });
});

describe('two states of one session', () => {
  it('the newer one wins, whoever saves last', async () => {
    const { service, home } = open();
    const other = new FileSystemStorageService({ home });
    await service.saveSession('review', createSnapshot(9));
    expect(await other.saveSession('review', createSnapshot(4))).toMatchObject({ outcome: 'kept-newer' });
    expect((await other.loadSession('review')).context.messages).toHaveLength(9);
    expect(await other.saveSession('review', createSnapshot(4))).toMatchObject({ outcome: 'written' });
  });

  it('the place in the log tells more than the clock, and our own last state is replaced although the clock was set back', async () => {
    const { service, home } = open();
    const at = (seq: number, updatedAt: string) =>
      createSnapshot(1, { updatedAt, metadata: { messageCount: 1, log: { conversationId: 'cnv_x', seq } } });
    await service.saveSession('review', at(10, '2025-11-25T15:00:00.000Z'));
    expect(await service.saveSession('review', createSnapshot(1, { updatedAt: '2020-01-01T00:00:00.000Z' }))).toMatchObject({
      outcome: 'written',
    });
    await service.saveSession('review', at(10, '2025-11-25T15:00:00.000Z'));
    const other = new FileSystemStorageService({ home });
    expect(await other.saveSession('review', at(11, '2025-11-25T14:00:00.000Z'))).toMatchObject({ outcome: 'written' });
    expect(await service.saveSession('review', at(10, '2025-11-25T16:00:00.000Z'))).toMatchObject({ outcome: 'kept-newer' });
  });

  it('saved at once: every save is whole, in the order of the calls', async () => {
    const { service, folder } = open();
    await Promise.all(Array.from({ length: 20 }, (_, count) => service.saveSession('review', createSnapshot(count))));
    expect(readdirSync(folder)).toEqual([fileName]);
    expect((await service.loadSession('review', 'ses_1')).metadata.messageCount).toBe(19);
  });
});

describe('sealed sessions', () => {
  const reversed = (text: string) => [...text].reverse().join('');
  const sealer: Sealer = {
    seal: (text) => `sealed.${Buffer.from(reversed(text)).toString('base64url')}`,
    unseal: (line) => reversed(Buffer.from(line.slice(7), 'base64url').toString('utf8')),
    fingerprint: (text) => text,
  };

  it('show nothing of what was said, and are listed and loaded with the key', async () => {
    const { service, home } = open({ sealer });
    const snapshot = createSnapshot(3);
    const { path } = await service.saveSession('review', snapshot);
    expect(readFileSync(path, 'utf8')).not.toMatch(/message|parser|second line/);
    expect(await service.loadSession('review', 'ses_1')).toEqual(snapshot);
    expect(await service.listSessions('review')).toMatchObject([
      { sessionId: 'ses_1', sealed: true, metadata: { messageCount: 3 } },
    ]);
    const without = open({ home });
    await expect(without.service.loadSession('review', 'ses_1')).rejects.toMatchObject({
      code: 'key-required',
      details: { path },
    });
    await expect(without.service.saveSession('review', snapshot)).rejects.toMatchObject({ code: 'key-required' });
    expect(await without.service.listSessions('review')).toEqual([]);
    expect(without.problems).toMatchObject([{ error: { code: 'key-required' } }]);
  });

  it('take the place of plain ones at the next save', async () => {
    const { service, home } = open();
    await service.saveSession('review', createSnapshot(1));
    const sealed = open({ home, sealer });
    expect(await sealed.service.loadSession('review')).toEqual(createSnapshot(1));
    const { path } = await sealed.service.saveSession('review', createSnapshot(2));
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"sealed":"1.0"/);
    expect(await sealed.service.loadSession('review')).toEqual(createSnapshot(2));
  });

  it('are rewritten for a store that gets a key or loses it; what cannot be read stays and is told', async () => {
    const { service, home, folder } = open();
    await service.saveSession('review', createSnapshot(1));
    await service.saveSession('计划', createSnapshot(2, { teamId: '计划' }));
    const damaged = plant(folder, '{', '20260101T000000000Z-ses_0.json');
    const text = (path: string) => readFileSync(path, 'utf8');
    expect(await service.listTeams()).toEqual(['review', '计划']);
    const sealed = await service.rewriteSessions(sealer);
    expect(sealed).toMatchObject({ rewritten: 2, problems: [{ path: damaged, error: { code: 'session-damaged' } }] });
    expect(text(join(folder, fileName))).toMatch(/^\{"sealed"/);
    const keyed = new FileSystemStorageService({ home, sealer });
    expect(await keyed.loadSession('计划')).toEqual(createSnapshot(2, { teamId: '计划' }));
    expect(await keyed.rewriteSessions(undefined)).toMatchObject({ rewritten: 2 });
    expect(await service.loadSession('review', 'ses_1')).toEqual(createSnapshot(1));
    expect(text(damaged)).toBe('{');
    expect(await open().service.listTeams()).toEqual([]);
  });
});
