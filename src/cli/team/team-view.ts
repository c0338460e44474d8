// What happens in a team, as lines for people. What a terminal could obey is made visible first.
import type { ConversationId } from '../../model/id.ts';
import type { Coordinator } from '../../team/coordinator.ts';
import type { Team } from '../../team/team-definition.ts';
import { findMember } from '../../team/team-definition.ts';
import type { TeamEvent, TeamEventOf, Told } from '../../team/team-event.ts';
import type { Context } from '../context.ts';
import { describeTold } from '../error-report.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import type { TeamTalk } from '../repl/repl-host.ts';

/** A seated team as slash commands see it. */
export function viewTeamTalk(coordinator: Coordinator, team: Team, more: TeamTalkNow): TeamTalk {
  return {
    kind: 'team',
    id: coordinator.conversationId as ConversationId | undefined,
    title: team.name,
    team,
    sessionId: coordinator.sessionId ?? '',
    status: coordinator.status,
    messages: coordinator.context?.messages.length ?? 0,
    task: coordinator.context?.teamTask ?? undefined,
    queue: coordinator.routingQueue,
    ...more,
  };
}

/** What only the talk knows. */
export type TeamTalkNow = Pick<TeamTalk, 'isBusy' | 'file' | 'speaking' | 'isSaved'>;

/** Who is in it, and how much was said before. */
export function describeTeamStart({ text }: Context, { name, members }: Team, messages: number): string {
  const names = members.map(({ displayName, role }) => plainLine(role === undefined ? displayName : `${displayName} (${role})`));
  return text.team.start(plainLine(name), names.join(text.team.between), messages);
}

/** How to come back to a session that is left. */
export function describeLeft({ text }: Context, { policy, sessionId = '' }: Coordinator): string {
  return policy?.kind === 'none' ? text.chat.leftUnkept : text.team.left(sessionId);
}

export interface NoteLine {
  text: string;
  isWarning: boolean;
}

/** The line an event is worth beside what is said; undefined where it is worth none. */
export function describeTeamEvent(context: Context, team: Team, event: TeamEvent): NoteLine | undefined {
  const { text } = context;
  const words = text.team;
  const note = (line: string): NoteLine => ({ text: plainLine(line), isWarning: false });
  const warning = (line: string): NoteLine => ({ text: plainLine(line), isWarning: true });
  switch (event.type) {
    case 'member-failed':
      if (event.error.code === 'cancelled') return undefined;
      return warning(words.memberFailed(nameOf(team, event.member), describeTeamFault(context, event.error)));
    case 'member-left':
      return warning(words.memberLeft(event.name, event.messages));
    case 'routing-skipped':
      return event.unknown.length === 0
        ? undefined
        : warning(words.unknownNames(nameOf(team, event.member), event.unknown.join(words.between)));
    case 'task-changed':
      return note(words.taskChanged(event.teamTask));
    case 'todo':
      return note(words.todo(nameOf(team, event.member), formatTodos(event)));
    case 'waiting-for-human':
      return describeWait(context, team, event);
    case 'save-skipped':
      return warning(words.saveSkipped);
    case 'warning':
      // Which file it is and why was told by who looked at it.
      if (event.error.code === 'session-damaged') return note(words.fromLogAlone);
      return warning(describeTeamFault(context, event.error));
    case 'save-failed':
      return warning(describeTeamFault(context, event.error));
    default:
      return undefined;
  }
}

export function describeTeamFault({ text }: Context, error: Told): string {
  return plainText(describeTold(error, text));
}

export function nameOf(team: Team, id: string): string {
  return plainLine(findMember(team, id)?.displayName ?? id);
}

function describeWait(
  { text }: Context,
  team: Team,
  { reason, pending, member }: TeamEventOf<'waiting-for-human'>,
): NoteLine | undefined {
  const words = text.team;
  if (reason === 'round-limit') {
    const names = pending.map((id) => nameOf(team, id)).join(words.between);
    return { text: words.roundLimit(team.limits.maxRounds, names), isWarning: true };
  }
  if (reason === 'addressed') return { text: words.addressed(nameOf(team, member)), isWarning: false };
  if (reason === 'timeout') return { text: words.timedOut, isWarning: true };
  return reason === 'cancelled' ? { text: words.stopped, isWarning: false } : undefined;
}

function formatTodos({ todos }: TeamEventOf<'todo'>): string {
  const marks = { open: '☐', active: '▸', done: '☑' };
  return todos.map(({ text, state }) => `${marks[state]} ${text}`).join('  ');
}
