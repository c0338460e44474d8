/** Word lists: Chinese words of the jieba dictionary, English words by count, traditional to simplified characters. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

export const isJiebaDictionary = (path) => path === 'submodules/cppjieba/dict/jieba.dict.utf8';
export const isTraditionalTable = (path) => path === 'data/TSCharacters.txt';

export function* jiebaWords(source) {
  for (const line of source.split('\n')) {
    const [word, frequency] = line.trim().split(' ');
    if (word && frequency) {
      yield `${word}\t${frequency}`;
    }
  }
}

export function* traditionalPairs(source) {
  for (const line of source.split('\n')) {
    const [from, to] = line.trim().split('\t');
    const simplified = to?.split(' ')[0];
    if (simplified && simplified !== from) {
      yield `${from}\t${simplified}`;
    }
  }
}

/** Counts the words of files with one text a line; most frequent first, words seen once left out. */
export async function countWords(...paths) {
  const counts = new Map();
  for (const path of paths) {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      for (const [word] of line.toLowerCase().matchAll(/[a-z]+(?:['’-][a-z]+)*/g)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
  }
  return [...counts]
    .filter(([word, times]) => times > 1 && word.length < 30)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
