// What went wrong, as it is said in a talk: one sentence in the language of the talk, and the next step where one is known.
import { isContinuoError } from '../../model/error.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { findCure, findInstead } from '../next-step.ts';
import { plainText } from '../output/plain-text.ts';

export function describeFault(context: Context, error: unknown): string {
  const { text } = context;
  if (!isContinuoError(error)) return plainText(`${text.errorHeading}${error instanceof Error ? error.message : String(error)}`);
  const cure = findCure(context, error);
  const sentence = findInstead(error) ?? describeError(error, text);
  return plainText([text.errorHeading + sentence, ...(cure === undefined ? [] : [cure])].join(text.sentenceGap));
}
