// Option values as commands need them. A value that makes no sense is refused with the option's name, never guessed at.
import type { Context } from './context.ts';
import { parseMoment, parseSpan } from './output/moment.ts';
import { usageError } from './usage-error.ts';

type Speaking = Pick<Context, 'text'>;

export function readCount(context: Speaking, flag: string, value: string, least = 1): number {
  const count = /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(count) && count >= least) return count;
  throw usageError(context.text.usage.notACount(flag, value, least));
}

export function readMoment(context: Speaking & Pick<Context, 'now'>, flag: string, value: string): number {
  const moment = parseMoment(value, context.now());
  if (moment !== undefined) return moment;
  throw usageError(context.text.usage.notAMoment(flag, value));
}

export function readSpan(context: Speaking, flag: string, value: string): number {
  const span = parseSpan(value);
  if (span !== undefined && span > 0) return span;
  throw usageError(context.text.usage.notASpan(flag, value));
}

/** Seconds, or a span with its unit; in milliseconds. */
export function readTime({ text }: Speaking, flag: string, value: string): number {
  const time = /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : parseSpan(value);
  if (time !== undefined && time > 0) return time;
  throw usageError(text.chat.notSeconds(flag, value));
}

export function readChoice<Choice extends string>(
  context: Speaking,
  flag: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw usageError(context.text.usage.notAChoice(flag, value, choices.join(', ')));
}

/** For options that may be given several times. */
export function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}
