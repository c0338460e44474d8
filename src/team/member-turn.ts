// One turn of one member within its limits of time and length. It always comes to an end: who hangs is left behind, who floods is cut
// off, and what had been said by then is given back with what went wrong.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unlessAborted } from '../base/unless-aborted.ts';
import { ContinuoError } from '../model/error.ts';
import type { TokenUsage } from '../model/ports/text-model.ts';
import type { Speaker, SpeakerEvent, SpeakerRequest } from './members/speaker.ts';

export interface MemberTurnOptions {
  speaker: Speaker;
  request: Omit<SpeakerRequest, 'signal'>;
  /** For messages. */
  member: string;
  timeout: number;
  maxCharacters: number;
  signal: AbortSignal;
  /** Called with what comes, in order. What it throws ends the turn and is thrown on. */
  onEvent(event: SpeakerEvent): void;
}

export interface MemberTurnOutcome {
  text: string;
  usage: TokenUsage;
  session?: string;
  /** What went wrong; a turn that was cancelled has `cancelled`. */
  error?: ContinuoError;
}

const longestTimer = 2 ** 31 - 1;
/** So many events may come before timers get their turn. */
const breath = 500;
/** Thinking and events without words count for less than words, and do count. */
const slack = 8;

export async function runMemberTurn(options: MemberTurnOptions): Promise<MemberTurnOutcome> {
  const { speaker, request, member, timeout, maxCharacters } = options;
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, options.signal]);
  const tooLate = new ContinuoError('timeout', { what: member, seconds: timeout / 1000 });
  const timer = setTimeout(() => abort.abort(tooLate), Math.min(timeout, longestTimer));
  const outcome: MemberTurnOutcome = { text: '', usage: {} };
  let total = 0;
  let events = 0;
  const iterator = speaker.speak({ ...request, signal })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await unlessAborted(signal, iterator.next());
      signal.throwIfAborted();
      if (done) return outcome;
      const event = fit(value, maxCharacters - outcome.text.length);
      take(outcome, event, maxCharacters);
      tellListener(options, event);
      total += 1 + ('text' in value ? (value.text?.length ?? 0) : 0);
      if (event !== value || total > maxCharacters * slack)
        throw new ContinuoError('answer-too-long', { member, characters: maxCharacters });
      if (++events % breath === 0) await nextTurn();
    }
  } catch (error) {
    if (error instanceof ListenerFault) throw error.cause;
    return { ...outcome, error: readError(error, options.signal) };
  } finally {
    clearTimeout(timer);
    // Also ends what does not listen to its reader leaving. Not waited for: one that hangs would hang here again.
    abort.abort(new ContinuoError('cancelled'));
    iterator.return?.(undefined)?.catch(() => undefined);
  }
}

/** What the listener throws is no fault of the member. */
class ListenerFault extends Error {}

function tellListener({ onEvent }: MemberTurnOptions, event: SpeakerEvent): void {
  try {
    onEvent(event);
  } catch (cause) {
    throw new ListenerFault('', { cause });
  }
}

function fit(event: SpeakerEvent, room: number): SpeakerEvent {
  if (event.type !== 'text-delta' || event.text.length <= room) return event;
  return { ...event, text: event.text.slice(0, Math.max(0, room)).toWellFormed() };
}

function take(outcome: MemberTurnOutcome, event: SpeakerEvent, maxCharacters: number): void {
  if (event.type === 'text-delta') outcome.text += event.text;
  else if (event.type === 'session') outcome.session = event.id;
  else if (event.type === 'finish') {
    outcome.usage = event.usage;
    if (event.text !== undefined && event.text.trim() !== '') outcome.text = event.text.slice(0, maxCharacters).toWellFormed();
  }
}

function readError(error: unknown, cancelled: AbortSignal): ContinuoError {
  if (cancelled.aborted) {
    const { reason } = cancelled as { reason: unknown };
    return reason instanceof ContinuoError ? reason : new ContinuoError('cancelled', {}, { cause: reason });
  }
  if (error instanceof ContinuoError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ContinuoError('internal', { reason }, { cause: error });
}
