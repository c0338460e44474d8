// Going on: every decision of the source document by its name, and what may be wrong with a snapshot.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionSnapshot } from '../../src/snapshot/session-snapshot.ts';
import { getTeamSession, listTeamSessions } from '../../src/team/list-sessions.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { makeTeam, openTeamBench, type TeamBench } from './workbench.ts';

const folderOf = (home: string) => join(home, 'sessions', 'review');

/** Talks a little and leaves. */
async function leaveSession(
  options: Parameters<typeof openTeamBench>[0] = {},
): Promise<{ home: string; sessionId: string; bench: TeamBench }> {
  const bench = await openTeamBench(options);
  const { sessionId } = await bench.coordinator.setTeam(makeTeam());
  await bench.coordinator.sendMessage('[TEAM_TASK: find the leak] Where is it?');
  await bench.close();
  return { home: bench.home, sessionId, bench };
}

async function putSnapshot(home: string, change: object): Promise<string> {
  const storage = (await openTeamBench({ home })).storage;
  const snapshot = {
    schemaVersion: '1.0',
    teamId: 'review',
    sessionId: 'old-1',
    createdAt: '2025-11-25T10:00:00.000Z',
    updatedAt: '2025-11-25T11:00:00.000Z',
    context: { teamTask: null, messages: [] },
    metadata: { messageCount: 0 },
  };
  const { path } = await storage.saveSession('review', snapshot);
  await writeFile(path, JSON.stringify({ ...snapshot, ...change }));
  return path;
}

describe('Q1: todos are not persisted', () => {
  it('they are told as events and are in no entry, no draft and no snapshot', async () => {
    const todo = 'Working.\n```todo\n- [x] read the code\n- [ ] find the leak\n```';
    const { home, sessionId, bench } = await leaveSession({ script: { ana: [todo] } });
    expect(bench.heard('todo')).toMatchObject([
      {
        member: 'ana',
        todos: [
          { text: 'read the code', state: 'done' },
          { text: 'find the leak', state: 'open' },
        ],
      },
    ]);
    const [file] = await readdir(folderOf(home));
    expect(await readFile(join(folderOf(home), file as string), 'utf8')).not.toMatch(/read the code|todos/);
    const again = await openTeamBench({ home });
    await again.coordinator.setTeam(makeTeam(), { resumeSessionId: sessionId });
    expect(again.said()).toEqual(['max: Where is it?', 'ana: Working.', 'bob: bob is here.']);
    expect(again.heard('todo')).toEqual([]);
  });

  it('an older snapshot that holds some is read without them', async () => {
    const home = createQuickFolder('team');
    await putSnapshot(home, { context: { teamTask: 'x', todos: [{ text: 'old' }], messages: [] } });
    const { coordinator } = await openTeamBench({ home });
    await coordinator.setTeam(makeTeam(), { resumeSessionId: 'old-1' });
    expect(coordinator.exportSnapshot().context).toEqual({ teamTask: 'x', messages: [] });
  });
});

describe('Q2: a speaker who left the team', () => {
  it('is warned about, keeps its messages and its own name, also in the next prompt', async () => {
    const { home, sessionId } = await leaveSession();
    const { coordinator, heard, requests, said } = await openTeamBench({ home });
    const members = makeTeam().members.filter(({ id }) => id !== 'ana');
    const session = await coordinator.setTeam({ ...makeTeam(), members, order: ['bob'] }, { resumeSessionId: sessionId });
    expect(session.left).toEqual([{ id: 'ana', name: '安娜', messages: 1 }]);
    expect(heard('member-left')).toMatchObject([{ member: 'ana', name: '安娜', messages: 1 }]);
    expect(said()[1]).toBe('ana: ana is here.');
    await coordinator.sendMessage('Go on');
    expect(requests[0]?.request.prompt).toContain('#2 安娜 (ana), ');
  });
});

describe('Q3: when a session is saved', () => {
  it('when the members are done and the human is waited for', async () => {
    const { coordinator, storage, heard } = await openTeamBench();
    const { sessionId } = await coordinator.setTeam(makeTeam());
    await coordinator.sendMessage('one');
    await coordinator.flush();
    expect(heard('saved')).toMatchObject([{ messages: 3 }]);
    expect((await storage.loadSession('review', sessionId)).metadata).toMatchObject({ messageCount: 3, lastSpeakerId: 'bob' });
  });

  it('on pause and on stop, with what an interrupted member had said', async () => {
    const { coordinator, storage, heard } = await openTeamBench({
      script: {
        ana: [
          () =>
            (async function* () {
              yield { type: 'text-delta' as const, text: 'half' };
              await new Promise(() => undefined);
            })(),
        ],
      },
    });
    const { sessionId } = await coordinator.setTeam(makeTeam());
    const turn = coordinator.sendMessage('one');
    await expect.poll(() => heard('text-delta').length).toBe(1);
    await coordinator.pause();
    await turn;
    expect((await storage.loadSession('review', sessionId)).context.messages.at(-1)).toMatchObject({
      content: 'half',
      interrupted: true,
    });
    expect(coordinator.status).toBe('paused');
    await coordinator.sendMessage('[NEXT: bob] two');
    await coordinator.stop();
    expect((await storage.loadSession('review', sessionId)).metadata.messageCount).toBe(4);
    expect(coordinator.status).toBe('completed');
  });

  it('repeated saves leave one file that only its owner may read, and load by id gives the newest state', async () => {
    const { coordinator, storage, home } = await openTeamBench();
    const { sessionId } = await coordinator.setTeam(makeTeam());
    for (const text of ['one', 'two', 'three']) {
      await coordinator.sendMessage(`[NEXT: bob] ${text}`);
      await coordinator.pause();
    }
    const files = await readdir(folderOf(home));
    expect(files.length).toBe(1);
    expect((await stat(join(folderOf(home), files[0] as string))).mode & 0o777).toBe(0o600);
    expect((await storage.loadSession('review', sessionId)).context.messages.length).toBe(6);
  });
});

describe('Q4: nothing resumes without a yes', () => {
  it('a team that has a history begins anew unless a session is named', async () => {
    const { home, sessionId } = await leaveSession();
    const { coordinator, store, storage, said } = await openTeamBench({ home });
    const session = await coordinator.setTeam(makeTeam());
    expect({ resumed: session.resumed, same: session.sessionId === sessionId, said: said() }).toEqual({
      resumed: false,
      same: false,
      said: [],
    });
    // What a door shows before it asks: when and how much.
    expect(await listTeamSessions(store, storage, 'review')).toMatchObject([
      { sessionId, messages: 3, saved: true, summary: 'find the leak' },
    ]);
  });
});

describe('a session that goes on', () => {
  it('is ready and idle: nobody queued, the first human waited for, paused; and the next prompt has history, task and roster', async () => {
    const { home, sessionId } = await leaveSession({ script: { bob: ['[NEXT: ana] over to you'] } });
    const { coordinator, requests, said } = await openTeamBench({ home });
    await coordinator.setTeam(makeTeam({ task: 'another task' }), { resumeSessionId: sessionId });
    expect({
      queue: coordinator.routingQueue,
      waiting: coordinator.waitingForRoleId,
      status: coordinator.status,
      asked: requests,
    }).toEqual({
      queue: [],
      waiting: 'max',
      status: 'paused',
      asked: [],
    });
    await coordinator.sendMessage('[NEXT: bob] And now?');
    const { prompt, instructions } = (requests[0] as (typeof requests)[number]).request;
    expect(prompt).toContain('The task of the team:\n> find the leak');
    expect(prompt).toContain('> Where is it?');
    expect(prompt).toContain('> over to you');
    expect(prompt).toContain('> And now?');
    expect(instructions).toContain('- max (Max, a human): Owner');
    expect(said().length).toBe(6);
  });

  it('needs no snapshot: the log is enough', async () => {
    const { coordinator, home, storage, store, close } = await openTeamBench();
    const { sessionId } = await coordinator.setTeam(makeTeam());
    await coordinator.sendMessage('[TEAM_TASK: x] one');
    await close();
    await storage.deleteSession('review', sessionId);
    void store;
    const again = await openTeamBench({ home });
    expect((await getTeamSession(again.store, again.storage, 'review', undefined)).sessionId).toBe(sessionId);
    await again.coordinator.setTeam(makeTeam(), { resumeSessionId: sessionId });
    expect({ said: again.said(), task: again.coordinator.context?.teamTask }).toEqual({
      said: ['max: one', 'ana: ana is here.', 'bob: bob is here.'],
      task: 'x',
    });
  });

  it('reads the log after the snapshot', async () => {
    const { home, sessionId, bench } = await leaveSession();
    const stale = await bench.storage.loadSession('review', sessionId);
    const between = await openTeamBench({ home });
    await between.coordinator.setTeam(makeTeam(), { resumeSessionId: sessionId });
    await between.coordinator.sendMessage('[TEAM_TASK: fix it] [NEXT: bob] found');
    await between.close();
    await between.storage.deleteSession('review', sessionId);
    await between.storage.saveSession('review', stale as SessionSnapshot);
    const again = await openTeamBench({ home });
    await again.coordinator.setTeam(makeTeam(), { resumeSessionId: sessionId });
    expect(again.said().slice(3)).toEqual(['max: found', 'bob: bob is here.']);
    expect(again.coordinator.context?.teamTask).toBe('fix it');
  });

  it('from elsewhere, with the speaker fields of old, is brought into the log and goes on', async () => {
    const home = createQuickFolder('team');
    const messages = [
      {
        id: 'm1',
        timestamp: '2025-11-25T10:00:00.000Z',
        speaker: { roleId: 'max', roleName: 'Max', roleTitle: 'Boss', type: 'human' },
        content: 'old words',
      },
      {
        id: 'm2',
        timestamp: '2025-11-25T10:01:00.000Z',
        speaker: { id: 'ana', name: 'Ana', displayName: 'Anna', type: 'ai' },
        content: 'old answer',
      },
    ];
    await putSnapshot(home, { context: { teamTask: 'old task', messages }, metadata: { messageCount: 2 } });
    const first = await openTeamBench({ home });
    await first.coordinator.setTeam(makeTeam(), { resumeSessionId: 'old-1' });
    expect(first.coordinator.context?.messages.map(({ speaker, timestamp }) => [speaker, timestamp])).toEqual([
      [{ id: 'max', name: 'Max', displayName: 'Boss', type: 'human' }, '2025-11-25T10:00:00.000Z'],
      [{ id: 'ana', name: 'Ana', displayName: 'Anna', type: 'ai' }, '2025-11-25T10:01:00.000Z'],
    ]);
    await first.coordinator.sendMessage('[NEXT: bob] new words');
    expect(first.requests[0]?.request.prompt).toContain('> old answer');
    await first.close();
    const second = await openTeamBench({ home });
    await second.coordinator.setTeam(makeTeam(), { resumeSessionId: 'old-1' });
    expect(second.said()).toEqual(['max: old words', 'ana: old answer', 'max: new words', 'bob: bob is here.']);
  });

  it('is refused where a newer Continuo wrote it', async () => {
    const home = createQuickFolder('team');
    await putSnapshot(home, { schemaVersion: '9.0' });
    const { coordinator } = await openTeamBench({ home });
    await expect(coordinator.setTeam(makeTeam(), { resumeSessionId: 'old-1' })).rejects.toMatchObject({ code: 'session-newer' });
    expect(coordinator.status).toBe('idle');
  });

  it("is refused where it is another team's, by the file and by the log", async () => {
    const home = createQuickFolder('team');
    await putSnapshot(home, { teamId: 'planning' });
    const { coordinator, close } = await openTeamBench({ home });
    await expect(coordinator.setTeam(makeTeam(), { resumeSessionId: 'old-1' })).rejects.toMatchObject({
      code: 'session-of-another-team',
    });
    const { sessionId } = await coordinator.setTeam(makeTeam({ id: 'other' }));
    await coordinator.sendMessage('mine');
    await close();
    const again = await openTeamBench({ home });
    await expect(again.coordinator.setTeam(makeTeam(), { resumeSessionId: sessionId })).rejects.toMatchObject({
      code: 'session-of-another-team',
    });
    await expect(getTeamSession(again.store, again.storage, 'review', sessionId)).rejects.toMatchObject({
      code: 'session-of-another-team',
    });
  });

  it('is refused where there is none, and a part of an id is no id', async () => {
    const { home, sessionId } = await leaveSession();
    const { coordinator } = await openTeamBench({ home });
    for (const id of ['ses_nothing', sessionId.slice(0, -1)])
      await expect(coordinator.setTeam(makeTeam(), { resumeSessionId: id })).rejects.toMatchObject({ code: 'session-not-found' });
  });

  it('with a damaged snapshot goes on from the log, with a warning', async () => {
    const { home, sessionId } = await leaveSession();
    const [file] = await readdir(folderOf(home));
    await writeFile(join(folderOf(home), file as string), '{"half');
    const { coordinator, said, heard } = await openTeamBench({ home });
    await coordinator.setTeam(makeTeam(), { resumeSessionId: sessionId });
    expect(said().length).toBe(3);
    expect(heard('warning')).toMatchObject([{ error: { code: 'session-damaged' } }]);
  });

  it('keeps a second process out while it is open', async () => {
    const { home, coordinator } = await openTeamBench();
    const { sessionId } = await coordinator.setTeam(makeTeam());
    await coordinator.sendMessage('mine');
    const second = await openTeamBench({ home });
    await expect(second.coordinator.setTeam(makeTeam(), { resumeSessionId: sessionId })).rejects.toMatchObject({
      code: 'conversation-locked',
    });
  });
});
