// How much a sentence says about a conversation, and what part it plays in it: asked, decided, result, or worth noting.
import type { Entry } from '../../model/entry.ts';
import { splitSentences } from '../passages/text-borders.ts';
import { toProse, wordKeys } from '../topics/text-words.ts';

export type Part = 'asked' | 'decided' | 'result' | 'noted';

export interface Sentence {
  text: string;
  part: Part;
  keys: ReadonlySet<string>;
  seq: number;
  /** Its place among all sentences. */
  order: number;
  score: number;
}

const decidedCue =
  /决定|结论|确定(?:用|了|下来)|选(?:择|定|用)了?|采用|改用|方案是|定为|就用|敲定|\b(?:decided?|decision|conclusion|we(?:'ll| will) (?:use|go with|keep|take|drop)|go(?:ing)? with|agreed|chose|chosen|settled on|instead of)\b|決定|決め|결정/iu;
const resultCue =
  /结果|成功|失败|报错|修复了?|解决了?|已(?:经)?(?:完成|修复|部署|上线|把|加|添加|创建|更新|改|规划|设)|完成了|完成[。！]?$|就好了|搞定|从\s*[\d.]+[^，。]{0,8}[到至]\s*[\d.]+|通过了|降到|提升到|原因是|\b(?:fixed|failed|fails|failing|works now|passed|passes|done|deployed|merged|released|resolved|solved|root cause|turned out|errors? (?:was|were|is|are|came)|results?|now (?:works|runs|takes|merges?|passes)|went from|fell to|rose to|added|removed|created|updated|succeeded)\b|完了|修正し|解決|완료|해결|실패/iu;
const questionMark = /[?？]\s*$/u;
const identifierLike = /[A-Za-z\d]_[A-Za-z\d]|[a-z\d][A-Z]|\w\/\w|\w\.\w{1,4}\b|\b[A-Z]{1,6}-?\d{2,}\b|`/u;
const smallTalk =
  /^(?:好的?|没问题|当然|嗯|谢谢|不客气|明白|sure|ok(?:ay)?|great|thanks|thank you|of course|certainly|you'?re welcome|happy to|let me know|hello|hi|i'?ll help|希望|如果还有|请告诉我|就这么办|就这样|做吧|行吧|可以了|nice|perfect|good)/iu;

const maxPerEntry = 40;
const maxEntryText = 6000;

/** The sentences of what people and models said, scored against the whole. */
export function scoreSentences(entries: readonly Entry[]): Sentence[] {
  const spoken = entries.filter(
    (entry): entry is Entry & { kind: 'message' } =>
      entry.kind === 'message' && entry.role !== 'system' && !entry.withheld && entry.text.trim() !== '',
  );
  const sentences: Sentence[] = [];
  const holders = new Map<string, number>();
  const firstRequest = spoken.find(({ role }) => role === 'user');
  const lastRequest = spoken.findLast(({ role }) => role === 'user');
  for (const entry of spoken) {
    const found = sentencesOf(entry.text);
    for (const key of new Set(found.flatMap(({ keys }) => [...keys]))) holders.set(key, (holders.get(key) ?? 0) + 1);
    for (const [i, { text, keys }] of found.entries()) {
      const part = partOf(entry, text, i);
      let base = part === 'decided' ? 1.2 : part === 'result' ? 1 : part === 'asked' ? 1 : 0;
      if (i === 0) base += 0.4;
      if (entry === firstRequest && i === 0) base += 2;
      if (entry === lastRequest && part === 'asked') base += 1;
      if (identifierLike.test(text)) base += 0.3;
      if (smallTalk.test(text)) base -= 1.5;
      if (entry.interrupted) base -= 0.5;
      sentences.push({ text, part, keys, seq: entry.seq, order: sentences.length, score: base });
    }
  }
  // Words the whole conversation comes back to weigh most; those said everywhere no more than those said in half of it.
  const weightOf = (key: string): number => Math.log2(1 + Math.min(holders.get(key) ?? 0, Math.max(2, spoken.length / 2)));
  for (const sentence of sentences) {
    const weights = [...sentence.keys].map(weightOf).sort((a, b) => b - a);
    const heavy = weights.slice(0, 6).reduce((sum, weight) => sum + weight, 0);
    const length = sentence.text.length;
    sentence.score += heavy / 5 + (length < 8 ? -0.5 : 0) + (length > 240 ? -0.4 : 0) + sentence.order / (sentences.length * 2);
  }
  return sentences;
}

function partOf(entry: Entry & { kind: 'message' }, text: string, index: number): Part {
  if (entry.role === 'user') {
    if (decidedCue.test(text) && !questionMark.test(text)) return 'decided';
    return questionMark.test(text) || index < 2 ? 'asked' : 'noted';
  }
  if (questionMark.test(text)) return 'noted';
  if (decidedCue.test(text)) return 'decided';
  return resultCue.test(text) ? 'result' : 'noted';
}

function sentencesOf(text: string): { text: string; keys: Set<string> }[] {
  const prose = toProse(text.slice(0, maxEntryText))
    .replace(/^[ \t]*(?:[-*+•]|\d+[.)])[ \t]+/gmu, '')
    .replace(/^[ \t]*\|.*\|[ \t]*$/gmu, '');
  const found: { text: string; keys: Set<string> }[] = [];
  for (const { start, end } of splitSentences(prose)) {
    const sentence = prose.slice(start, end).replace(/\s+/gu, ' ').trim();
    const keys = new Set(wordKeys(sentence));
    const isEmpty = keys.size === 0 || (sentence.length <= 14 && smallTalk.test(sentence));
    if (!isEmpty && !/^\[[ xX]?\]|^(?:TODO|待办)[:：]/u.test(sentence)) found.push({ text: sentence, keys });
    if (found.length >= maxPerEntry) break;
  }
  return found;
}
