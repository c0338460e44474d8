// /team: which team is seated and who speaks, the teams there are, and seating one. Where a team has a history, nothing but a clear
// yes resumes it.
import { isContinuoError } from '../../../model/error.ts';
import { listTeamSessions, type TeamSessionRecord } from '../../../team/list-sessions.ts';
import { loadTeamFile } from '../../../team/team-file/load-team-file.ts';
import { plainLine } from '../../output/plain-text.ts';
import { describeEarlier } from '../../team/choose-session.ts';
import { collectTeams, findTeamFiles, printTeams } from '../../team/list-teams.ts';
import { describeFault } from '../describe-fault.ts';
import type { ReplHost, TeamTalk } from '../repl-host.ts';
import { completeFile, readFileName } from './complete-file.ts';
import { type SlashAction, takesNone, WrongUse } from './slash-command.ts';

const actions = ['deploy', 'list', 'status'];

export const team: SlashAction = {
  complete(words) {
    if (words.length === 1) return actions;
    return words[0] === 'deploy' && words.length === 2 ? completeTeamFile(words[1] ?? '') : [];
  },
  async run([action, ...rest], host) {
    if (action === 'deploy') await deploy(host, readFileName(rest));
    else if (action === 'list') {
      takesNone(rest);
      await printTeams(host.context, await collectTeams(host.context, host.store));
    } else if (action === undefined || action === 'status') {
      takesNone(rest);
      showStatus(host);
    } else throw new WrongUse();
  },
};

async function deploy(host: ReplHost, file: string): Promise<void> {
  const words = host.context.text.slash;
  if (file === '') throw new WrongUse();
  const loaded = await loadTeamFile(file);
  if (!host.deployTeam) {
    host.say(words.team.byCommand(plainLine(file)), 'note');
    return;
  }
  const newest = await findResumable(host, loaded.id);
  if (!newest) {
    await host.deployTeam(loaded, { file });
    return;
  }
  const choices = [
    { key: 'r', label: words.team.resume },
    { key: 'n', label: words.team.begin },
  ];
  const answer = await host.ask({ lines: describeEarlier(host.context, newest), choices });
  if (answer === undefined) host.say(words.turnedAway, 'note');
  else await host.deployTeam(loaded, { file, ...(answer === 'r' && { resumeSessionId: newest.sessionId }) });
}

/** The newest session that can be gone on with; what keeps newer ones from it is told. */
async function findResumable(host: ReplHost, teamId: string): Promise<TeamSessionRecord | undefined> {
  const files = await host.storage();
  for (const session of await listTeamSessions(host.store, files, teamId)) {
    const fault = await files.loadSession(teamId, session.sessionId).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!isContinuoError(fault, 'session-newer')) return session;
    host.say(describeFault(host.context, fault), 'warning');
  }
  return undefined;
}

function showStatus(host: ReplHost): void {
  const { current } = host;
  if (current.kind === 'team') host.say(describeStatus(host, current));
  else host.say(host.context.text.slash.team.none, 'note');
}

function describeStatus({ context: { text, style } }: ReplHost, talk: TeamTalk): string[] {
  const words = text.slash.team.status;
  const { team: seated, task, status, isSaved } = talk;
  const facts = [words.states[status], isSaved ? words.saved : words.unsaved];
  return [
    `${style.bold(words.head(plainLine(seated.name), plainLine(seated.id), talk.messages))} ${style.dim(`· ${facts.join(' · ')}`)}`,
    ...(task === undefined ? [] : [words.task(plainLine(task))]),
    ...seated.members.map(({ id, displayName, role, kind }) => {
      const place = talk.queue.indexOf(id);
      const turn = talk.speaking === id ? words.speaking : place >= 0 ? words.next(place + 1) : undefined;
      const about = [
        ...(role === undefined ? [] : [plainLine(role)]),
        text.team.kinds[kind],
        ...(turn === undefined ? [] : [turn]),
      ];
      return `  ${style.cyan(plainLine(displayName))} ${style.dim(`· ${about.join(' · ')}`)}`;
    }),
    style.dim(words.session(plainLine(talk.sessionId))),
  ];
}

async function completeTeamFile(typed: string): Promise<string[]> {
  const known = (await findTeamFiles()).filter((file) => file.startsWith(typed));
  const others = await completeFile(typed, (name) => /\.(?:json|toml)$/i.test(name));
  return [...new Set([...known, ...others])];
}
