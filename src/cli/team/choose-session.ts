// Which session a team goes on with. Without a word of the user it is a new one; that there are others is said.
import { ContinuoError } from '../../model/error.ts';
import { getTeamSession, listTeamSessions, type TeamSessionRecord } from '../../team/list-sessions.ts';
import type { Context } from '../context.ts';
import { Interrupted } from '../interrupted.ts';
import { tellInstead } from '../next-step.ts';
import { formatAgo, formatMoment } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { askLine } from '../prompt/ask-line.ts';
import type { WantedSession } from './deploy-options.ts';
import type { OpenTeam } from './open-team.ts';

export interface ChosenSession {
  /** Undefined for a new session. */
  resumeSessionId: string | undefined;
  /** What there was before. */
  history: readonly TeamSessionRecord[];
}

export async function chooseSession(
  context: Context,
  { team, store, storage }: Pick<OpenTeam, 'team' | 'store' | 'storage'>,
  wanted: WantedSession,
): Promise<ChosenSession> {
  const history = await listTeamSessions(store, storage, team.id);
  if (wanted === 'latest' || typeof wanted === 'object') {
    const id = wanted === 'latest' ? undefined : wanted.id;
    if (id === undefined && history.length === 0)
      throw tellInstead(
        new ContinuoError('session-not-found', { id: 'latest', team: team.id }),
        context.text.team.noSessionYet(plainLine(team.name)),
      );
    return { resumeSessionId: (await getTeamSession(store, storage, team.id, id)).sessionId, history };
  }
  const [newest] = history;
  if (!newest) return { resumeSessionId: undefined, history };
  if (wanted === undefined && (await askToResume(context, newest))) return { resumeSessionId: newest.sessionId, history };
  if (wanted === 'new') context.output.note(context.style.dim(hintHistory(context, history, newest)));
  return { resumeSessionId: undefined, history };
}

function hintHistory({ text, now }: Context, history: readonly TeamSessionRecord[], newest: TeamSessionRecord): string {
  return text.team.historyHint(history.length, formatAgo(newest.updatedAt, now(), text.time), newest.messages);
}

/** When it was, how much was said, and what about. */
export function describeEarlier({ text, style }: Context, { updatedAt, messages, summary }: TeamSessionRecord): string[] {
  const about =
    summary === undefined || plainLine(summary) === '' ? [] : [style.dim(`  ${plainLine(summary).slice(0, 100).toWellFormed()}`)];
  return [text.team.found(formatMoment(updatedAt), messages), ...about];
}

/** Nothing but a clear word resumes or begins anew; whoever gives none is not seated. */
async function askToResume(context: Context, newest: TeamSessionRecord): Promise<boolean> {
  const words = context.text.team;
  process.stderr.write(`${[...describeEarlier(context, newest), ...words.choices].join('\n')}\n`);
  for (;;) {
    const typed = await askLine(words.choose);
    if (typed === undefined) throw new Interrupted();
    const answer = typed.trim().toLowerCase();
    if (['r', 'resume', '恢复'].includes(answer)) return true;
    if (['n', 'new', '开始新会话'].includes(answer)) return false;
    process.stderr.write(`${context.style.yellow(context.text.repl.noAnswer('r/n'))}\n`);
  }
}
