// Finds the words that say when ("昨天下午", "two weeks ago", "先週") and turns them into a range of moments.
// Only the past and today: nobody recalls what was said tomorrow.
import { day, hour, type LocalNow, minute, type TimeRange, ZonedDay } from './zoned-day.ts';

export interface TimeExpression extends TimeRange {
  /** Where the words stand in the text. */
  start: number;
  end: number;
}

/** The first expression of time in the text, the longest that begins there; undefined where there is none. */
export function findTime(text: string, at: LocalNow): TimeExpression | undefined {
  const today = new ZonedDay(at);
  let found: TimeExpression | undefined;
  for (const { pattern, range } of rules) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      const isBetter = !found || start < found.start || (start === found.start && end > found.end);
      if (!isBetter) continue;
      const moments = range(today, match, at.now);
      if (moments) found = { ...moments, start, end };
    }
  }
  return found;
}

interface Rule {
  pattern: RegExp;
  range: (today: ZonedDay, match: RegExpMatchArray, now: number) => TimeRange | undefined;
}

const chineseDays: Record<string, number> = {
  今天: 0,
  今日: 0,
  今: 0,
  昨天: -1,
  昨日: -1,
  昨: -1,
  前天: -2,
  大前天: -3,
};
const japaneseDays: Record<string, number> = { 昨日: -1, きのう: -1, 今日: 0, 一昨日: -2, おととい: -2 };
const koreanDays: Record<string, number> = { 어제: -1, 오늘: 0, 그저께: -2, 그제: -2 };
const englishDays: Record<string, number> = { today: 0, yesterday: -1, 'the day before yesterday': -2 };

/** First and last hour; the night reaches into the morning after. */
const dayParts: [RegExp, number, number][] = [
  [/^(?:凌晨|半夜)$/, 0, 6],
  [/^(?:早上|早晨|清晨|一早|早|morning|朝|아침)$/, 4, 12],
  [/^(?:上午|午前|오전)$/, 6, 12],
  [/^(?:中午|noon|점심)$/, 11, 14],
  [/^(?:下午|afternoon|午後|오후)$/, 12, 18],
  [/^(?:傍晚|evening|夕方|저녁)$/, 17, 24],
  [/^(?:晚上|夜里|深夜|晚|night|夜|밤)$/, 18, 29],
];

function partOf(today: ZonedDay, offset: number, part: string | undefined): TimeRange {
  const hours = part && dayParts.find(([pattern]) => pattern.test(part));
  return hours ? today.hours(offset, hours[1], hours[2]) : today.days(offset);
}

const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const chineseWeekdays = '一二三四五六日';
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthPattern =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

function weekdayIn(today: ZonedDay, weekOffset: number, weekday: number): TimeRange {
  return today.days(weekOffset * 7 + weekday - today.weekday);
}

/** The newest one that is over: on a Monday, "on Monday" is a week ago. */
function pastWeekday(today: ZonedDay, weekday: number): TimeRange {
  return today.days(-((today.weekday - weekday + 6) % 7) - 1);
}

const chineseNumbers = '零一二三四五六七八九十';
const englishNumbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const someAmount = /^(?:几|数|好几|a few|few|several|some|몇)$/;

function amountOf(words: string): number | 'some' {
  const text = words.trim().toLowerCase();
  if (someAmount.test(text)) return 'some';
  if (/^\d+$/.test(text)) return Number(text);
  if (text === '两' || text === '俩' || text === 'a couple of' || text === 'a couple' || text === 'couple of') return 2;
  if (text === 'a' || text === 'an' || text === '한') return 1;
  if (text === '半') return 0.5;
  const tens = /^([一二三四五六七八九])?十([一二三四五六七八九])?$/.exec(text);
  if (tens) return chineseNumbers.indexOf(tens[1] ?? '一') * 10 + (tens[2] ? chineseNumbers.indexOf(tens[2]) : 0);
  const chinese = chineseNumbers.indexOf(text);
  return chinese > 0 ? chinese : Math.max(1, englishNumbers.indexOf(text));
}

/** People round: the further back, the wider the range. */
function ago(today: ZonedDay, now: number, words: string, unit: string): TimeRange {
  const amount = amountOf(words);
  if (/^(?:分钟|分|minutes?|mins?|분)$/.test(unit)) return around(now, minute, amount, 10 * minute);
  if (/^(?:小时|钟头|時間|hours?|hrs?|시간)$/.test(unit)) return around(now, hour, amount, hour / 2);
  if (/^(?:天|日|days?|일)$/.test(unit)) {
    if (amount === 'some') return today.days(-7, 7);
    return amount < 6 ? today.days(-Math.ceil(amount)) : today.days(-amount - 1, 3);
  }
  if (/^(?:周|星期|礼拜|週間|weeks?|주)$/.test(unit)) {
    return amount === 'some' ? today.days(-35, 28) : today.days(Math.round(-7 * amount) - 3, 7);
  }
  if (/^(?:月|か月|ヶ月|months?|달|개월)$/.test(unit)) {
    if (amount === 'some') return { from: today.month(-6).from, to: today.month(-1).to };
    return today.days(Math.round(-30.4 * amount) - 16, 32);
  }
  return amount === 'some' ? { from: today.year(-5).from, to: today.year(-1).to } : today.year(-Math.ceil(amount));
}

function around(now: number, unit: number, amount: number | 'some', least: number): TimeRange {
  if (amount === 'some') return { from: now - 8 * unit, to: now };
  const slack = Math.max(least, (amount * unit) / 2);
  return { from: now - amount * unit - slack, to: Math.min(now, now - amount * unit + slack) };
}

const cnNumber = '(\\d+|[一二两俩三四五六七八九十]+|好?几|数|半)';
const enNumber =
  '(\\d+|an?|a couple(?: of)?|couple of|(?:a )?few|several|some|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
const cnPart = '(?:的|\\s)?(凌晨|半夜|早上|早晨|清晨|一早|上午|中午|下午|傍晚|晚上|夜里|深夜)';

const rules: Rule[] = [
  // Chinese
  {
    pattern: new RegExp(`(大前天|前天|昨天|昨日|今天|今日)(?:${cnPart})?`, 'g'),
    range: (t, m) => partOf(t, chineseDays[m[1] ?? ''] ?? 0, m[2]),
  },
  {
    pattern: /(昨|今)(早|晚|夜)(?!的确)/g,
    range: (t, m) => partOf(t, chineseDays[m[1] ?? ''] ?? 0, m[2] === '夜' ? '晚' : m[2]),
  },
  { pattern: /(?<![上今昨前])(早上|上午|中午|下午)(?=[^好]|$)/g, range: (t, m) => partOf(t, 0, m[1]) },
  {
    pattern: /(上上|上|这|本)(?:一)?个?(?:周|星期|礼拜)([一二三四五六日天末])?/g,
    range: (t, m) => {
      const offset = m[1] === '上上' ? -2 : m[1] === '上' ? -1 : 0;
      if (m[2] === '末') return t.days(offset * 7 + 6 - t.weekday, 2);
      return m[2] ? weekdayIn(t, offset, chineseWeekdays.indexOf(m[2] === '天' ? '日' : m[2]) + 1) : t.week(offset);
    },
  },
  {
    pattern: /(?<![上这本下每个])(?:周|星期|礼拜)([一二三四五六日天末])(?![期年种])/g,
    range: (t, m) =>
      m[1] === '末' ? lastWeekend(t) : pastWeekday(t, chineseWeekdays.indexOf(m[1] === '天' ? '日' : (m[1] ?? '')) + 1),
  },
  {
    pattern: /(上上|上|这|本)(?:一)?个?月(?:份)?(?:(\d{1,2})[号日])?/g,
    range: (t, m) => monthOrDay(t, m[1] === '上上' ? -2 : m[1] === '上' ? -1 : 0, m[2]),
  },
  { pattern: /(前年|去年|今年)(?!轮)/g, range: (t, m) => t.year(m[1] === '前年' ? -2 : m[1] === '去年' ? -1 : 0) },
  {
    pattern: new RegExp(`${cnNumber}\\s*个?(?:多)?(分钟|小时|钟头|天|周|星期|礼拜|月|年)(?:多)?(?:之|以)?前`, 'g'),
    range: (t, m, now) => ago(t, now, m[1] ?? '', m[2] ?? ''),
  },
  {
    pattern: /前(?:几|两|些|一阵子?|段时间|阵子)(?:天)?|前几日|这几天|这两天|前段时间|前阵子/g,
    range: (t, m) => t.days(/段|阵/.test(m[0]) ? -60 : -10, /段|阵/.test(m[0]) ? 60 : 11),
  },
  {
    pattern: /(?:(\d{4})\s*年\s*)?(\d{1,2})\s*月\s*(\d{1,2})\s*[号日]/g,
    range: (t, m) => t.date(Number(m[2]), Number(m[3]), m[1] ? Number(m[1]) : undefined),
  },
  { pattern: /\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})\b/g, range: (t, m) => t.date(Number(m[2]), Number(m[3]), Number(m[1])) },
  // English
  {
    pattern: /\b(?:earlier )?(today|yesterday|the day before yesterday)(?:'s)?(?: (morning|noon|afternoon|evening|night))?\b/gi,
    range: (t, m) => partOf(t, englishDays[m[1]?.toLowerCase() ?? ''] ?? 0, m[2]?.toLowerCase()),
  },
  {
    pattern: /\b(?:earlier )?this (morning|afternoon|evening)(?:'s)?\b|\btonight\b/gi,
    range: (t, m) => partOf(t, 0, m[1]?.toLowerCase() ?? 'night'),
  },
  { pattern: /\blast (?:night|evening)(?:'s)?\b/gi, range: (t) => partOf(t, -1, 'night') },
  {
    pattern: /\b(the week before last|last week|this week)(?:'s)?\b/gi,
    range: (t, m) => t.week(/before/i.test(m[0]) ? -2 : /last/i.test(m[0]) ? -1 : 0),
  },
  { pattern: /\b(?:last|this past|over the|this|on the) weekend(?:'s)?\b/gi, range: (t) => lastWeekend(t) },
  {
    pattern: /\b(the month before last|last month|this month)(?:'s)?\b/gi,
    range: (t, m) => t.month(/before/i.test(m[0]) ? -2 : /last/i.test(m[0]) ? -1 : 0),
  },
  { pattern: /\b(last year|this year)(?:'s)?\b/gi, range: (t, m) => t.year(/last/i.test(m[0]) ? -1 : 0) },
  {
    pattern: new RegExp(
      `\\b(?:last|on|this|from) (${weekdayNames.join('|')})(?:'s)?(?: (morning|afternoon|evening|night))?\\b`,
      'gi',
    ),
    range: (t, m) => {
      const { from } = pastWeekday(t, weekdayNames.indexOf(m[1]?.toLowerCase() ?? '') + 1);
      return partOf(t, Math.round((from - t.start) / day), m[2]?.toLowerCase());
    },
  },
  {
    pattern: new RegExp(`\\b${enNumber} (minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?) (?:ago|back|earlier)\\b`, 'gi'),
    range: (t, m, now) => ago(t, now, m[1] ?? '', m[2]?.toLowerCase() ?? ''),
  },
  { pattern: /\bthe other (?:day|night)\b/gi, range: (t) => t.days(-10, 10) },
  { pattern: /\ba while (?:ago|back)\b/gi, range: (t) => t.days(-120, 120) },
  {
    pattern: new RegExp(`\\b(?:on )?${monthPattern} (\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,? (\\d{4}))?`, 'gi'),
    range: (t, m) =>
      t.date(monthNames.indexOf(m[1]?.slice(0, 3).toLowerCase() ?? '') + 1, Number(m[2]), m[3] ? Number(m[3]) : undefined),
  },
  // Japanese
  {
    pattern: /(一昨日|おととい|昨日|きのう|今日)(?:の(朝|午前|午後|夕方|夜))?/g,
    range: (t, m) => partOf(t, japaneseDays[m[1] ?? ''] ?? 0, m[2]),
  },
  { pattern: /今朝|昨夜|昨晩|ゆうべ/g, range: (t, m) => (m[0] === '今朝' ? partOf(t, 0, '朝') : partOf(t, -1, '夜')) },
  { pattern: /先々週|先週|今週/g, range: (t, m) => t.week(m[0] === '先々週' ? -2 : m[0] === '先週' ? -1 : 0) },
  { pattern: /先月|今月/g, range: (t, m) => t.month(m[0] === '先月' ? -1 : 0) },
  {
    pattern: /(\d+|[一二三四五六七八九十]+)\s*(分|時間|日|週間|か月|ヶ月|年)前/g,
    range: (t, m, now) => ago(t, now, m[1] ?? '', m[2] ?? ''),
  },
  // Korean
  {
    pattern: /(어제|오늘|그저께|그제)(?:\s*(아침|오전|점심|오후|저녁|밤))?/g,
    range: (t, m) => partOf(t, koreanDays[m[1] ?? ''] ?? 0, m[2]),
  },
  { pattern: /어젯밤/g, range: (t) => partOf(t, -1, '밤') },
  { pattern: /지난\s?주|이번\s?주/g, range: (t, m) => t.week(m[0].startsWith('지난') ? -1 : 0) },
  { pattern: /지난\s?달|이번\s?달/g, range: (t, m) => t.month(m[0].startsWith('지난') ? -1 : 0) },
  { pattern: /(\d+|한|몇)\s*(분|시간|일|주|달|개월|년)\s*전/g, range: (t, m, now) => ago(t, now, m[1] ?? '', m[2] ?? '') },
];

/** What may be taken out of a text as a time. */
export const timePatterns: readonly RegExp[] = rules.map(({ pattern }) => pattern);

/** The newest one that has begun. */
function lastWeekend(today: ZonedDay): TimeRange {
  return today.days(today.weekday >= 6 ? 6 - today.weekday : -today.weekday - 1, 2);
}

function monthOrDay(today: ZonedDay, offset: number, dayOfMonth: string | undefined): TimeRange {
  const { from, to } = today.month(offset);
  if (!dayOfMonth) return { from, to };
  const start = from + (Number(dayOfMonth) - 1) * day;
  return { from: start, to: start + day };
}
