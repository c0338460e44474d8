/** Recognises the language in a file's path, and the path its translations share. */

const NAMES = {
  en: ['en', 'en-us', 'en_us', 'enus', 'english', 'en-gb', 'en_gb'],
  zh: ['zh', 'zh-cn', 'zh_cn', 'zhcn', 'zh-hans', 'zh_hans', 'zhhans', 'zh-hans-cn', 'cn', 'chinese', 'zh-chs'],
  ja: ['ja', 'ja-jp', 'ja_jp', 'jajp', 'jp', 'japanese'],
  ko: ['ko', 'ko-kr', 'ko_kr', 'kokr', 'kr', 'korean'],
};
const LANGUAGE = new Map(Object.entries(NAMES).flatMap(([language, names]) => names.map((name) => [name, language])));
const ALL = [...LANGUAGE.keys()].sort((a, b) => b.length - a.length).join('|');
const WHOLE = new RegExp(`(^|/)(${ALL})(?:-[A-Z0-9]{8})?(?=(?:\\.min)?(?:/|\\.[a-z.]+$))`, 'i');
const SUFFIX = new RegExp(`[._-](${ALL})(?=\\.[a-z]+$)`, 'i');
const OTHER =
  /(?:^|[/._-])(?:zh[-_]?(?:tw|hk|hant)|tw|fr|de|es|it|ru|pt|pt[-_]br|pl|tr|cs|uk|vi|ar|nl|id|th|fa|hu|sv|fi|da|no|nb|ro|bg|el|he|hi)(?=[/.]|$)/i;

/**
 * { key, language, sure } of a path: files with one key are translations of each other.
 * A name without any language counts as English (`sure` is false), as in README.md beside README.zh-CN.md.
 */
export function localeOf(path) {
  const whole = WHOLE.exec(path);
  if (whole) {
    const key = `${path.slice(0, whole.index)}${whole[1]}{}${path.slice(whole.index + whole[0].length)}`;
    return { key, language: LANGUAGE.get(whole[2].toLowerCase()), sure: true };
  }
  const suffix = SUFFIX.exec(path);
  if (suffix) {
    const key = `${path.slice(0, suffix.index)}{}${path.slice(suffix.index + suffix[0].length)}`;
    return { key, language: LANGUAGE.get(suffix[1].toLowerCase()), sure: true };
  }
  return { key: path.replace(/(\.[a-z]+)$/i, '{}$1'), language: OTHER.test(path) ? 'other' : 'en', sure: false };
}
