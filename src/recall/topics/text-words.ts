// The words of a text in order, with breaks where a phrase cannot go on. Identifiers, paths and codes stay whole.
import { segmentWords } from '../../base/segmenter.ts';
import { stopWords } from './stop-words.ts';

export interface TextWord {
  /** As written. */
  text: string;
  /** The form under which equal words meet: lower case, singular, full width made plain. */
  key: string;
  script: 'latin' | 'cjk' | 'hangul' | 'identifier';
}

/** camelCase, snake_case, paths, dotted and hyphened names with digits, error codes. */
const identifier =
  /(?:[~.]{0,2}\/)?[A-Za-z_$][\w$]*(?:(?:[./\\]|::|->)[\w$-]+)+|[A-Za-z_$]*[a-z\d$][A-Z][\w$]*|[A-Za-z\d$]+(?:_[A-Za-z\d$]+)+|\b[A-Z]{1,8}-?\d{2,}\b/gu;

/** Runs of words: between two of them stands a stop word, punctuation or a line break. */
export function wordRuns(text: string): TextWord[][] {
  const runs: TextWord[][] = [];
  let run: TextWord[] = [];
  const cut = (): void => {
    if (run.length > 0) runs.push(run);
    run = [];
  };
  let place = 0;
  const plain = text.normalize('NFKC');
  for (const match of plain.matchAll(identifier)) {
    readWords(
      plain.slice(place, match.index),
      cut,
      (word) => pushWord(run, word),
      () => run.at(-1),
    );
    run.push({ text: match[0], key: match[0].toLowerCase(), script: 'identifier' });
    place = match.index + match[0].length;
  }
  readWords(
    plain.slice(place),
    cut,
    (word) => pushWord(run, word),
    () => run.at(-1),
  );
  cut();
  return runs;
}

/** The segmenter parts what belongs together: 充电|桩, 冷|启动. */
const suffix = /^[桩号器机页表库率法员性化度线图栏框口费池键]$/u;
const prefix = /^[冷热自非超微]$/u;
/** Grammar by itself, and the second half of a word behind such a beginning: 超|时. */
const half = /^[时前中下上]$/u;

function pushWord(run: TextWord[], word: TextWord): void {
  const last = run.at(-1);
  const joins = last?.script === 'cjk' && word.script === 'cjk' && (suffix.test(word.key) || prefix.test(last.key));
  if (joins) run[run.length - 1] = { text: last.text + word.text, key: last.key + word.key, script: 'cjk' };
  else run.push(word);
}

/** The keys of the words that count, in order. */
export function wordKeys(text: string): string[] {
  return wordRuns(text).flatMap((run) => run.map(({ key }) => key));
}

/** Text without code blocks, addresses and the signs of markdown. */
export function toProse(text: string): string {
  return text
    .replace(/^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))/gmu, '\n')
    .replace(/`([^`\n]+)`/gu, '$1')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/gu, '$1')
    .replace(/https?:\/\/\S+/gu, ' ')
    .replace(/(\*\*|__)(?=\S)([^*_\n]+?)\1/gu, '$2')
    .replace(/^\s{0,3}(?:#{1,6}|>)\s+/gmu, '');
}

function readWords(text: string, cut: () => void, push: (word: TextWord) => void, last: () => TextWord | undefined): void {
  for (const { segment, isWordLike } of segmentWords(text)) {
    if (!isWordLike) {
      if (segment.trim() !== '' || segment.includes('\n')) cut();
      continue;
    }
    const lower = segment.toLowerCase();
    if (half.test(lower) && prefix.test(last()?.key ?? '')) {
      push(toWord(segment, lower));
      continue;
    }
    if (stopWords.has(lower) || /^[\p{N}.,]+$/u.test(lower) || /^\p{Script=Hiragana}+$/u.test(lower)) {
      cut();
      continue;
    }
    push(toWord(segment, lower));
  }
}

function toWord(segment: string, lower: string): TextWord {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(lower)) return { text: segment, key: lower, script: 'cjk' };
  if (/\p{Script=Hangul}/u.test(lower)) return { text: segment, key: withoutParticle(lower), script: 'hangul' };
  return { text: segment, key: singular(lower), script: 'latin' };
}

function withoutParticle(word: string): string {
  return word.length > 2 ? word.replace(/(?:에서|으로|까지|부터|에게|을|를|은|는|이|가|의|에|와|과|도|로)$/u, '') : word;
}

function singular(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ss|us|is|os|as)$/.test(word) ? word : word.replace(/(?<=(?:sh|ch|x|ss))es$|s$/, '');
}
