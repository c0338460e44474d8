// Which language a text is written in, as far as a summary's headings need to know.

export type Language = 'zh' | 'ja' | 'ko' | 'en';

/** By its letters: kana makes it Japanese, Hangul Korean; Chinese wins over Latin early, because code and names are Latin everywhere. */
export function detectLanguage(text: string): Language {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const han = count(/\p{Script=Han}/gu);
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const hangul = count(/\p{Script=Hangul}/gu);
  const latinWords = count(/\p{Script=Latin}+/gu);
  if (hangul > kana && hangul > han && hangul * 2 > latinWords) return 'ko';
  if (kana > 0 && kana * 4 > han && (kana + han) * 2 > latinWords) return 'ja';
  return han > latinWords ? 'zh' : 'en';
}
