/** Messages of TypeScript and of the VS Code parts: English stands in the code, beside an index or key; translations in tables. */
import { cleanLabel } from './text.mjs';

const DIAGNOSTIC = /diag\(\d+, \d[^"]*"((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)"/g;
const LOCALIZE = /localize2?\((\d+),\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g;
const TRANSLATED = /^lib\/(zh-cn|ja|ko)\/diagnosticMessages/;
const plain = (text) => cleanLabel(text.replace(/\\(["'`\\])/g, '$1'));

/** TypeScript: the compiler's source holds key and English, lib/<language> the translations by the same key. */
export function diagnosticPairing() {
  const english = new Map();
  const tables = [];
  return {
    wants: (path) => path === 'lib/typescript.js' || TRANSLATED.test(path),
    add(path, source) {
      const language = TRANSLATED.exec(path)?.[1].slice(0, 2);
      if (language) {
        tables.push([language, JSON.parse(source)]);
        return;
      }
      for (const found of source.matchAll(DIAGNOSTIC)) {
        english.set(found[1], plain(found[2]));
      }
    },
    *pairs() {
      for (const [language, table] of tables) {
        for (const [key, text] of Object.entries(table)) {
          if (english.has(key)) {
            yield { en: english.get(key), [language]: cleanLabel(text) };
          }
        }
      }
    },
  };
}

/** VS Code's parts: `localize(index, English)` in the code of many packages, one array of messages a language. */
export function indexedPairing() {
  const english = new Map();
  const arrays = [];
  return {
    addCode(source) {
      for (const found of source.matchAll(LOCALIZE)) {
        english.set(Number(found[1]), plain(found[2] ?? found[3] ?? found[4]));
      }
    },
    addArray(language, source) {
      const from = source.indexOf('[');
      const list = source.slice(from, source.lastIndexOf(']') + 1).replace(/^\s*undefined(?=,?$)/gm, 'null');
      arrays.push([language, JSON.parse(list)]);
    },
    *pairs() {
      for (const [language, list] of arrays) {
        for (const [index, text] of list.entries()) {
          if (text && english.has(index)) {
            yield { en: english.get(index), [language]: cleanLabel(text) };
          }
        }
      }
    },
  };
}

/** Extensions of VS Code: in their bundles the English text itself is the key. */
export function* bundlePairs(language, source) {
  for (const [en, text] of Object.entries(JSON.parse(source).contents?.bundle ?? {})) {
    yield { en: cleanLabel(en.replace(/\/\*.*$/, '')), [language]: cleanLabel(text) };
  }
}
