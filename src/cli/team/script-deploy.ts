// One turn of a team for a script: what the members say on stdout, everything else on stderr; or JSON, at the end or while it
// happens. Nothing is asked: whoever wants an earlier session names it.
import type { TurnOutcome } from '../../team/coordinator.ts';
import type { Team } from '../../team/team-definition.ts';
import type { TeamEvent } from '../../team/team-event.ts';
import { hintLocked } from '../chat/locked.ts';
import type { Context } from '../context.ts';
import { exitCodes, exitStatus } from '../exit-codes.ts';
import { plainText } from '../output/plain-text.ts';
import { safeJson } from '../output/safe-json.ts';
import { type ChosenSession, chooseSession } from './choose-session.ts';
import type { DeployPlan } from './deploy-options.ts';
import { type OpenTeam, openTeam } from './open-team.ts';
import { describeLeft, describeTeamEvent, nameOf } from './team-view.ts';

export async function runTeamScript(context: Context, team: Team, plan: DeployPlan, said: string): Promise<number | undefined> {
  const opened = await openTeam(context, team, plan);
  try {
    return await deployOnce(context, opened, plan, said);
  } finally {
    await opened.close();
  }
}

async function deployOnce(context: Context, opened: OpenTeam, plan: DeployPlan, said: string): Promise<number | undefined> {
  const { coordinator, team, store } = opened;
  const chosen = await chooseSession(context, opened, plan.wanted);
  const { resumeSessionId } = chosen;
  const saved = { path: undefined as string | undefined };
  coordinator.listen((event) => {
    if (event.type === 'saved') saved.path = event.path;
    show(context, opened, plan, event);
  });
  const options = resumeSessionId === undefined ? {} : { resumeSessionId };
  const session = await hintLocked(context, store, () => coordinator.setTeam(team, options));
  const limit = plan.timeout === undefined ? undefined : AbortSignal.timeout(plan.timeout);
  const outcome = await coordinator.sendMessage(said, limit && { signal: limit });
  const { conversationId } = coordinator;
  await coordinator.stop();
  if (context.output.json && !plan.streamJson) {
    context.output.result(toJson(opened, chosen, session, outcome, conversationId, saved.path), () => []);
  } else if (!plan.streamJson) {
    if (isUnanswered(outcome)) context.output.note(context.style.yellow(context.text.team.nobodyAnswered));
    context.output.note(context.style.dim(describeLeft(context, coordinator)));
  }
  return statusOf(outcome);
}

function show(context: Context, { team }: OpenTeam, plan: DeployPlan, event: TeamEvent): void {
  const { output, style } = context;
  if (plan.streamJson) {
    void output.write(`${safeJson(event)}\n`);
    return;
  }
  if (output.json) return;
  const message = event.type === 'member-ended' || event.type === 'member-failed' ? event.message : undefined;
  if (message && event.type !== 'message')
    output.line(`${style.bold(nameOf(team, message.speaker.id))}:`, plainText(message.content).trimEnd(), '');
  const note = describeTeamEvent(context, team, event);
  if (note) output.note(note.isWarning ? style.yellow(note.text) : style.dim(note.text));
}

function toJson(
  { team }: OpenTeam,
  { history, resumeSessionId }: ChosenSession,
  { sessionId, left }: Awaited<ReturnType<OpenTeam['coordinator']['setTeam']>>,
  outcome: TurnOutcome,
  conversationId: string | undefined,
  snapshot: string | undefined,
): object {
  return {
    team: { id: team.id, name: team.name },
    sessionId,
    conversationId: conversationId ?? null,
    resumed: resumeSessionId !== undefined,
    reason: outcome.reason,
    waitingFor: outcome.waitingForRoleId ?? null,
    messages: outcome.messages,
    failed: outcome.failed,
    left,
    snapshot: snapshot ?? null,
    /** How many sessions there were before this turn. */
    sessions: history.length,
  };
}

/** Whoever fails does not sink the round; where nobody could speak, or nobody was called, that is a failure. */
function statusOf(outcome: TurnOutcome): number {
  const { failed, reason } = outcome;
  if (reason === 'cancelled') return exitStatus.interrupted;
  if (reason === 'timeout') return exitCodes.timeout;
  if (hasAnswer(outcome)) return exitStatus.ok;
  const [first] = failed;
  return first ? exitCodes[first.error.code] : exitStatus.failed;
}

/** Nobody was called who could have answered. */
function isUnanswered(outcome: TurnOutcome): boolean {
  const { failed, reason } = outcome;
  return !hasAnswer(outcome) && failed.length === 0 && reason !== 'cancelled' && reason !== 'timeout';
}

function hasAnswer({ messages }: TurnOutcome): boolean {
  return messages.some(({ speaker, interrupted }) => speaker.type === 'ai' && !interrupted);
}
