// Tells a request to go on ("继续刚才的任务", "where were we") from a request that has something to search for, and what is left of it.
// A request without content is never searched for by its words: it is resolved by recency and open work.
import { segmentWords } from '../../base/segmenter.ts';
import { fixTypos } from './fix-typos.ts';
import { classifyWord, elsewhere, pastTalk, reachOf } from './intent-words.ts';
import { holdsOwnWord } from './own-word.ts';
import { findTime } from './time-expression.ts';
import { findTrigger } from './triggers.ts';
import type { LocalNow, TimeRange } from './zoned-day.ts';

export interface Deixis {
  /** The words that point at something said before, as written. */
  words: string[];
  /** How far they reach: 刚才 and "さっき" the last minutes or hours, 上次 and "last time" the talk before this one. */
  reach?: 'just-now' | 'last-time';
  /** Points away from here: the other project, 那边. */
  elsewhere: boolean;
}

export interface Intent {
  /** To go on, to search, or to go on with something that is named. */
  kind: 'continue' | 'search' | 'mixed';
  /** What is left to search for; empty for `continue`, and for a search that says nothing ("hello", "谢谢"). */
  content: string;
  deixis: Deixis;
  /** When it was, where the text says so of an earlier talk. Half open. Only where `now` was given. */
  when?: TimeRange;
}

/** Longer texts bring their own content; only their beginning can ask to go on. */
const headLength = 300;

/** Reads what a person wants. Give the moment and their offset from UTC to have times read as well. */
export function readIntent(text: string, at?: LocalNow): Intent {
  const plain = fixTypos(toPlain(text));
  const time = findTime(plain.slice(0, headLength), at ?? { now: 0 });
  const pointsElsewhere: string[] = plain.match(elsewhere) ?? [];
  const blanked = blank(time ? blank(plain, time.start, time.end) : plain, elsewhere);
  const head = blanked.slice(0, headLength);
  const trigger = findTrigger(head);
  const rest = trigger ? [blanked.slice(0, trigger.start), blanked.slice(trigger.end)] : [blanked];
  const { content, words } = readRest(rest);
  const inTrigger = trigger ? reachingWords(blanked.slice(trigger.start, trigger.end)) : [];
  const deixis = toDeixis([...inTrigger, ...words, ...pointsElsewhere], pointsElsewhere.length > 0);
  // Without a verb only pointing makes it a request (刚才那个任务), or a verb among words that say nothing (能接着上次的来吗).
  const pointsBack = (deixis.reach !== undefined || deixis.elsewhere || time !== undefined) && isWorkLike.test(plain);
  const isEmptyRequest = content === '' && (pointsBack || goesOn.test(plain));
  const kind = trigger ? (content === '' ? 'continue' : 'mixed') : isEmptyRequest ? 'continue' : 'search';
  const isPast = time !== undefined && (kind !== 'search' || pastTalk.test(plain));
  return {
    kind,
    content:
      kind === 'search' && content !== '' ? (isPast ? withoutLastPreposition(trimEdges(blanked)) : trimEdges(plain)) : content,
    deixis,
    ...(at && time && isPast && { when: { from: time.from, to: time.to } }),
  };
}

/** Whether it only asks to go on. Most texts say more than that, and most of those are told at a glance. */
export function asksToGoOn(text: string): boolean {
  return !holdsOwnWord(text) && readIntent(text).kind === 'continue';
}

const pictures =
  /\p{Extended_Pictographic}|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}]|[\u200b-\u200f]|[\ufe00-\ufe0f]|\u2060|\ufeff|\u20e3/gu;

function toPlain(text: string): string {
  return text
    .replace(pictures, ' ')
    .normalize('NFKC')
    .replace(/[‘’´]/gu, "'")
    .replace(/(?<=\p{Script=Han})[\s…·]+(?=[续着])/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

function blank(text: string, start: number, end: number): string;
function blank(text: string, pattern: RegExp): string;
function blank(text: string, from: number | RegExp, end = 0): string {
  if (typeof from !== 'number') return text.replace(from, ' ');
  return `${text.slice(0, from)} ${text.slice(end)}`;
}

function reachingWords(text: string): string[] {
  return [...segmentWords(text)].map(({ segment }) => segment).filter((segment) => reachOf(segment) !== undefined);
}

/** The content between the empty words at both ends of each piece, and the words that point. */
function readRest(pieces: readonly string[]): { content: string; words: string[] } {
  const contents: string[] = [];
  const pointing: string[] = [];
  for (const piece of pieces) {
    const isLong = piece.length > headLength;
    const segments = [...segmentWords(isLong ? piece.slice(0, headLength) : piece)].filter(({ isWordLike }) => isWordLike);
    const telling = segments.filter(({ segment }) => classifyWord(segment) === undefined);
    for (const { segment } of segments) if (classifyWord(segment) === 'pointer') pointing.push(segment);
    const first = telling[0];
    const last = telling.at(-1);
    if (!first || !last) continue;
    contents.push(trimEdges(extend(piece, first.index, isLong ? piece.length : last.index + last.segment.length)));
  }
  const content = contents.filter((each) => each !== '').join(' ');
  return { content: isBareVerb.test(content) ? '' : content, words: pointing };
}

/** A verb or a number alone says how, not with what: "continue fixing", 继续修, "continue from step 3". */
const isBareVerb =
  /^(?:[修改写调看测弄学画跑算练]|[\p{N}\p{P}\s]+|(?:fix|writ|read|cod|implement|debug|test|refactor|edit|work|typ|build|draft)\w{0,2}ing)$/iu;

/** Signs that belong to a name stay with it: .env, C++, C#. */
function extend(piece: string, start: number, end: number): string {
  const before = /[.$@#/~_-]+$/u.exec(piece.slice(0, start))?.[0].length ?? 0;
  const after = /^(?:\+\+|#)/u.exec(piece.slice(end))?.[0].length ?? 0;
  return piece.slice(start - before, end + after);
}

/** What stood before the time: "that bug from [last week]". */
function withoutLastPreposition(text: string): string {
  return text.replace(/\s+(?:from|on|in|at|of|since|during)$/iu, '');
}

function trimEdges(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/^[\s,;:!?，。；：！？、~～…—–-]+|[\s,.;:!?，。；：！？、~～…—–-]+$/gu, '')
    .trim();
}

const isWorkLike =
  /任务|事|活|工作|话题|对话|会话|讨论|内容|问题|那个|那件|的$|\b(?:task|thing|stuff|work|job|conversation|chat|discussion|session|one|that|time)\b|作業|話|件|タスク|작업|일|거/iu;
const goesOn =
  /继续|接着|续|\b(?:continue|resume|proceed|carry on|keep (?:on|going)|go on|left|unfinished|back to)\b|続|再開|계속|이어/iu;

function toDeixis(pointing: readonly string[], isElsewhere: boolean): Deixis {
  const unique = [...new Set(pointing)];
  const reaches = unique.map((word) => reachOf(word));
  const reach = reaches.includes('just-now') ? 'just-now' : reaches.includes('last-time') ? 'last-time' : undefined;
  return { words: unique, ...(reach && { reach }), elsewhere: isElsewhere };
}
