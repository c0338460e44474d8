// Words of a task that are looked for in the text of files: names of code first, and what it is about where nothing else finds it.
import { segmentWords } from '../../base/segmenter.ts';
import { isStopWord } from '../../recall/tokens/stop-words.ts';

const maxWords = 8;

/** `retryDelay`, `retry_delay`, `E1234`, and what stands in backticks or quotes. */
export function findCodeWords(task: string): string[] {
  const words = new Set<string>();
  for (const { 1: quoted = '' } of task.matchAll(/[`"“「『]([^`"”」』\n]{2,80})[`"”」』]/g)) words.add(quoted.trim());
  for (const [word] of task.matchAll(/[A-Za-z_$][\w$]{2,60}/g)) {
    if (/[a-z][A-Z]|[A-Za-z]_[A-Za-z]|[A-Za-z]\d{2,}|^[A-Z]{2,}[a-z]/.test(word)) words.add(word);
  }
  return [...words].filter((word) => word.length > 2).slice(0, maxWords);
}

/** What the task is about, in any language. */
export function findPlainWords(task: string): string[] {
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmentWords(task.slice(0, 2000))) {
    const isWide = /[\u2e80-\uffff]/.test(segment);
    if (!isWordLike || segment.length < (isWide ? 2 : 4) || isStopWord(segment.toLowerCase())) continue;
    words.add(segment);
  }
  return [...words].slice(0, maxWords);
}
