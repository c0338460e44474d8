import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMarkers } from './parse-markers.ts';
import { SpokenText } from './spoken-text.ts';

function show(text: string, size: number): string {
  const spoken = new SpokenText();
  let shown = '';
  for (let i = 0; i < text.length; i += size) shown += spoken.push(text.slice(i, i + size));
  return shown + spoken.end();
}

/** What is there after each character. */
function follow(text: string): string[] {
  const spoken = new SpokenText();
  let shown = '';
  return [...text].map((character) => {
    shown += spoken.push(character);
    return shown;
  });
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

describe('what is shown while a member speaks', () => {
  const said =
    'I looked at it [1].\n\n```todo\n- [x] read\n- [ ] write\n```\nOver to you. [NEXT: Bob, 安娜]\n[TEAM_TASK: ship [it]\nsoon]\n```js\n// [NEXT: nobody]\n```\nDone 【NEXT：Max】';
  const shown = 'I looked at it [1].\n\nOver to you.\n```js\n// [NEXT: nobody]\n```\nDone';

  it('has neither markers nor todo lists, however the text is cut', () => {
    for (const size of [1, 2, 7, 1000]) expect(show(said, size)).toBe(shown);
  });

  it.each([
    'Done [NEXT: max]',
    'Done 【NEXT：max】',
    'Done 【ＮＥＸＴ：max】',
    'Done ［ｔｅａｍ＿ｔａｓｋ: max］',
    'Done ［ next : max, 安娜 ］',
    'Done\n[TEAM_TASK: a [b] c\nd]',
    'Done【TEAM_TASK：修复登录】',
    'Done\n```todo\n- [ ] read\n```',
    'Done [NE[NEXT: ana]XT: bob]',
  ])('has at no time a part of the marker in %j', (text) => {
    for (const seen of follow(text)) expect('Done'.startsWith(seen)).toBe(true);
    expect(show(text, 1)).toBe('Done');
  });

  it('shows markers in code and in quotation marks, which are text', () => {
    for (const text of [
      'Write `[NEXT: bob]` or "[NEXT: bob]" or “【NEXT：甲】”.',
      'Say "I am done [NEXT: bob] now" or \'so [NEXT: bob]\'.',
      '> [NEXT: a]\nok',
      '~~~\n[NEXT: a]\n~~~\nok',
    ])
      expect(show(text, 1)).toBe(text);
    const long = `He wrote "${'and on '.repeat(1000)}[NEXT: bob] and so on" and left.`;
    expect(show(long, 7)).toBe(long);
  });

  it('holds nothing back that is no marker', () => {
    expect(follow('Some words, [1], more').at(-1)).toBe('Some words, [1], more');
    expect(follow('A [N').at(-1)).toBe('A');
    expect(follow('A [No').at(-1)).toBe('A [No');
    expect(follow(`[NEXT: ${'x'.repeat(1100)}`).at(-1)).toMatch(/^\[NEXT: x{1000}/);
  });

  it('is word for word what will be stored, whatever is said and however it is cut', () => {
    const piece = fc.constantFrom(
      ...[
        '[',
        ']',
        '【',
        '】',
        '[NEXT: ana]',
        '[TEAM_TASK: a [b]\nc]',
        '【TEAM_TASK：修】',
        'NEXT',
        ':',
        ' ',
        '\n',
        '\n\n',
        'a`',
        '``',
      ],
      ...['\n```\n', '\n```todo\n', '\n- [ ] x\n', '\n> ', '"', ' "', "'", '“', '”', 'words', '\n~~~\n'],
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (whole, size) => {
        expect(wordsOf(show(whole, size))).toEqual(wordsOf(parseMarkers(whole).text));
      }),
      { numRuns: 2000, seed: 7 },
    );
  });

  it('costs no more for a long answer than for many short ones', () => {
    const texts = [
      'word '.repeat(40_000),
      '```\ncode\n'.repeat(1) + 'line of code;\n'.repeat(15_000),
      ' '.repeat(100_000),
      '`'.repeat(20_000),
    ];
    const began = performance.now();
    for (const text of texts) show(text, 5);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
