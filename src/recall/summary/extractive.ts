// A summary of a conversation without a model, in its own sentences: what was asked, decided, came out, and is still open. One sentence
// a line under a heading word, so that the next summary can build on this one and the new entries alone.
import type { Entry } from '../../model/entry.ts';
import { cutPassage } from '../passages/cut-passage.ts';
import { wordKeys } from '../topics/text-words.ts';
import { detectLanguage, type Language } from './language.ts';
import { openWork } from './open-work.ts';
import { type Part, type Sentence, scoreSentences } from './sentence-score.ts';

export interface ExtractiveSummary {
  text: string;
  /** The first and the last position it stands for; undefined where there was nothing to read. */
  covers: { from: number; to: number } | undefined;
  language: Language;
}

export interface SummaryOptions {
  /** 8 if left out. */
  maxSentences?: number;
  /** 1,000 if left out. */
  maxCharacters?: number;
  /** The summary so far; the entries are then those after it. */
  previous?: { text: string; covers?: { from: number; to: number } | undefined };
}

type Heading = Part | 'open';
interface Line {
  heading: Heading;
  text: string;
  keys: ReadonlySet<string>;
  order: number;
  score: number;
}

const headings: Record<Language, Record<Heading, string>> = {
  zh: { asked: '诉求', decided: '决定', result: '结果', noted: '要点', open: '未完成' },
  en: { asked: 'Asked', decided: 'Decided', result: 'Result', noted: 'Noted', open: 'Open' },
  ja: { asked: '依頼', decided: '決定', result: '結果', noted: '要点', open: '未完了' },
  ko: { asked: '요청', decided: '결정', result: '결과', noted: '요점', open: '미완료' },
};
const headingOrder: readonly Heading[] = ['asked', 'decided', 'noted', 'result', 'open'];
const shares: Record<Heading, number> = { asked: 0.4, decided: 0.4, result: 0.4, noted: 0.25, open: 0.4 };
const maxSentence = 200;
const tooAlike = 0.6;
/** What was worth a line before is still, but what is new comes first. */
const previousScore = 2.2;

export function summariseEntries(entries: Iterable<Entry>, options: SummaryOptions = {}): ExtractiveSummary {
  const { maxSentences = 8, maxCharacters = 1000, previous } = options;
  const all = [...entries];
  const sentences = scoreSentences(all);
  const language = detectLanguage([previous?.text ?? '', ...sentences.map(({ text }) => text)].join('\n'));
  const open = openWork(all);
  const openLines = open.map((work, i) => toLine('open', work.text, i, 4.5 - i * 0.4));
  const spoke = all.some((entry) => entry.kind === 'message' && entry.role !== 'system');
  const old = previous ? readLines(previous.text) : [];
  const kept = old.filter(({ heading, keys }) => heading !== 'open' || !(spoke && isSettled(keys, sentences)));
  // The words of an open request stand under what is open, not twice.
  const isOpen = new Set(openLines.map(({ text }) => text));
  const said = sentences.map((sentence) => fromSentence(sentence, old.length)).filter(({ text }) => !isOpen.has(text));
  const lines = [...kept, ...said, ...openLines];
  const chosen = choose(lines, maxSentences, maxCharacters, language);
  return { text: format(chosen, language), covers: coversOf(all, previous?.covers), language };
}

function toLine(heading: Heading, text: string, order: number, score: number): Line {
  const short = cutPassage(text, [], { maxLength: maxSentence }).text;
  return { heading, text: short, keys: new Set(wordKeys(short)), order, score };
}

/** Its words were counted already, unless it has to be cut. */
function fromSentence({ part, text, keys, order, score }: Sentence, offset: number): Line {
  if (text.length > maxSentence) return toLine(part, text, offset + order, score);
  return { heading: part, text, keys, order: offset + order, score };
}

/** The best lines within the limits, no heading with more than its share, none that repeats another. */
function choose(lines: readonly Line[], maxSentences: number, maxCharacters: number, language: Language): Line[] {
  const chosen: Line[] = [];
  let characters = 0;
  for (const line of [...lines].sort((a, b) => b.score - a.score || a.order - b.order)) {
    if (chosen.length >= maxSentences) break;
    const sameHeading = chosen.filter(({ heading }) => heading === line.heading).length;
    if (sameHeading >= Math.max(1, Math.ceil(maxSentences * shares[line.heading]))) continue;
    if (chosen.some(({ keys, text }) => text === line.text || similarity(keys, line.keys) >= tooAlike)) continue;
    const length = headings[language][line.heading].length + 2 + line.text.length + 1;
    if (characters + length > maxCharacters + 1) continue;
    characters += length;
    chosen.push(line);
  }
  return chosen;
}

function format(lines: readonly Line[], language: Language): string {
  const names = headings[language];
  const colon = language === 'zh' || language === 'ja' ? '：' : ': ';
  return headingOrder
    .flatMap((heading) => lines.filter((line) => line.heading === heading).sort((a, b) => a.order - b.order))
    .map(({ heading, text }) => `${names[heading]}${colon}${text}`)
    .join('\n');
}

const headingOf = new Map<string, Heading>(
  Object.values(headings).flatMap((names) => headingOrder.map((heading) => [names[heading], heading] as const)),
);

/** A summary of another hand has no headings: its lines are worth noting. */
function readLines(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      const match = /^([^:：]{1,12})[:：]\s*(.+)$/u.exec(line);
      const heading = match && headingOf.get(match[1] ?? '');
      const score = previousScore + (heading === 'asked' && i === 0 ? 1.5 : 0) + (heading === 'decided' ? 0.5 : 0);
      return heading ? toLine(heading, match?.[2] ?? '', i, score) : toLine('noted', line.trim(), i, score);
    });
}

/** An open point goes when what was said since came back to it. */
function isSettled(keys: ReadonlySet<string>, sentences: readonly Sentence[]): boolean {
  if (keys.size === 0) return true;
  const results = sentences.filter(({ part }) => part === 'result' || part === 'decided');
  return results.some((sentence) => shared(keys, sentence.keys) / keys.size >= 0.5);
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const least = Math.min(a.size, b.size);
  return least === 0 ? 0 : shared(a, b) / Math.max(least, Math.max(a.size, b.size) * 0.7);
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const key of a) if (b.has(key)) count += 1;
  return count;
}

function coversOf(entries: readonly Entry[], previous: { from: number; to: number } | undefined): ExtractiveSummary['covers'] {
  const first = entries[0]?.seq;
  const last = entries.at(-1)?.seq;
  if (first === undefined || last === undefined) return previous;
  return { from: Math.min(previous?.from ?? first, first), to: Math.max(previous?.to ?? last, last) };
}
