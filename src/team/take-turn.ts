// A member's turn at the table, from the prompt to the log: what it says is kept while it is said, recorded when it ends, and read for
// markers. A member that fails is told about; nothing of it is thrown but what the log cannot take.
import { ContinuoError } from '../model/error.ts';
import { AnswerDraft } from '../runtime/answer-draft.ts';
import type { ConversationMessage } from '../snapshot/session-snapshot.ts';
import { type MemberTurnOutcome, runMemberTurn } from './member-turn.ts';
import type { Speaker } from './members/speaker.ts';
import { parseMarkers, parseUnfinished } from './routing/parse-markers.ts';
import { resolveNames } from './routing/resolve-names.ts';
import type { AiMember } from './team-definition.ts';
import type { TeamEventBody } from './team-event.ts';
import { failureEvent } from './team-log.ts';
import { speakerOf, type TeamSeat } from './team-seat.ts';
import { toError, toTold } from './told.ts';

export interface TurnOptions {
  member: AiMember;
  round: number;
  turnId: string;
  signal: AbortSignal;
  tell(body: TeamEventBody): void;
}

export interface TakenTurn {
  /** What it said; undefined where it said nothing. */
  message?: ConversationMessage;
  error?: ContinuoError;
}

/** How far back a member's own last word is looked for. */
const memoryReach = 200;

export async function takeTurn(seat: TeamSeat, options: TurnOptions): Promise<TakenTurn> {
  const { log, team } = seat;
  const { member, round, turnId, tell } = options;
  const began = performance.now();
  tell({ type: 'member-started', member: member.id, round });
  let label: string | undefined;
  const speaker = speakerOf(member);
  const saying = (text: string) => ({ speaker, text, turnId, ...(label !== undefined && { model: label }) });
  const save = (text: string) => log.recordDraft(saying(parseUnfinished(text)));
  const draft = new AnswerDraft({ save, onSaved: () => undefined });
  const outcome = await speak(seat, options, draft, (name) => {
    label = name;
  });
  await draft.end();
  const milliseconds = Math.round(performance.now() - began);
  const { text, next, teamTask, todos } = parseMarkers(outcome.text);
  const named = resolveNames(next, team.members);
  // A member cannot call itself: it has just spoken.
  const ids = named.ids.filter((id) => id !== member.id);
  const { usage, session } = outcome;
  if (todos) tell({ type: 'todo', member: member.id, todos });
  if (session !== undefined) seat.programSessions[member.id] = session;
  const words = text === '' ? (teamTask ?? '') : text;
  const isSilent = words === '' && (outcome.error !== undefined || ids.length === 0);
  const error = outcome.error ?? (isSilent ? new ContinuoError('member-silent', { member: member.displayName }) : undefined);
  let message: ConversationMessage | undefined;
  if (isSilent) await log.endDraft();
  else {
    const said = { ...saying(words), next: error ? [] : ids, unknown: named.unknown, usage, interrupted: error !== undefined };
    const kept = { ...said, ...(session !== undefined && { programSession: session }) };
    message = await seat.record(kept, error ? undefined : teamTask, { endsDraft: true });
  }
  if (error) {
    await recordFailure(seat, options, error);
    tell({ type: 'member-failed', member: member.id, error: toTold(error), ...(message && { message }), milliseconds });
    return { error, ...(message && { message }) };
  }
  const repeated = seat.queue.add(ids, round + 1);
  if (named.unknown.length > 0 || repeated.length > 0)
    tell({ type: 'routing-skipped', member: member.id, unknown: named.unknown, repeated });
  tell({ type: 'member-ended', member: member.id, message: message as ConversationMessage, usage, milliseconds });
  return { message: message as ConversationMessage };
}

async function speak(
  seat: TeamSeat,
  { member, signal, tell }: TurnOptions,
  draft: AnswerDraft,
  onLabel: (label: string) => void,
): Promise<MemberTurnOutcome> {
  let speaker: Speaker;
  try {
    speaker = await seat.speakerFor(member);
  } catch (error) {
    return { text: '', usage: {}, error: toError(error) };
  }
  onLabel(speaker.label);
  return runMemberTurn({
    speaker,
    request: buildRequest(seat, member, speaker),
    member: member.displayName,
    timeout: member.timeout,
    maxCharacters: seat.team.limits.maxAnswerCharacters,
    signal,
    onEvent: (event) => {
      if (event.type === 'text-delta') draft.push(event.text);
      if (event.type !== 'session' && event.type !== 'finish') tell({ ...event, member: member.id });
    },
  });
}

/** A program that remembers is told what was said since; the whole is there for one that turns out not to. */
function buildRequest({ context, prompts, programSessions }: TeamSeat, member: AiMember, { contextTokens }: Speaker) {
  const session = programSessions[member.id];
  const room = contextTokens === undefined ? {} : { maxTokens: Math.floor(contextTokens / 2) };
  const whole = prompts.build(member, context, room);
  const lastWords = findQuestion(context.messages, member);
  if (session === undefined) return { ...whole, lastWords };
  const from = context.placeAfter(member.id, memoryReach);
  const { prompt } = from === 0 ? whole : prompts.build(member, context, { ...room, from });
  return { ...whole, prompt, wholePrompt: whole.prompt, lastWords, session };
}

/** The last words of whoever called the member, or of a human: what others said meanwhile was not said to it. */
function findQuestion(messages: readonly ConversationMessage[], { id }: AiMember): string {
  const isAsking = ({ speaker, content, routing }: ConversationMessage) =>
    content !== '' && (speaker.type === 'human' || (Array.isArray(routing?.next) && routing.next.includes(id)));
  return (messages.findLast(isAsking) ?? messages.at(-1))?.content ?? '';
}

async function recordFailure(
  { log }: TeamSeat,
  { member, turnId }: TurnOptions,
  { code, message }: ContinuoError,
): Promise<void> {
  const meta = { team: { member: member.id } };
  await log.recordEvent({ kind: 'event', name: failureEvent, code, text: message, turnId, meta });
}
