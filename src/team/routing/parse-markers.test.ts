import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../test/support/processor-time.ts';
import { parseMarkers, parseUnfinished } from './parse-markers.ts';

const nothing = { next: [], teamTask: undefined, todos: undefined };

describe('a hand-over', () => {
  it.each([
    ['I am done.\n[NEXT: ana, bob]', 'I am done.', ['ana, bob']],
    ['[next:Ana]', '', ['Ana']],
    ['好了。【NEXT：甲、乙】', '好了。', ['甲、乙']],
    ['Look ［ Next ： Ana ］ at this', 'Look at this', ['Ana']],
    ['First [NEXT: ana] then [NEXT: bob].', 'First then .', ['ana', 'bob']],
    ['One\n\n[NEXT: ana]\n\nTwo', 'One\n\n\nTwo', ['ana']],
    ['[NEXT: [the] boss]', '', ['[the] boss']],
    ['【ＮＥＸＴ：甲】', '', ['甲']],
    ['［ｎｅｘｔ: ana］', '', ['ana']],
    ['"Done" [NEXT: ana] "really"', '"Done" "really"', ['ana']],
    ["Don't [NEXT: ana] it's late", "Don't it's late", ['ana']],
    ['A 5" disk [NEXT: ana] is 4" wide', 'A 5" disk is 4" wide', ['ana']],
    ['He said "go on [NEXT: ana]\nand on"', 'He said "go on\nand on"', ['ana']],
  ])('is taken out of %j', (said, text, next) => {
    expect(parseMarkers(said)).toEqual({ ...nothing, text, next });
  });

  it.each([
    '```\n[NEXT: ana]\n```',
    '~~~text\n[NEXT: ana]',
    'Write `[NEXT: ana]` at the end.',
    '> [NEXT: ana]\nsaid Bob',
    'Say "[NEXT: ana]" when you are done.',
    '请说“【NEXT：甲】”。',
    "'quoted [NEXT: ana]'",
    'He wrote "I am done, [NEXT: ana], over" and left.',
    '他写道“我好了，【NEXT：甲】，完”。',
    '「先 [NEXT: ana] 再说」',
    '[NEXT ana]',
    '[NEXT: ana',
    '[NEXT: ana\n]',
    'no markers at all  ',
    '',
  ])('is not seen in %j, which stays as it is', (said) => {
    expect(parseMarkers(said)).toEqual({ ...nothing, text: said });
  });

  it('behind a code block counts again', () => {
    expect(parseMarkers('```\n[NEXT: ana]\n```\n[NEXT: bob]').next).toEqual(['bob']);
  });

  it('to nobody is taken out and hands over to nobody', () => {
    expect(parseMarkers('Done [NEXT: ]')).toEqual({ ...nothing, text: 'Done' });
  });
});

describe('a task', () => {
  it('may hold brackets and lines; the last one counts', () => {
    expect(parseMarkers('[TEAM_TASK: old]\n[TEAM_TASK: fix [urgent] bugs\nin the parser]\nGo. [NEXT: ana]')).toEqual({
      text: 'Go.',
      next: ['ana'],
      teamTask: 'fix [urgent] bugs\nin the parser',
      todos: undefined,
    });
  });

  it('is read in full width', () => {
    expect(parseMarkers('【ＴＥＡＭ＿ＴＡＳＫ：修复登录】').teamTask).toBe('修复登录');
    expect(parseMarkers('【TEAM_TASK：修复登录】')).toEqual({ ...nothing, text: '', teamTask: '修复登录' });
  });
});

describe('a list of things to do', () => {
  it('is taken out and read', () => {
    expect(parseMarkers('Plan:\n```todo\n- [x] read\n- [~] write\n* [ ] test\nnoise\n```\nStarting.')).toEqual({
      ...nothing,
      text: 'Plan:\nStarting.',
      todos: [
        { text: 'read', state: 'done' },
        { text: 'write', state: 'active' },
        { text: 'test', state: 'open' },
      ],
    });
  });

  it('in other code shows how one is written', () => {
    const said = '~~~\n```todo\n- [ ] read\n~~~\nLike that.';
    expect(parseMarkers(said)).toEqual({ ...nothing, text: said });
  });

  it('that is not finished yet is taken out as well', () => {
    expect(parseMarkers('Plan:\n```todo\n- [ ] read')).toEqual({
      ...nothing,
      text: 'Plan:',
      todos: [{ text: 'read', state: 'open' }],
    });
  });
});

it('an answer in the making has no half of a marker', () => {
  expect(['Done.\n[NEXT: an', 'Done. [NEXT: ana]', 'Done. 【TEAM_TASK', 'Done. [1] and [2'].map(parseUnfinished)).toEqual([
    'Done.\n',
    'Done.',
    'Done. ',
    'Done. [1] and [2',
  ]);
});

describe('whatever is said', () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '【',
    '】',
    'NEXT',
    'TEAM_TASK',
    ':',
    '：',
    ' ',
    '\n',
    '`',
    '```',
    '>',
    '"',
    'ana',
    ',',
    'todo',
    '~~~',
  );
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  );

  it('no marker is left in what is stored', () => {
    fc.assert(
      fc.property(text, (said) => {
        const parsed = parseMarkers(said);
        expect(parseMarkers(parsed.text)).toEqual({ ...nothing, text: parsed.text });
      }),
      { numRuns: 2000 },
    );
  });

  it('the names come out in the order they were written', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    const marker = fc.tuple(fc.array(name, { minLength: 1, maxLength: 4 }), fc.constantFrom('[NEXT: ', '【NEXT：', '[ next :'));
    const plain = fc.stringMatching(/^[a-zA-Z .\n]{0,20}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, marker), { maxLength: 6 }), (parts) => {
        const said = parts
          .map(([before, [names, open]]) => `${before}${open}${names.join(', ')}${open[0] === '[' ? ']' : '】'}`)
          .join('');
        expect(parseMarkers(said).next).toEqual(parts.map(([, [names]]) => names.join(', ')));
      }),
    );
  });

  it('costs little, also where it is made to cost much', () => {
    const hostile = [
      '[NEXT: '.repeat(20_000),
      '[TEAM_TASK: '.repeat(10_000),
      '`'.repeat(50_000),
      '`a``b'.repeat(20_000),
      '```todo\n'.repeat(10_000),
      '"x [NEXT: a] '.repeat(10_000),
      '“'.repeat(50_000),
      '"a [NEXT: a]" '.repeat(10_000),
      '`a` "b [NEXT: a]"\n'.repeat(10_000),
    ];
    const taken = processorTime(() => {
      for (const said of hostile) parseMarkers(said);
    });
    expect(taken).toBeLessThan(5000);
  });
});
