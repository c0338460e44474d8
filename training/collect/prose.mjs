/** Lines of prose from the documents and the sources of a package. */
import { sourceProse } from './comments.mjs';
import { localeOf } from './locale-paths.mjs';
import { markdownBlocks } from './markdown.mjs';
import { cleanProse, isWorthALine, languageOf, pieces } from './text.mjs';

const SKIP =
  /(?:^|\/)(?:node_modules|third_party|vendor|compiled|__tests__|fixtures?|umd|min)\/|licen[cs]e|changelog|history|authors|\.min\.|-min\./i;
const SOURCE = /\.(?:d\.ts|d\.mts|ts|tsx|js|mjs|cjs|vue)$/;
const SECOND_BUILD = /(?:^|\/)(?:esm|es6?|cjs|esnext|_esm\w*|_cjs|fesm\w+|modern|legacy)\/.*(?<!\.d)\.[mc]?[jt]s$/;
const SCHEMA = /schema[^/]*\.json$/;
const DESCRIPTION = /"(?:description|markdownDescription)":\s*("(?:[^"\\\n]|\\.){10,2000}")/g;
const BIGGEST = 20_000_000;

/** What of a package is read for prose; scripts only when of a size that people write. */
export function isProseFile(path, size) {
  if (SKIP.test(path) || SECOND_BUILD.test(path) || size > BIGGEST || localeOf(path).language === 'other') {
    return false;
  }
  return /\.(?:md|mdx)$/i.test(path) || SCHEMA.test(path) || /\.d\.[mc]?ts$/.test(path) || (SOURCE.test(path) && size < 300_000);
}

function* texts(path, source) {
  if (/\.mdx?$/i.test(path)) {
    for (const block of markdownBlocks(source)) {
      yield block.text;
    }
  } else if (SCHEMA.test(path)) {
    for (const found of source.matchAll(DESCRIPTION)) {
      yield cleanProse(JSON.parse(found[1]));
    }
  } else if (/\.d\.[mc]?ts$/.test(path) || source.length / (source.split('\n').length || 1) < 200) {
    yield* sourceProse(source);
  }
}

/** Yields { language, text } for every line worth keeping. */
export function* proseLines(path, source) {
  for (const text of texts(path, source)) {
    for (const piece of pieces(text)) {
      const language = languageOf(piece);
      if ((language === 'en' || language === 'zh') && isWorthALine(piece, language)) {
        yield { language, text: piece };
      }
    }
  }
}
