import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { commonRuler, createRuler } from './text-ruler.ts';

const common = [
  '',
  'plain',
  'naïve café',
  '部署方案',
  'ひらがな カタカナ',
  '한국어',
  '（全角）',
  'a—b…',
  '“引号”',
  '《书名》、「引」',
];
const unusual = ['🚀', '👩‍👩‍👧‍👦 family', 'e\u0301', '🇨🇳 flag', 'ﾊﾝｶｸ', '☕️', '𠮷野家', 'ไทย', '\u200b'];

describe('the text ruler', () => {
  it.each([...common, ...unusual])('measures %j as the terminal does', async (text) => {
    expect((await createRuler([text])).width(text)).toBe(stringWidth(text));
  });

  it('measures common scripts without loading anything', async () => {
    expect(await createRuler(common)).toBe(commonRuler);
    expect(await createRuler([...common, '🚀'])).not.toBe(commonRuler);
  });

  it.each([...common, ...unusual.filter((text) => text !== '\u200b'), '中文和 English 混排的长标题', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦'])(
    'cuts %j to fit',
    async (text) => {
      const ruler = await createRuler([text]);
      for (let columns = 1; columns < 20; columns++) {
        const cut = ruler.cut(text, columns);
        expect(stringWidth(cut)).toBeLessThanOrEqual(columns);
        if (stringWidth(text) <= columns) expect(cut).toBe(text);
        else expect(cut.endsWith('…')).toBe(true);
      }
    },
  );

  it('never cuts through a character', async () => {
    const family = '👩‍👩‍👧‍👦';
    expect((await createRuler([family])).cut(family.repeat(3), 5)).toBe(`${family}${family}…`);
  });
});
