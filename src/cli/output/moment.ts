// Moments and spans of time, as people write and read them.
import type { Messages } from '../messages/messages.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day, w: 7 * day, y: 365 * day };

/** `90d`, `12h`, `30m`: the span in milliseconds; undefined where the text is none. */
export function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\s*([smhdwy])$/i.exec(text.trim()) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  return Math.round(Number(count) * (units[unit.toLowerCase()] as number));
}

/** A span counted back from now, or a date with or without a time in the user's own time zone. */
export function parseMoment(text: string, now: number): number | undefined {
  const span = parseSpan(text);
  if (span !== undefined) return now - span;
  const [, date, time] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?))?$/.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const moment = new Date(`${date}T${time ?? '00:00'}`);
  // JavaScript reads 31 February as 3 March: such a date is a slip.
  const isReal = !Number.isNaN(moment.getTime()) && new Date(`${date}T00:00Z`).toISOString().startsWith(date);
  return isReal ? moment.getTime() : undefined;
}

export function formatDate(moment: number): string {
  const date = new Date(moment);
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

export function formatMoment(moment: number): string {
  const date = new Date(moment);
  return `${formatDate(moment)} ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** "3 hours ago", as long as that says more than the date. */
export function formatAgo(moment: number, now: number, text: Messages['time']): string {
  const past = now - moment;
  if (past < -minute || past >= 30 * day) return formatDate(moment);
  if (past < minute) return text.justNow;
  if (past < hour) return text.minutesAgo(Math.floor(past / minute));
  if (past < day) return text.hoursAgo(Math.floor(past / hour));
  return text.daysAgo(Math.floor(past / day));
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}
