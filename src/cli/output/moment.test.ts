import { describe, expect, it } from 'vitest';
import { en } from '../messages/en.ts';
import { zh } from '../messages/zh.ts';
import { formatAgo, formatMoment, parseMoment, parseSpan } from './moment.ts';

const now = Date.UTC(2026, 7, 1, 12, 0, 0);
const hour = 3_600_000;

describe('spans and moments', () => {
  it.each([
    ['45s', 45_000],
    ['30m', 30 * 60_000],
    ['12h', 12 * hour],
    ['7d', 7 * 24 * hour],
    ['1.5h', 1.5 * hour],
    ['2W', 14 * 24 * hour],
    ['1y', 365 * 24 * hour],
    ['7', undefined],
    ['d', undefined],
    ['-7d', undefined],
    ['7days', undefined],
  ])('reads the span %s', (text, milliseconds) => {
    expect(parseSpan(text)).toBe(milliseconds);
  });

  it.each([
    ['7d', now - 7 * 24 * hour],
    ['2026-07-01', Date.UTC(2026, 6, 1)],
    ['2026-07-01T08:30', Date.UTC(2026, 6, 1, 8, 30)],
    ['2026-07-01 08:30:15', Date.UTC(2026, 6, 1, 8, 30, 15)],
    ['2026-07-01T08:30Z', Date.UTC(2026, 6, 1, 8, 30)],
    ['2026-07-01T08:30+08:00', Date.UTC(2026, 6, 1, 0, 30)],
    ['2026-02-31', undefined],
    ['2026-13-01', undefined],
    ['yesterday-ish', undefined],
    ['', undefined],
  ])('reads the moment %j', (text, moment) => {
    expect(parseMoment(text, now)).toBe(moment);
  });

  it.each([
    [0, 'just now', '刚刚'],
    [59_000, 'just now', '刚刚'],
    [60_000, '1 minute ago', '1 分钟前'],
    [59 * 60_000, '59 minutes ago', '59 分钟前'],
    [3 * hour, '3 hours ago', '3 小时前'],
    [25 * hour, '1 day ago', '1 天前'],
    [29 * 24 * hour, '29 days ago', '29 天前'],
    [31 * 24 * hour, '2026-07-01', '2026-07-01'],
    [-30_000, 'just now', '刚刚'],
    [-48 * hour, '2026-08-03', '2026-08-03'],
  ])('says how long ago %i ms are', (past, english, chinese) => {
    expect(formatAgo(now - past, now, en.time)).toBe(english);
    expect(formatAgo(now - past, now, zh.time)).toBe(chinese);
  });

  it('writes a moment the same way in every language', () => {
    expect(formatMoment(Date.UTC(2026, 0, 2, 3, 4))).toBe('2026-01-02 03:04');
  });
});
