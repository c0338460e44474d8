// Session files as part of a home: purged, swept, converted, backed up and restored together with the store they are beside.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { convertStore } from '../../src/convert-store.ts';
import { createLineSealer } from '../../src/crypto/line-sealer.ts';
import type { ConversationId } from '../../src/model/id.ts';
import { type DriverName, openStore, type StoreKey, unlock } from '../../src/open-store.ts';
import { FileSystemStorageService } from '../../src/snapshot/file-system-storage-service.ts';
import { restoreBackup } from '../../src/store/backup.ts';
import { type HomeRecord, loadHome } from '../../src/store/home.ts';
import { findProgram } from '../e2e/cli-program.ts';
import { campaignScale, scaled } from '../support/campaign.ts';
import { createMarkedWord, findWords, listPaths } from '../support/raw-files.ts';
import { createSnapshot } from '../support/session-snapshots.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { makeTeam, openTeamBench } from '../team/workbench.ts';

const key: StoreKey = { passphrase: 'correct horse' };
const environment = { CONTINUO_PASSPHRASE: 'correct horse' };
const poll = { interval: 1, timeout: 20_000 };
/** No machine gives this number to a process. */
const deadWorker = JSON.stringify({ pid: 2 ** 30, host: hostname() });
const otherKey: StoreKey = { passphrase: 'another horse' };

async function openStorage(home: string, storeKey?: StoreKey): Promise<FileSystemStorageService> {
  const raw = await unlock(home, (await loadHome(home)) as HomeRecord, storeKey);
  return new FileSystemStorageService({ home, ...(raw && { sealer: createLineSealer(raw, home) }) });
}

interface Kept {
  id: ConversationId;
  sessionId: string;
  word: string;
  path: string;
}

/** A session in the log and in a file, as a team leaves it. */
async function keepSession(home: string, sessionId: string, storeKey?: StoreKey): Promise<Kept> {
  const store = await openStore({ home, ...(storeKey && { key: storeKey }) });
  const storage = await openStorage(home, storeKey);
  const word = createMarkedWord();
  const { id } = await store.create({ key: `team-session:${sessionId}`, team: 'review' });
  await store.append(id, { kind: 'message', role: 'user', text: word });
  const snapshot = createSnapshot(3, { sessionId });
  snapshot.context.teamTask = word;
  const metadata = { ...snapshot.metadata, summary: word, log: { conversationId: id, seq: 1 } };
  const { path } = await storage.saveSession('review', { ...snapshot, metadata });
  await store.close();
  return { id, sessionId, word, path };
}

describe('a purged conversation', () => {
  it.each([
    ['sqlite', undefined],
    ['jsonl', undefined],
    ['sqlite', key],
    ['jsonl', key],
  ] as [DriverName, StoreKey | undefined][])('%s %j: takes its session files along, to the last byte', async (driver, given) => {
    const home = createQuickFolder('home');
    await (await openStore({ home, driver, ...(given && { key: given }) })).close();
    const doomed = await keepSession(home, 'ses_a', given);
    const stays = await keepSession(home, 'ses_b', given);
    const [aside, unfinished] = [`${doomed.path}.damaged-20251125T140000000Z`, `${doomed.path}.999999.abc.tmp`];
    const othersAside = `${stays.path}.damaged-20251125T140000000Z-1`;
    const otherWord = createMarkedWord();
    for (const path of [aside, unfinished]) writeFileSync(path, `half of ${doomed.word}`, { mode: 0o600 });
    writeFileSync(othersAside, otherWord, { mode: 0o600 });
    const store = await openStore({ home, ...(given && { key: given }) });
    await store.trash(doomed.id);
    expect(existsSync(doomed.path)).toBe(true);
    await store.purge(doomed.id);
    await store.close();
    expect(findWords(home, [doomed.word])).toEqual({});
    expect(findWords(home, [otherWord])).toEqual({ [otherWord]: [expect.stringContaining('damaged-')] });
    const sessions = await (await openStorage(home, given)).listSessions('review');
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(['ses_b']);
  });

  it('is found by its log where its key was released and its team renamed, and a file of the same name stays', async () => {
    const home = createQuickFolder('home');
    const doomed = await keepSession(home, 'ses_a');
    const store = await openStore({ home });
    await store.assign(doomed.id, { team: null });
    await store.trash(doomed.id, { releaseKey: true });
    const next = await store.create({ key: 'team-session:ses_a', team: 'review' });
    await store.trash(next.id);
    await store.purge(next.id);
    expect(existsSync(doomed.path)).toBe(true);
    await store.purge(doomed.id);
    await store.close();
    expect(findWords(home, [doomed.word])).toEqual({});
  });

  it('goes with its session when its time in the trash is over', async () => {
    const home = createQuickFolder('home');
    const doomed = await keepSession(home, 'ses_a');
    const store = await openStore({ home, trashGrace: 0 });
    await store.trash(doomed.id, { at: 1 });
    expect(await store.sweep()).toEqual({ purged: [doomed.id], withheld: 0, removed: 0 });
    await store.close();
    expect(findWords(home, [doomed.word])).toEqual({});
  });

  it('is not brought back by the team that still sits', async () => {
    const bench = await openTeamBench();
    const word = createMarkedWord();
    await bench.coordinator.setTeam(makeTeam());
    await bench.coordinator.sendMessage(word);
    await bench.coordinator.flush();
    const id = bench.coordinator.conversationId as ConversationId;
    const other = await openStore({ home: bench.home });
    await other.trash(id);
    await other.purge(id);
    await other.close();
    expect(findWords(bench.home, [word])).toEqual({});
    await bench.coordinator.stop();
    expect(bench.heard('save-failed')).toMatchObject([{ error: { code: 'conversation-not-found' } }]);
    expect(findWords(bench.home, [word])).toEqual({});
  });
});

describe('a conversion', () => {
  it('carries sessions through every key and driver, and leaves no plain word behind a key', async () => {
    const home = createQuickFolder('home');
    const { word, path, sessionId } = await keepSession(home, 'ses_a');
    const before = await (await openStorage(home)).loadSession('review', sessionId);
    const damaged = `${path}.damaged-20251125T140000000Z`;
    const damagedBytes = Buffer.concat([Buffer.from(`{"half": "${word}`), Buffer.from([0xff, 0x00, 0xfe])]);
    writeFileSync(damaged, damagedBytes, { mode: 0o600 });
    writeFileSync(`${path}.999999.abc.tmp`, word, { mode: 0o600 });
    const steps: { from?: StoreKey; to?: StoreKey; driver: DriverName }[] = [
      { driver: 'jsonl' },
      { to: key, driver: 'jsonl' },
      { from: key, to: otherKey, driver: 'sqlite' },
      { from: otherKey, driver: 'jsonl' },
    ];
    for (const step of steps) {
      expect(await convertStore({ home, ...step })).toMatchObject({ sessions: 1, damagedSessions: [damaged] });
      expect(await (await openStorage(home, step.to)).loadSession('review', sessionId)).toEqual(before);
      expect(Object.keys(findWords(home, [word])).length).toBe(step.to ? 0 : 1);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(listPaths(home).filter((each) => /sessions-of|\.tmp$/.test(each))).toEqual([]);
    }
    expect(readFileSync(damaged)).toEqual(damagedBytes);
  });

  it('that was killed after the store had its key is finished by whoever opens it', async () => {
    const home = createQuickFolder('home');
    const { word, path, sessionId } = await keepSession(home, 'ses_a');
    const plain = readFileSync(path);
    await convertStore({ home, to: key });
    const sealed = readFileSync(path);
    const folder = (await loadHome(home))?.folder as string;
    const staging = join(home, folder.replace(/^store/, 'sessions-of'), 'review');
    mkdirSync(staging, { recursive: true, mode: 0o700 });
    writeFileSync(join(dirname(staging), '.worker.json'), deadWorker);
    mkdirSync(join(home, 'store'), { mode: 0o700 });
    writeFileSync(join(home, 'store', 'old'), word);
    renameSync(path, join(staging, basename(path)));
    writeFileSync(path, plain, { mode: 0o600 });
    const late = join(dirname(path), '20251125T140000000Z-ses_late.json');
    writeFileSync(late, JSON.stringify(createSnapshot(1, { sessionId: 'ses_late' })), { mode: 0o600 });
    await (await openStore({ home, key })).close();
    expect(readFileSync(path)).toEqual(sealed);
    expect(findWords(home, [word])).toEqual({});
    expect(readFileSync(late, 'utf8')).toMatch(/^\{"sealed"/);
    expect((await (await openStorage(home, key)).loadSession('review', sessionId)).context.teamTask).toBe(word);
    expect(existsSync(dirname(staging))).toBe(false);
  });

  it('that was killed before is forgotten by whoever opens it', async () => {
    const home = createQuickFolder('home');
    const { word } = await keepSession(home, 'ses_a', key);
    for (const name of ['store-01ABANDONED', 'sessions-of-01ABANDONED']) {
      mkdirSync(join(home, name), { mode: 0o700 });
      writeFileSync(join(home, name, 'plain'), word, { mode: 0o600 });
    }
    writeFileSync(join(home, 'sessions-of-01ABANDONED', '.worker.json'), deadWorker);
    mkdirSync(join(home, 'sessions-of-01ATWORK'), { mode: 0o700 });
    await (await openStore({ home, key })).close();
    expect(findWords(home, [word])).toEqual({});
    expect(readdirSync(home).sort()).toEqual(['sessions', 'sessions-of-01ATWORK', 'store', 'store.json']);
  });

  it('leaves a home that can be read, whenever it is killed, and no plain word once it is opened encrypted', {
    timeout: 120_000 * Math.max(1, campaignScale),
  }, async () => {
    const program = await findProgram();
    const ends = { plain: 0, encrypted: 0 };
    for (let round = 0; round < scaled(6); round++) {
      const home = createQuickFolder('home');
      const { word, sessionId } = await keepSession(home, 'ses_a');
      const env = { ...process.env, CONTINUO_HOME: home, ...environment } as Record<string, string>;
      const child = spawn(process.execPath, [program, 'encrypt'], { env, stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('close', resolve));
      // The folder of the conversion is there from its first moment to its last.
      await expect
        .poll(() => readdirSync(home).some((name) => name.startsWith('sessions-of-')) || child.exitCode !== null, poll)
        .toBe(true);
      await sleep(round * 8);
      child.kill('SIGKILL');
      await ended;
      const given = (await loadHome(home))?.encryption ? key : undefined;
      ends[given ? 'encrypted' : 'plain'] += 1;
      const store = await openStore({ home, ...(given && { key: given }) });
      expect((await store.read((await store.find('team-session:ses_a'))?.id as ConversationId)).items).toMatchObject([
        { text: word },
      ]);
      await store.close();
      expect((await (await openStorage(home, given)).loadSession('review', sessionId)).context.teamTask).toBe(word);
      if (given) expect(findWords(home, [word])).toEqual({});
      else await convertStore({ home, to: key });
      expect(findWords(home, [word])).toEqual({});
      expect(readdirSync(home).filter((name) => existsSync(join(home, name, '.worker.json')))).toEqual([]);
    }
    expect(ends.plain + ends.encrypted).toBe(scaled(6));
  });

  it.each(['sqlite', 'jsonl'] as const)('%s: is not undone by a team that still sits', async (driver) => {
    const home = createQuickFolder('home');
    await (await openStore({ home, driver })).close();
    const bench = await openTeamBench({ home });
    const word = createMarkedWord();
    await bench.coordinator.setTeam(makeTeam());
    await bench.coordinator.sendMessage(word);
    await convertStore({ home, to: key });
    await bench.coordinator.stop().catch(() => undefined);
    expect(findWords(home, [word])).toEqual({});
  });
});

describe('a backup', () => {
  it('carries sessions and what was set aside, and restores them', async () => {
    const home = createQuickFolder('home');
    const { path, sessionId } = await keepSession(home, 'ses_a', key);
    const folder = dirname(path);
    writeFileSync(`${path}.damaged-20251125T140000000Z`, 'half', { mode: 0o600 });
    for (const name of ['.lock', `${basename(path)}.999999.abc.tmp`]) writeFileSync(join(folder, name), 'x');
    const target = join(createQuickFolder('backup'), 'monday');
    await using store = await openStore({ home, key });
    const manifest = await store.backup(target);
    const carried = manifest.files.map((file) => file.path).filter((file) => file.startsWith('sessions'));
    const name = join('sessions', 'review', basename(path));
    expect(carried).toEqual([name, `${name}.damaged-20251125T140000000Z`]);
    const restored = join(createQuickFolder('restored'), 'home');
    await restoreBackup(target, restored);
    expect(await (await openStorage(restored, key)).loadSession('review', sessionId)).toEqual(
      await (await openStorage(home, key)).loadSession('review', sessionId),
    );
    expect(statSync(join(restored, name)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(join(restored, name))).mode & 0o777).toBe(0o700);
  });
});
