/** Cleaning of text: which language a string is in, what is left of it without markup and placeholders, and its parts. */

const HAN = /\p{Script=Han}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HANGUL = /\p{Script=Hangul}/gu;
const LATIN = /[A-Za-z]/g;
const NOT_LATIN = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/gu;
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'", '#34': '"', hellip: '…', mdash: '—' };
const BOILERPLATE =
  /copyright|©|licen[cs]ed under|all rights reserved|permission is hereby granted|without warranty|apache license|sourceMappingURL|eslint-disable|@ts-ignore|do not edit|auto-?generated|data:image|skin tone|肤色|版权所有|许可证/i;

const count = (text, pattern) => text.match(pattern)?.length ?? 0;

/** 'en', 'zh', 'ja', 'ko' or undefined, by the scripts in the text. */
export function languageOf(text) {
  const dense = text.replace(/\s/g, '').length;
  const hangul = count(text, HANGUL);
  if (hangul > 0) {
    return hangul / dense > 0.2 ? 'ko' : undefined;
  }
  const kana = count(text, KANA);
  if (kana > 0) {
    return kana / dense > 0.1 ? 'ja' : undefined;
  }
  const han = count(text, HAN);
  if (han > 0) {
    return han / dense > 0.25 ? 'zh' : undefined;
  }
  return count(text, LATIN) / dense > 0.6 && count(text, NOT_LATIN) === 0 ? 'en' : undefined;
}

function plainMarkup(text) {
  return text
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<\/?[A-Za-z][^<>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (_, name) => ENTITIES[name] ?? ' ')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]+)\]\[[^\]]*\]/g, '$1')
    .replace(/\{@(?:link|linkcode|linkplain|code)\s+([^}|]*)[^}]*\}/g, '$1')
    .replace(/https?:\/\/[^\s)\]>"'，。；]+/g, ' ')
    .replace(/(\*\*|__|~~|`+)/g, '')
    .replace(/(^|\s)[*_]([^*_\n]+)[*_](?=[\s.,;:!?]|$)/g, '$1$2')
    .replace(/\[\[?([^\]]+)\]\]?/g, '$1')
    .replace(/\\([*_`[\]()#<>{}|"'.!-])/g, '$1');
}

const plainSpace = (text) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;:!?，。；：！？、](?:\s|$))/g, '$1')
    .trim();

/** A paragraph of documentation as plain text. */
export function cleanProse(text) {
  return plainSpace(plainMarkup(text))
    .replace(/^[#>*+|•·\s-]+/, '')
    .trim();
}

/** A string of a user interface as plain text: placeholders and keyboard marks go. */
export function cleanLabel(text) {
  return plainSpace(
    plainMarkup(text.replace(/\\[nrt]/g, ' '))
      .replace(/\$t\([^)]*\)/g, ' ')
      .replace(/\$?\{\{?[^{}]*\}?\}/g, ' ')
      .replace(/%(?:\d\$)?[sdifj@]|%\{[^}]*\}|%\d\b|__\w+__/g, ' ')
      .replace(/\(&\w\)/g, '')
      .replace(/&&?(?=\w)/g, '')
      .replace(/(["'“”‘’「」])\s*(["'“”‘’「」])/g, ' ')
      .replace(/[(（]\s*[)）]/g, ' '),
  )
    .replace(/^[\s:：,，.。;；|/-]+/, '')
    .trim();
}

/** True for a text that is worth a line of the corpus in its language. */
export function isWorthALine(text, language) {
  if (text.length < (language === 'en' ? 10 : 6) || text.length > 500 || BOILERPLATE.test(text)) {
    return false;
  }
  if (language === 'en') {
    const words = text.match(/[A-Za-z]{2,}/g) ?? [];
    return words.length >= 3 && !/\S{60}/.test(text) && !/[0-9a-f]{24}/i.test(text);
  }
  return count(text, HAN) >= 5;
}

const ENDS = /(?<=[.!?]["')\]]?)\s+(?=["'(]?[A-Z])|(?<=[。！？；])(?![”」）])/u;

/** Text as pieces of whole sentences, each up to the wished length where its sentences allow it. */
export function pieces(text, wished = 260) {
  if (text.length <= wished) {
    return [text];
  }
  const out = [];
  let piece = '';
  for (const sentence of text.split(ENDS)) {
    if (piece && piece.length + sentence.length > wished) {
      out.push(piece);
      piece = '';
    }
    piece = piece ? `${piece}${/[。！？；]$/.test(piece) ? '' : ' '}${sentence}` : sentence;
  }
  return piece ? [...out, piece] : out;
}

/** True when two strings can be each other's translation by language and length. */
export function isLikelyPair(en, other, language) {
  if (en.length < 2 || other.length < 1 || en.length > 400 || other.length > 400 || en === other) {
    return false;
  }
  if (count(en, LATIN) < 2 || count(en, NOT_LATIN) > 0 || BOILERPLATE.test(en)) {
    return false;
  }
  const han = count(other, HAN);
  const kana = count(other, KANA);
  const hangul = count(other, HANGUL);
  const own = { zh: kana + hangul ? 0 : han, ja: hangul ? 0 : han + kana, ko: hangul }[language];
  const foreign = count(other, LATIN);
  const longer = language === 'zh' ? 1.1 : 1.6;
  const ratio = other.length / en.length;
  return own > 0 && own >= foreign * 0.4 && ratio < longer + 6 / en.length && ratio > 0.12;
}
