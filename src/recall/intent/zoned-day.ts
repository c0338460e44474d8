// Calendar arithmetic at a fixed offset from UTC: the start of a day, a week, a month, a year where the person is.

/** Where the person is: the moment, and the minutes their clock is ahead of UTC (480 in China). */
export interface LocalNow {
  now: number;
  offsetMinutes?: number;
}

/** From the first moment (in milliseconds since 1970) up to, but not including, the second. */
export interface TimeRange {
  from: number;
  to: number;
}

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export class ZonedDay {
  readonly #offset: number;
  /** Midnight of the day, on the person's clock. */
  readonly start: number;

  constructor({ now, offsetMinutes = 0 }: LocalNow) {
    this.#offset = offsetMinutes * minute;
    this.start = Math.floor((now + this.#offset) / day) * day - this.#offset;
  }

  /** Whole days, counted from this one: -1 is yesterday. */
  days(first: number, count = 1): TimeRange {
    return { from: this.start + first * day, to: this.start + (first + count) * day };
  }

  /** Hours of one day; past 24 they reach into the next morning. */
  hours(dayOffset: number, fromHour: number, toHour: number): TimeRange {
    const midnight = this.start + dayOffset * day;
    return { from: midnight + fromHour * hour, to: midnight + toHour * hour };
  }

  /** Calendar weeks, Monday to Sunday: -1 is last week. */
  week(offset: number): TimeRange {
    return this.days(offset * 7 - this.weekday + 1, 7);
  }

  /** Calendar months: -1 is last month. */
  month(offset: number): TimeRange {
    const { year, month } = this.#date();
    return { from: this.#midnight(year, month + offset, 1), to: this.#midnight(year, month + offset + 1, 1) };
  }

  year(offset: number): TimeRange {
    const { year } = this.#date();
    return { from: this.#midnight(year + offset, 0, 1), to: this.#midnight(year + offset + 1, 0, 1) };
  }

  /** A date; without a year the newest one that is not in the future. Undefined where there is no such date. */
  date(month: number, dayOfMonth: number, year?: number): TimeRange | undefined {
    const isReal = month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= 31;
    if (!isReal) return undefined;
    let from = this.#midnight(year ?? this.#date().year, month - 1, dayOfMonth);
    if (year === undefined && from > this.start) from = this.#midnight(this.#date().year - 1, month - 1, dayOfMonth);
    return { from, to: from + day };
  }

  /** 1 is Monday, 7 is Sunday. */
  get weekday(): number {
    return new Date(this.start + this.#offset).getUTCDay() || 7;
  }

  #date(): { year: number; month: number } {
    const local = new Date(this.start + this.#offset);
    return { year: local.getUTCFullYear(), month: local.getUTCMonth() };
  }

  #midnight(year: number, month: number, dayOfMonth: number): number {
    return Date.UTC(year, month, dayOfMonth) - this.#offset;
  }
}
