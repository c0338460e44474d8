// What saving and restoring a session tells, as people read it: in their language, shown once, and kept for the report.
import type { ErrorDetails } from '../../model/error.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import type { SessionNotice } from '../../snapshot/session-notice.ts';
import type { Context } from '../context.ts';
import { describeTold, fillSentence } from '../error-report.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { formatSize } from '../output/size.ts';

/** A notice as a program reads it. */
export interface NoticeJson {
  level: SessionNotice['level'];
  code: string;
  message: string;
  details: ErrorDetails;
}

export class NoticeDesk {
  /** What is worth a program's attention, in order. */
  readonly told: NoticeJson[] = [];
  /** The last save that was made. */
  saved: SessionNotice | undefined;
  /** A restore is under way: what ends it is thrown, not told. */
  isRestoring = false;
  readonly #context: Context;
  readonly #show: (line: string) => void;
  readonly #isPassedOver: (notice: SessionNotice) => boolean;
  readonly #seen = new Set<string>();

  constructor(context: Context, show: (line: string) => void, isPassedOver: (notice: SessionNotice) => boolean) {
    this.#context = context;
    this.#show = show;
    this.#isPassedOver = isPassedOver;
  }

  /** A session is saved again and again: only what is new is told. */
  take(notice: SessionNotice): void {
    if (notice.code === 'session-saved' || notice.code === 'session-saved-masked') {
      this.saved = notice;
      return;
    }
    if ((this.isRestoring && notice.level === 'error') || this.#isPassedOver(notice)) return;
    const { level, code, details } = notice;
    const { style, text } = this.#context;
    const said = describeNotice(this.#context, notice);
    // The reason of a fault may be another one each time, by the name of a temporary file.
    const kind = level === 'error' ? `${code} ${details.path}` : said;
    if (this.#seen.has(kind)) return;
    this.#seen.add(kind);
    const message = level === 'error' ? said + text.sentenceGap + text.code.unsavedGoesOn : said;
    this.told.push({ level, code, message, details });
    this.#show((level === 'info' ? style.dim : style.yellow)(plainLine(message)));
  }
}

export function describeNotice(context: Context, notice: SessionNotice): string {
  const { text, now } = context;
  const { code, details, text: message } = notice;
  const template = Object.hasOwn(text.code.notices, code) ? text.code.notices[code] : undefined;
  if (template === undefined) return describeTold({ code, message, details }, text);
  const { savedAt, bytes } = details;
  return fillSentence(
    template,
    {
      ...details,
      ...(typeof savedAt === 'string' && { savedAt: formatAgo(Date.parse(savedAt), now(), text.time) }),
      ...(typeof bytes === 'number' && { bytes: formatSize(bytes) }),
    },
    text,
  );
}

/** Why nothing was restored, as the error it was. */
export function errorOf({ code, details }: SessionNotice): ContinuoError {
  return new ContinuoError(code as ErrorCode, details);
}
