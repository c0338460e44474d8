// An error on its way out: one sentence in the user's language, or one JSON object, and an exit code.
import { CommanderError } from 'commander';
import { ContinuoError, type ErrorDetails, fillTemplate } from '../model/error.ts';
import type { ErrorCode } from '../model/error-codes.ts';
import { exitCodes } from './exit-codes.ts';
import type { Messages } from './messages/messages.ts';
import { plainText } from './output/plain-text.ts';
import { safeJson } from './output/safe-json.ts';
import type { Style } from './output/style.ts';

export interface ErrorReport {
  exitCode: number;
  text: string;
}

export interface ReportOptions {
  text: Messages;
  style: Style;
  json: boolean;
  /** Adds where in the program it happened. */
  debug: boolean;
  /** The command that was called, where one was: its help is the nearest. */
  command?: string;
  /** What to do about it, where the sentence itself cannot know. */
  cure?: string;
  /** What is said instead of the error's own sentence. */
  instead?: string;
}

export function reportError(error: unknown, options: ReportOptions): ErrorReport {
  const { text, style, json, debug, command, cure } = options;
  const known = toKnownError(error, text, command);
  const sentence = options.instead ?? describeError(known, text);
  const message = cure === undefined ? sentence : sentence + text.sentenceGap + cure;
  const exitCode = exitCodes[known.code];
  if (json) {
    const { reason: _reason, ...usageDetails } = known.details;
    const details = known.code === 'usage' ? usageDetails : known.details;
    return { exitCode, text: safeJson({ error: { code: known.code, message, details } }) };
  }
  const trace = debug ? `\n${style.dim(plainText(traceOf(error)))}` : '';
  return { exitCode, text: `${style.red(text.errorHeading)}${plainText(message)}${trace}` };
}

/** The sentence for an error, with the details put in. */
export function describeError({ code, details }: Pick<ContinuoError, 'code' | 'details'>, text: Messages): string {
  return fillSentence(text.errors[code], details, text);
}

/** A sentence with places for details, in words people read. */
export function fillSentence(template: string, details: ErrorDetails, text: Messages): string {
  const readableDetails = Object.fromEntries(Object.entries(details).map(([name, value]) => [name, readable(value, text)]));
  return fillTemplate(settlePlurals(template, details), readableDetails);
}

/** The same for an error that came as data: as it was said, where its code and details do not tell all of it. */
export function describeTold(told: { code: string; message: string; details?: ErrorDetails }, text: Messages): string {
  const { code, message, details } = told;
  if (details === undefined || !Object.hasOwn(text.errors, code)) return message;
  return describeError({ code: code as ErrorCode, details }, text);
}

/** Templates say "{count} fork(s)"; with the number at hand it is one fork or several. */
function settlePlurals(template: string, details: ErrorDetails): string {
  return template.replace(
    /\{(\w+)\} (\w+)\(s\)/g,
    (_, name: string, noun: string) => `{${name}} ${noun}${details[name] === 1 ? '' : 's'}`,
  );
}

function readable(value: ErrorDetails[string], text: Messages): ErrorDetails[string] {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? text.translateReason(value) : value;
}

function toKnownError(error: unknown, text: Messages, command: string | undefined): ContinuoError {
  if (error instanceof ContinuoError) return error;
  if (error instanceof CommanderError) return new ContinuoError('usage', { reason: describeUsage(error, text, command) });
  // Whatever asked for the working folder: it was deleted meanwhile.
  if ((error as NodeJS.ErrnoException | null)?.syscall === 'uv_cwd')
    return new ContinuoError('no-working-folder', {}, { cause: error });
  const reason = error instanceof Error ? error.message : String(error);
  return new ContinuoError('internal', { reason }, { cause: error });
}

/** Commander speaks English only: its codes and the words it quotes are enough to say the same in any language. */
function describeUsage({ code, message }: CommanderError, { usage, sentenceGap }: Messages, command: string | undefined): string {
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? '';
  const suggestion = /\(Did you mean (?:one of )?([^?]*)\?\)/.exec(message)?.[1];
  const hint = suggestion === undefined ? usage.seeHelp(command) : usage.didYouMean(suggestion);
  const sentences: Readonly<Record<string, string>> = {
    'commander.missingArgument': usage.missingArgument(quoted),
    'commander.optionMissingArgument': usage.optionNeedsValue(quoted),
    'commander.unknownOption': usage.unknownOption(quoted),
    'commander.unknownCommand': usage.unknownCommand(quoted),
    'commander.excessArguments': usage.tooManyArguments,
  };
  return (sentences[code] ?? message.replace(/^error: /, '')) + sentenceGap + hint;
}

function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? (error.stack ?? error.message) : `${error.stack}\n  because: ${traceOf(error.cause)}`;
}
