// What a conversation left unfinished: an answer that was cut off, a turn that failed, a question nobody answered, open boxes and
// announced next steps. What a later entry settles is not open any more.
import type { Entry } from '../../model/entry.ts';
import type { EntryId } from '../../model/id.ts';
import { cutPassage } from '../passages/cut-passage.ts';
import { toProse, wordKeys } from '../topics/text-words.ts';

export interface OpenWork {
  kind: 'interrupted-answer' | 'failed-turn' | 'unanswered' | 'todo' | 'next-step';
  /** A short description in the words of the conversation. */
  text: string;
  entryId: EntryId;
  seq: number;
  at: number;
}

const maxText = 160;
/** What a message is about stands at its beginning; lists are looked for further down. */
const maxRead = 2000;
const maxListText = 20_000;
const maxItems = 10;

/** The most pressing first: what stopped in the middle, then lists, the newest first. */
export function openWork(entries: Iterable<Entry>): OpenWork[] {
  let request: Entry | undefined;
  let stopped: OpenWork | undefined;
  const boxes = new Map<string, OpenWork>();
  let steps: OpenWork[] = [];
  for (const entry of entries) {
    if (entry.withheld) continue;
    if (entry.kind === 'event' && entry.name === 'turn-end') {
      const kind = entry.code === 'interrupted' || entry.code === 'cancelled' ? 'interrupted-answer' : 'failed-turn';
      if (entry.code === undefined || entry.code === 'done') stopped = undefined;
      else stopped = { ...(stopped ?? toWork(kind, describe(request, entry.text), entry)), kind };
    }
    if (entry.kind !== 'message' || entry.role === 'system') continue;
    readBoxes(entry, boxes);
    if (entry.role === 'user') {
      request = entry;
      stopped = isOnlyThanks(entry.text) ? undefined : toWork('unanswered', entry.text, entry);
    } else {
      stopped = entry.interrupted ? toWork('interrupted-answer', describe(request, entry.text), entry) : undefined;
      if (!entry.interrupted) steps = [];
      steps.push(...readSteps(entry));
    }
  }
  const lists = [...boxes.values(), ...steps].sort((a, b) => b.seq - a.seq);
  return withoutRepeats(stopped ? [stopped, ...lists] : lists).slice(0, maxItems);
}

function describe(request: Entry | undefined, fallback: string): string {
  return request?.kind === 'message' ? request.text : fallback;
}

function toWork(kind: OpenWork['kind'], text: string, { id, seq, at }: Entry): OpenWork {
  const head = text.slice(0, maxRead);
  const line = (toProse(head).trim() || head).replace(/\s+/gu, ' ').trim();
  return { kind, text: cutPassage(line, [], { maxLength: maxText }).text, entryId: id, seq, at };
}

const thanks =
  /^(?:[\s\p{P}\p{S}]|好的?|谢谢(?:你|您)?|多谢|辛苦|收到|明白|知道了|没问题|再见|拜拜|可以|行|嗯|ok(?:ay)?|thanks?|thank you|thx|great|perfect|cool|nice|bye|good ?night|got it|done|awesome|very much|so much|a lot|了|啦|ありがとう(?:ございます)?|감사합니다|고마워)*$/iu;

function isOnlyThanks(text: string): boolean {
  return text.length < 60 && thanks.test(text);
}

const box = /^[ \t]*(?:(?:[-*+•]|\d+[.)])[ \t]*)?(?:\[([ xX✓✔√~-]?)\]|([☐☑✅]))[ \t]+(\S.*)$/gmu;
const todoLine =
  /(?:^[ \t>*\-•\d.)]*|[。；.!?！？;][ \t]*)(?:\*\*)?(?:TODO|FIXME|待办(?:事项)?|未完成|待处理|要做的?)(?:\*\*)?[ \t]*[:：][ \t]*(?:\*\*)?[ \t]*(\S.*)$/gmu;

/** A box keeps its last state: ticked later, it is done. */
function readBoxes(entry: Entry & { kind: 'message' }, boxes: Map<string, OpenWork>): void {
  const text = withoutCode(entry.text.slice(-maxListText));
  for (const match of text.matchAll(box)) {
    const item = match[3] ?? '';
    const isOpen = match[2] ? match[2] === '☐' : (match[1] ?? '').trim() === '';
    setBox(item, isOpen, entry, boxes);
  }
  for (const match of text.matchAll(todoLine)) setBox(match[1] ?? '', true, entry, boxes);
  const folded = boxes.size > 0 ? foldItem(text) : '';
  for (const [key, work] of boxes) if (work.seq < entry.seq && saysDone(folded, key)) boxes.delete(key);
}

function setBox(item: string, isOpen: boolean, entry: Entry, boxes: Map<string, OpenWork>): void {
  const key = foldItem(item);
  if (isOpen) boxes.set(key, toWork('todo', item, entry));
  else boxes.delete(key);
}

function foldItem(item: string): string {
  return toProse(item)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim();
}

/** A later message that names the whole item beside a word for done. */
function saysDone(folded: string, key: string): boolean {
  const place = key.length >= 4 ? folded.indexOf(key) : -1;
  if (place < 0) return false;
  return doneWord.test(folded.slice(Math.max(0, place - 12), place + key.length + 16));
}

const doneWord = /已完成|完成了|做完|搞定|已经(?:做|完成|修|改|加)|\b(?:done|finished|completed|fixed|is in place|works now)\b/u;

const stepLine =
  /^[ \t>*\-•#]*(?:\d+[.)][ \t]*)?(?:\*\*)?(?:next steps?|next up|next|remaining(?: work| tasks)?|still (?:to do|open|missing)|left to do|下一步|下步|接下来|剩下|还剩|还差|后续|未完成|次のステップ|다음 단계)(?:\*\*)?(?:是|为|要|的是|:|：|,|，|[ \t]|\*\*|（|\(|就|需要|计划|工作|任务)+(.*)$/iu;
const listItem = /^[ \t]*(?:[-*+•]|\d+[.)、])[ \t]+(?!\[[xX✓]\])(?:\[ ?\][ \t]*)?(\S.*)$/u;
const maxSteps = 3;

function readSteps(entry: Entry & { kind: 'message' }): OpenWork[] {
  const lines = withoutCode(entry.text.slice(-maxListText)).split('\n').flatMap(toClauses);
  const steps: OpenWork[] = [];
  for (const [i, line] of lines.entries()) {
    const match = stepLine.exec(line);
    if (!match) continue;
    const rest = (match[1] ?? '').replace(/^[\s*:：]+/u, '').trim();
    if (rest !== '') steps.push(toWork('next-step', line.replace(/^[\s>*\-•#]+/u, ''), entry));
    else for (const item of itemsAfter(lines, i + 1)) steps.push(toWork('next-step', item, entry));
  }
  return steps.slice(0, maxSteps);
}

/** A next step may be announced in the middle of a line. */
function toClauses(line: string): string[] {
  return line.split(/(?<=[。！？])|(?<=[^\d\s][.!?])\s+(?=\p{Lu})/u);
}

function itemsAfter(lines: readonly string[], from: number): string[] {
  const items: string[] = [];
  for (const line of lines.slice(from)) {
    if (line.trim() === '' && items.length === 0) continue;
    const item = listItem.exec(line)?.[1];
    if (item === undefined) break;
    items.push(item);
  }
  return items;
}

function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))/gmu, '\n');
}

/** The same step said twice counts once. */
function withoutRepeats(works: readonly OpenWork[]): OpenWork[] {
  const seen = new Set<string>();
  return works.filter(({ text }) => {
    const key = wordKeys(text).join(' ') || text;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
