import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSnapshot } from '../../../../test/support/session-snapshots.ts';
import { openTalk } from '../../../../test/support/talk-host.ts';
import { FileSystemStorageService } from '../../../snapshot/file-system-storage-service.ts';
import { createTeam } from '../../../team/team-definition.ts';
import { sessionKey } from '../../../team/team-log.ts';
import type { Language } from '../../messages/messages.ts';
import type { TeamTalk } from '../repl-host.ts';

const file = {
  id: 'review',
  name: 'Review',
  members: [
    { kind: 'human' as const, id: 'max', name: 'Max', role: 'Owner' },
    { kind: 'model' as const, id: 'ana', name: 'Ana', displayName: '安娜', role: 'Reviewer' },
    { kind: 'model' as const, id: 'bob', name: 'Bob' },
  ],
};

async function openFolder(language: Language = 'en', saved = 0) {
  const bench = await openTalk(language);
  const path = join(bench.folder, 'review.json');
  writeFileSync(path, JSON.stringify(file));
  if (saved > 0) await new FileSystemStorageService({ home: bench.home }).saveSession('review', createSnapshot(saved));
  return { ...bench, path };
}

describe('/team deploy', () => {
  it('seats a team without a history at once', async () => {
    const { type, calls, asked, path } = await openFolder();
    expect(await type(`/team deploy ${path}`)).toEqual([]);
    expect([calls, asked]).toEqual([[['deploy', 'review', { file: path }]], []]);
  });

  it.each([
    ['en', 'Found an earlier session (2025-11-25 14:00, 10 messages).', 'Resume', 'Start new'],
    ['zh', '发现历史会话（2025-11-25 14:00，10 条消息）。', '恢复', '开始新会话'],
  ] as const)('shows when and how many messages and asks R or N (%s)', async (language, found, resume, begin) => {
    const { type, calls, asked, answers, path } = await openFolder(language, 10);
    answers.push('r', 'n');
    await type(`/team deploy ${path}`);
    await type(`/team deploy "${path}"`);
    expect(asked).toEqual(
      Array(2).fill({
        lines: [found, '  about the parser'],
        choices: [
          { key: 'r', label: resume },
          { key: 'n', label: begin },
        ],
      }),
    );
    expect(calls).toEqual([
      ['deploy', 'review', { file: path, resumeSessionId: 'ses_1' }],
      ['deploy', 'review', { file: path }],
    ]);
  });

  it('offers no session that it would refuse, and says why', async () => {
    const { type, calls, asked, answers, path, home, store } = await openFolder('en', 10);
    const [file] = readdirSync(join(home, 'sessions/review')).filter((name) => name.endsWith('.json'));
    const session = join(home, 'sessions/review', file ?? '');
    writeFileSync(session, readFileSync(session, 'utf8').replace(/("schemaVersion": ?)"1\.0"/, '$1"99.0"'));
    const { id } = await store.create({ team: 'review', key: sessionKey('ses_1') });
    await store.append(id, { kind: 'message', role: 'user', text: 'Go on' });
    answers.push('r');
    expect(await type(`/team deploy ${path}`)).toEqual([
      expect.stringMatching(/^warning: .*written by a newer Continuo \(version 99\.0/),
    ]);
    expect([asked, calls]).toEqual([[], [['deploy', 'review', { file: path }]]]);
  });

  it('does nothing without an answer: nothing resumes without a yes', async () => {
    const { type, calls, path } = await openFolder('en', 3);
    expect(await type(`/team deploy ${path}`)).toEqual(['note: Nothing was changed.']);
    expect(calls).toEqual([]);
  });

  it('tells what is wrong with the file, and the way where no team can be seated', async () => {
    const { type, host, path, folder } = await openFolder();
    expect(await type('/team deploy')).toEqual([expect.stringMatching(/^warning: Use it like this: \/team · /)]);
    expect(await type(`/team deploy ${join(folder, 'none.json')}`)).toEqual([
      expect.stringMatching(/^error: Error: .*none\.json/),
    ]);
    delete host.deployTeam;
    expect(await type(`/team deploy ${path}`)).toEqual([`note: Leave this talk first, then: continuo team deploy ${path}`]);
  });
});

describe('/team', () => {
  it('lists the teams of the folder and completes their files', async () => {
    const { type, folder, complete } = await openFolder();
    writeFileSync(join(folder, 'team.json'), JSON.stringify({ ...file, id: 'plan', name: 'Planning' }));
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    expect((await type('/team list')).join('\n')).toMatch(/^plain: TEAM .*\nplan .*team\.json +Planning/);
    expect(await complete('/team deploy ')).toEqual(['team.json', 'review.json']);
  });

  it('says who is seated, who speaks now and who is next', async () => {
    const { type, host } = await openFolder();
    const seated: TeamTalk = {
      kind: 'team',
      id: undefined,
      title: undefined,
      isBusy: true,
      team: createTeam(file),
      file: 'team.json',
      sessionId: 'ses_1',
      status: 'active',
      messages: 3,
      task: 'Ship it',
      speaking: 'ana',
      queue: ['bob'],
      isSaved: false,
    };
    Object.defineProperty(host, 'current', { value: seated });
    const told = [
      [
        'plain: Review (review) · 3 messages · at work · snapshot due; the log has everything',
        'Task: Ship it',
        '  Max · Owner · human',
        '  安娜 · Reviewer · model · speaks now',
        '  Bob · model · speaks next (1)',
        'Session ses_1',
      ].join('\n'),
    ];
    expect([await type('/team'), await type('/team status')]).toEqual([told, told]);
  });

  it('says that no team is seated, and how to be called', async () => {
    const { type } = await openTalk('zh');
    expect(await type('/team')).toEqual(['note: 没有部署团队。部署一个：/team deploy 文件']);
    expect(await type('/team sing')).toEqual(['warning: 用法：/team · /team list · /team status · /team deploy 文件']);
    expect(await type('/team list all')).toEqual(['warning: 用法：/team · /team list · /team status · /team deploy 文件']);
  });
});
