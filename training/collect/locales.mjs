/** Pairs from translated files of one package: string tables by key, documents by the order of their blocks. */
import { alignBlocks } from './align.mjs';
import { localeOf } from './locale-paths.mjs';
import { htmlBlocks, markdownBlocks } from './markdown.mjs';
import { stringsOf } from './strings.mjs';
import { cleanLabel } from './text.mjs';

const OTHERS = ['zh', 'ja', 'ko'];
const TABLE = /\.(?:json|js|mjs|cjs|ts|properties|ya?ml)$/;
const DOCUMENT = /\.(?:md|mdx|html)$/;

/** What of a package the pairing wants to see. */
export function isLocaleFile(path) {
  if (/\.d\.ts$|\.map$|(?:^|\/)(?:cjs|umd|node_modules|__tests__)\//.test(path)) {
    return false;
  }
  return (
    (TABLE.test(path) && localeOf(path).sure) || (TABLE.test(path) && /nls|messages|locale/i.test(path)) || DOCUMENT.test(path)
  );
}

function pairTables(key, en, other, language) {
  const left = stringsOf(key, en);
  const out = [];
  for (const [name, text] of stringsOf(key, other)) {
    const from = left.get(name);
    if (from !== undefined) {
      out.push({ en: cleanLabel(from), [language]: cleanLabel(text) });
    }
  }
  return out;
}

/** The English original of a translation kept in a folder of its own: docs/zh-CN/a.md translates docs/a.md or a.md. */
function originals(key, families) {
  const [before, after] = key.split('{}/');
  if (after === undefined || !DOCUMENT.test(key)) {
    return undefined;
  }
  const stem = after.replace(/(\.[a-z]+)$/i, '{}$1');
  return families.get(before + stem)?.en ?? families.get(stem)?.en;
}

const blocksOf = (key, source) => (/\.html$/.test(key) ? htmlBlocks(source) : markdownBlocks(source));

/** Collects the files of a package (add), then gives all pairs (pairs), each with `en` and one other language. */
export function localePairing() {
  const families = new Map();
  return {
    add(path, source) {
      const { key, language, sure } = localeOf(path);
      if (language === 'other') {
        return;
      }
      const family = families.get(key) ?? {};
      if (sure || family[language] === undefined) {
        family[language] = source;
      }
      families.set(key, family);
    },
    *pairs() {
      for (const [key, family] of families) {
        family.en ??= originals(key, families);
        for (const language of OTHERS) {
          if (family.en !== undefined && family[language] !== undefined) {
            yield* DOCUMENT.test(key)
              ? alignBlocks(blocksOf(key, family.en), blocksOf(key, family[language]), language)
              : pairTables(key, family.en, family[language], language);
          }
        }
      }
    },
  };
}
