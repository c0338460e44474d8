import { describe, expect, it } from 'vitest';
import { findTime } from './time-expression.ts';

// Wednesday, 4 March 2026, 14:00 on a clock eight hours ahead of UTC.
const at = { now: Date.UTC(2026, 2, 4, 6), offsetMinutes: 480 };

const table: [string, string, string][] = [
  ['今天', '03-04 00:00', '03-05 00:00'],
  ['昨天', '03-03 00:00', '03-04 00:00'],
  ['昨天下午', '03-03 12:00', '03-03 18:00'],
  ['昨晚', '03-03 18:00', '03-04 05:00'],
  ['今早', '03-04 04:00', '03-04 12:00'],
  ['前天', '03-02 00:00', '03-03 00:00'],
  ['大前天', '03-01 00:00', '03-02 00:00'],
  ['3 天前', '03-01 00:00', '03-02 00:00'],
  ['三天前', '03-01 00:00', '03-02 00:00'],
  ['两天前', '03-02 00:00', '03-03 00:00'],
  ['几天前', '02-25 00:00', '03-04 00:00'],
  ['上周', '02-23 00:00', '03-02 00:00'],
  ['上个星期', '02-23 00:00', '03-02 00:00'],
  ['上上周', '02-16 00:00', '02-23 00:00'],
  ['这周', '03-02 00:00', '03-09 00:00'],
  ['上周三', '02-25 00:00', '02-26 00:00'],
  ['周一', '03-02 00:00', '03-03 00:00'],
  ['上周末', '02-28 00:00', '03-02 00:00'],
  ['上个月', '02-01 00:00', '03-01 00:00'],
  ['上个月5号', '02-05 00:00', '02-06 00:00'],
  ['2月14号', '02-14 00:00', '02-15 00:00'],
  ['2026-02-14', '02-14 00:00', '02-15 00:00'],
  ['两周前', '02-15 00:00', '02-22 00:00'],
  ['两小时前', '03-04 11:00', '03-04 13:00'],
  ['半小时前', '03-04 13:00', '03-04 14:00'],
  ['十分钟前', '03-04 13:40', '03-04 14:00'],
  ['today', '03-04 00:00', '03-05 00:00'],
  ['Yesterday', '03-03 00:00', '03-04 00:00'],
  ['yesterday evening', '03-03 17:00', '03-04 00:00'],
  ['the day before yesterday', '03-02 00:00', '03-03 00:00'],
  ['last night', '03-03 18:00', '03-04 05:00'],
  ['this morning', '03-04 04:00', '03-04 12:00'],
  ['last week', '02-23 00:00', '03-02 00:00'],
  ['the week before last', '02-16 00:00', '02-23 00:00'],
  ['last month', '02-01 00:00', '03-01 00:00'],
  ['on Monday', '03-02 00:00', '03-03 00:00'],
  ['last Friday', '02-27 00:00', '02-28 00:00'],
  ['last Wednesday', '02-25 00:00', '02-26 00:00'],
  ['over the weekend', '02-28 00:00', '03-02 00:00'],
  ['3 days ago', '03-01 00:00', '03-02 00:00'],
  ['two weeks ago', '02-15 00:00', '02-22 00:00'],
  ['a couple of days ago', '03-02 00:00', '03-03 00:00'],
  ['an hour ago', '03-04 12:30', '03-04 13:30'],
  ['the other day', '02-22 00:00', '03-04 00:00'],
  ['on February 14th', '02-14 00:00', '02-15 00:00'],
  ['先週', '02-23 00:00', '03-02 00:00'],
  ['昨夜', '03-03 18:00', '03-04 05:00'],
  ['어제', '03-03 00:00', '03-04 00:00'],
  ['지난주', '02-23 00:00', '03-02 00:00'],
  ['3일 전', '03-01 00:00', '03-02 00:00'],
];

describe('findTime', () => {
  it.each(table)('reads %j as %s to %s', (text, from, to) => {
    for (const [before, after] of [
      ['', ''],
      ['我们', '的讨论'],
      ['the talk ', ' about it'],
    ] as const) {
      const time = findTime(`${before}${text}${after}`, at);
      expect(time && { from: toLocal(time.from), to: toLocal(time.to), start: time.start }).toEqual({
        from,
        to,
        start: before.length,
      });
    }
  });

  it.each(['navigation', '早上好', '前天线的位置'.slice(2), 'todays3', 'weekend plans', '明天', 'in two days', '下周'])(
    'finds no past time in %j',
    (text) => {
      expect(findTime(text, at)).toBeUndefined();
    },
  );

  it('follows the clock of the person, not the one of the machine', () => {
    const now = Date.UTC(2026, 2, 4, 23);
    expect(findTime('today', { now, offsetMinutes: 480 })?.from).toBe(Date.UTC(2026, 2, 4, 16));
    expect(findTime('today', { now, offsetMinutes: -480 })?.from).toBe(Date.UTC(2026, 2, 4, 8));
    expect(findTime('today', { now })?.from).toBe(Date.UTC(2026, 2, 4));
  });

  it('takes the newest date that is not in the future', () => {
    expect(findTime('12月5日', at)?.from).toBe(Date.UTC(2025, 11, 4, 16));
  });
});

function toLocal(moment: number): string {
  return new Date(moment + at.offsetMinutes * 60_000).toISOString().slice(5, 16).replace('T', ' ');
}
