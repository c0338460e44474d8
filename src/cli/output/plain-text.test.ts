import { describe, expect, it } from 'vitest';
import { firstLine, plainLine, plainText, visibleText } from './plain-text.ts';

describe('stored text on its way to a terminal', () => {
  it('cannot move the cursor, colour the screen or set the title', () => {
    expect(plainText('\x1b[2J\x1b]0;title\x07 hi\x9b31m')).toBe('^[[2J^[]0;title^G hi\\x9b31m');
  });

  it('keeps its lines and tabs', () => {
    expect(plainText('a\r\nb\n\tc\rd')).toBe('a\nb\n\tc^Md');
  });

  it('cannot turn its direction around', () => {
    expect(plainText('safe\u202egnp.exe')).toBe('safegnp.exe');
  });

  it('hides nothing between letters, and leaves what joins emoji and the letters of other scripts', () => {
    expect(plainText('pass\u200bword a\u200d\u200cdmin 密\u2060码\ufeff')).toBe('password admin 密码');
    const joined = '👩\u200d💻 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥 क्\u200dष می\u200cخواهم';
    expect(plainText(joined)).toBe(joined);
  });

  it('names what cannot be seen where somebody is asked to allow it', () => {
    expect(visibleText('rm \u202ex\u200b\u2028\n\x1b👩\u200d💻')).toBe('rm \\u{202e}x\\u{200b}\\u{2028}\n^[👩\u200d💻');
    expect(visibleText('rm\u200d\u200c -rf')).toBe('rm\\u{200d}\\u{200c} -rf');
  });

  it('is one line in a table', () => {
    expect(plainLine('  two\nlines\tand more ')).toBe('two lines and more');
    expect(firstLine('\n\n  第一行 \r\nsecond')).toBe('第一行');
    expect(firstLine('\n \n')).toBe('');
  });
});
