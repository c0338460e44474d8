// Moments of programs that do not say whether they count seconds or milliseconds.
import { type Fields, momentIn } from './fields.ts';

/** Milliseconds below this are of 1973; seconds below it reach beyond the year 5000. */
const firstMillisecond = 100_000_000_000;

/** A moment in whole milliseconds, from ISO text, seconds or milliseconds; undefined where none of the fields has one. */
export function looseMomentIn(fields: Fields, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name];
    const isSeconds = typeof value === 'number' && value > 0 && value < firstMillisecond;
    const moment = isSeconds ? Math.round(value * 1000) : momentIn(fields, name);
    if (moment !== undefined && moment > 0) return moment;
  }
  return undefined;
}
