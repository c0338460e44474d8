// One spelling for what people write in several: full-width letters, ligatures, accents, composed and decomposed characters.
// Most text needs none of it, and a look is cheaper than the work.

/** What is in one spelling already: ASCII, Chinese, Japanese and Korean characters with their punctuation, common signs, emoji. */
const settled = [
  [0, 0x7f],
  [0x2010, 0x2023],
  [0x2190, 0x23ff],
  [0x2500, 0x27bf],
  [0x3000, 0x3035],
  [0x303b, 0x3098],
  [0x309d, 0x309e],
  [0x30a0, 0x30fe],
  [0x3400, 0x9fff],
  [0xac00, 0xd7a3],
  [0xd83d, 0xd83d],
  [0xd840, 0xd87d],
  [0xdc00, 0xdfff],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
] as const;

const needsWork = new RegExp(`[^${settled.map(([first, last]) => `${escapeUnit(first)}-${escapeUnit(last)}`).join('')}]`);

function escapeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The text in one spelling, still in the case it was written in. */
export function normalizeText(text: string): string {
  if (!needsWork.test(text)) return text;
  return fold(text);
}

/** The same with, for every place in the result, the place in the text it came from; one more at the end. */
export function normalizeWithPlaces(text: string): { normal: string; places: Int32Array | undefined } {
  if (!needsWork.test(text)) return { normal: text, places: undefined };
  const places: number[] = [];
  let normal = '';
  for (const { 0: cluster, index } of text.matchAll(/\P{M}\p{M}*|\p{M}+/gsu)) {
    const folded = fold(cluster);
    for (let i = 0; i < folded.length; i++) places.push(index);
    normal += folded;
  }
  places.push(text.length);
  return { normal, places: Int32Array.from(places) };
}

const accents = /[\u0300-\u036f]/g;
const special = /[ßẞςıøØłŁđĐæÆœŒ\u00ad\u200b-\u200d\ufeff]/g;
const spellings: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  ς: 'σ',
  ı: 'i',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
};

/** Taken apart, without accents, and put together again, so that Hangul and kana come out whole. */
function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(accents, '').normalize('NFKC');
  return plain.replace(special, (letter) => spellings[letter] ?? '');
}
