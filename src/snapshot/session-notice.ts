// What an object that can be restored tells about its saves and restores: data for whoever shows it, and a sentence in English.
// Failures carry the code and details of their error, so that doors translate them as they do every error.
import { ContinuoError, type ErrorDetails, fillTemplate } from '../model/error.ts';
import type { ErrorCode } from '../model/error-codes.ts';

export const sessionNoticeMessages = {
  'session-saved': 'The session is saved in {path} ({messages} messages).',
  'session-saved-masked': 'The session is saved in {path} ({messages} messages). {masked} secrets were masked.',
  'session-saved-beside': '{other} was changed by somebody else and stays as it is. From now on this session is saved in {path}.',
  'session-restored': 'The session of {savedAt} is restored from {path} ({messages} messages, {bytes} bytes).',
  'session-upgraded': 'The session file {path} is of an older version ({found}); it was brought up to {version}.',
  'session-not-chosen': 'No session was chosen; nothing was restored.',
} as const;

export type SessionNoticeCode = keyof typeof sessionNoticeMessages;

export interface SessionNotice {
  level: 'info' | 'warning' | 'error';
  /** Where it is no code of the table it is that of an error, or one of the subclass's own. */
  code: SessionNoticeCode | ErrorCode | (string & {});
  details: ErrorDetails;
  /** One sentence in English. */
  text: string;
}

export function createNotice(level: SessionNotice['level'], code: SessionNoticeCode, details: ErrorDetails): SessionNotice {
  return { level, code, details, text: fillTemplate(sessionNoticeMessages[code], details) };
}

export function noticeOfError(error: ContinuoError, level: SessionNotice['level'] = 'error'): SessionNotice {
  return { level, code: error.code, details: error.details, text: error.message };
}

/** The error where it has a code already; else the given one, with what was thrown as its reason. */
export function toCoded(error: unknown, code: ErrorCode, details: ErrorDetails = {}): ContinuoError {
  if (error instanceof ContinuoError) return error;
  return new ContinuoError(code, { ...details, reason: reasonOf(error) }, { cause: error });
}

export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/[.\s]+$/, '') || 'it gave no reason';
}
