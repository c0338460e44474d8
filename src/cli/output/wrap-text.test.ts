import { describe, expect, it } from 'vitest';
import { commonRuler } from './text-ruler.ts';
import { wrapText } from './wrap-text.ts';

const wrap = (text: string, columns: number) => wrapText(text, columns, commonRuler);

describe('wrapping', () => {
  it('breaks at spaces', () => {
    expect(wrap('one two three four', 9)).toBe('one two\nthree\nfour');
  });

  it('breaks inside Chinese, but not before a full stop', () => {
    expect(wrap('保存一条消息。然后', 12)).toBe('保存一条消\n息。然后');
    expect(wrap('用 continuo list 查看', 10)).toBe('用\ncontinuo\nlist 查看');
  });

  it('leaves a word alone that is too long for any line, and lines that fit', () => {
    expect(wrap('a verylongword b', 5)).toBe('a\nverylongword\nb');
    expect(wrap('first\n\nsecond', 20)).toBe('first\n\nsecond');
  });
});
