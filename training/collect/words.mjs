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

const wordsOf = (line) => line.toLowerCase().match(/[a-z]+(?:['’-][a-z]+)*/g) ?? [];

/** Counts the words of the texts and of the dictionary, most frequent first; what only the texts have, and once, is left out. */
export async function countWords(texts, dictionary) {
  const counts = new Map();
  const known = new Set();
  for (const path of [texts, dictionary]) {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      for (const word of wordsOf(line)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
        if (path === dictionary) {
          known.add(word);
        }
      }
    }
  }
  return [...counts]
    .filter(([word, times]) => (times > 1 || known.has(word)) && word.length < 30)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
