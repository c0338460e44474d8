import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../test/support/processor-time.ts';
import type { Entry, NewEntry } from '../../model/entry.ts';
import { createConversationId, formatEntryId } from '../../model/id.ts';
import { summariseEntries } from './extractive.ts';
import { detectLanguage } from './language.ts';
import { openWork } from './open-work.ts';

const conversationId = createConversationId(0);
/** Texts are said by user and assistant in turn; anything else stands as it is. */
function talk(lines: (string | NewEntry)[], after = 0): Entry[] {
  let spoken = after;
  return lines.map((line, i) => {
    const seq = after + i + 1;
    const stamp = { id: formatEntryId(conversationId, seq), conversationId, seq, at: seq * 1000 };
    if (typeof line !== 'string') return { ...line, ...stamp };
    spoken += 1;
    return { kind: 'message', role: spoken % 2 === 1 ? 'user' : 'assistant', text: line, ...stamp };
  });
}
const idOf = (seq: number) => formatEntryId(conversationId, seq);
const openOf = (lines: (string | NewEntry)[]) => openWork(talk(lines)).map(({ kind, text }) => [kind, text]);

const sofa = [
  '帮我设置导航到沙发',
  '好的，正在设置导航到沙发。已规划路径，预计 2 分钟到达。\n下一步：绕开地毯。',
  '导航的时候绕开地毯',
  '已经把地毯设为禁行区，导航路径重新规划。决定用 A* 而不是 Dijkstra。',
  '速度能再快一点吗？',
];

describe('summariseEntries', () => {
  it('says in Chinese what was asked, decided, came out and is open', () => {
    expect(summariseEntries(talk(sofa))).toEqual({
      text: [
        '诉求：帮我设置导航到沙发',
        '诉求：导航的时候绕开地毯',
        '决定：决定用 A* 而不是 Dijkstra。',
        '结果：已规划路径，预计 2 分钟到达。',
        '结果：已经把地毯设为禁行区，导航路径重新规划。',
        '未完成：速度能再快一点吗？',
      ].join('\n'),
      covers: { from: 1, to: 5 },
      language: 'zh',
    });
  });

  it('says it in English, keeps identifiers and leaves code and politeness out', () => {
    const { text, language } = summariseEntries(
      talk([
        'The login page throws TypeError in LoginForm.tsx when the session token expires.',
        'Sure! The root cause is in useSession(): it reads the token before the refresh.\n```ts\nsecretCode();\n```',
        'Please fix it and add a test',
        'Fixed in src/auth/use-session.ts; we will use a single timer instead of two. Tests passed.\n- [ ] update the docs',
      ]),
    );
    expect(text).toBe(
      [
        'Asked: The login page throws TypeError in LoginForm.tsx when the session token expires.',
        'Asked: Please fix it and add a test',
        'Decided: Fixed in src/auth/use-session.ts; we will use a single timer instead of two.',
        'Result: The root cause is in useSession(): it reads the token before the refresh.',
        'Result: Tests passed.',
        'Open: update the docs',
      ].join('\n'),
    );
    expect(language).toBe('en');
  });

  it('goes on from the summary before with the new entries alone, and closes what was settled', () => {
    const previous = summariseEntries(talk(sofa));
    const next = summariseEntries(talk(['速度从 0.3 m/s 提升到 0.5 m/s，已完成。', '明天再测充电桩'], 5), { previous });
    expect(next.covers).toEqual({ from: 1, to: 7 });
    expect(next.text).toContain('诉求：帮我设置导航到沙发');
    expect(next.text).toContain('结果：速度从 0.3 m/s 提升到 0.5 m/s，已完成。');
    expect(next.text).toContain('未完成：明天再测充电桩');
    expect(next.text).not.toContain('速度能再快一点吗');
  });

  it('builds on a summary that somebody else wrote', () => {
    const next = summariseEntries(talk(['Deploy it to staging'], 4), { previous: { text: 'They fixed the login page.' } });
    expect(next.text).toBe('Noted: They fixed the login page.\nOpen: Deploy it to staging');
  });

  it('keeps its limits and says nothing twice', () => {
    const lines = Array.from({ length: 60 }, (_, i) =>
      i % 2 === 0 ? `How do we cache page ${i}?` : 'We decided to cache every page for an hour.',
    );
    const { text } = summariseEntries(talk(lines), { maxSentences: 4, maxCharacters: 160 });
    expect(text.length).toBeLessThanOrEqual(160);
    expect(text.split('\n').length).toBeLessThanOrEqual(4);
    expect(text.match(/decided to cache/g)).toHaveLength(1);
  });

  it('has nothing to say about nothing, and nothing about what was withheld', () => {
    expect(summariseEntries([])).toEqual({ text: '', covers: undefined, language: 'en' });
    const withheld = { ...talk(['secret'])[0], text: '', withheld: { characters: 6 } } as Entry;
    expect(summariseEntries([withheld])).toEqual({ text: '', covers: { from: 1, to: 1 }, language: 'en' });
  });

  it('is quick with a long conversation', () => {
    const taken = processorTime(() => {
      summariseEntries(talk(Array.from({ length: 400 }, (_, i) => sofa[i % 4] ?? '')));
      for (const unit of [' ', '[', '*', '嗯', '可以了', '- [ ] a\n', '```\n', '下一步：', 'a.b/']) {
        summariseEntries(talk([unit.repeat(30_000), unit.repeat(30_000), `${unit.repeat(12)}x`]));
      }
    });
    expect(taken).toBeLessThan(10_000);
  });
});

describe('openWork', () => {
  it('names an answer that was cut off by what had been asked', () => {
    expect(
      openWork(talk(['Deploy the shop', { kind: 'message', role: 'assistant', text: 'Building…', interrupted: true }])),
    ).toEqual([{ kind: 'interrupted-answer', text: 'Deploy the shop', entryId: idOf(2), seq: 2, at: 2000 }]);
  });

  it('names a turn that failed, and forgets it once a later one was done', () => {
    const failed: NewEntry = { kind: 'event', name: 'turn-end', code: 'provider-unavailable', text: 'No connection.' };
    expect(openOf(['部署商店', failed])).toEqual([['failed-turn', '部署商店']]);
    expect(openOf(['部署商店', failed, { kind: 'message', role: 'user', text: '再试一次' }, '部署成功。'])).toEqual([]);
    expect(openOf(['部署商店', { ...failed, code: 'cancelled' }])).toEqual([['interrupted-answer', '部署商店']]);
    expect(openOf(['部署商店', '好了。', { kind: 'event', name: 'turn-end', code: 'done', text: '' }])).toEqual([]);
  });

  it('names a last question without an answer, but not a last thank you', () => {
    expect(openOf(['a', 'b', 'Which port is it?'])).toEqual([['unanswered', 'Which port is it?']]);
    expect(openOf(['a', 'b', '好的，谢谢！'])).toEqual([]);
  });

  it('keeps open boxes until they are ticked or said to be done', () => {
    const list = 'Plan:\n- [x] schema\n- [ ] backfill rows\n- [ ] drop column\n待办：通知用户';
    expect(openOf(['plan', list])).toEqual([
      ['todo', 'backfill rows'],
      ['todo', 'drop column'],
      ['todo', '通知用户'],
    ]);
    expect(openOf(['plan', list, 'go', '- [x] Backfill rows\nThe drop column step is done.'])).toEqual([['todo', '通知用户']]);
  });

  it('reads announced next steps, of the last answer only', () => {
    expect(openOf(['a', 'Works.\n\n**Next steps:**\n1. Deploy to staging\n2. Watch the errors'])).toEqual([
      ['next-step', 'Deploy to staging'],
      ['next-step', 'Watch the errors'],
    ]);
    expect(openOf(['a', '索引建好了。下一步：迁移数据。'])).toEqual([['next-step', '下一步:迁移数据。'.replace(':', '：')]]);
    expect(openOf(['a', '下一步：迁移数据。', '做吧', '数据迁移完毕。'])).toEqual([]);
  });

  it('finds what is to do in the middle of a line', () => {
    expect(openOf(['a', '退款记为负支出。待办：微信账单格式'])).toEqual([['todo', '微信账单格式']]);
    expect(openOf(['a', 'Merged. TODO: hash the attachments'])).toEqual([['todo', 'hash the attachments']]);
  });

  it('does not take code for a list', () => {
    expect(openOf(['a', '```\n// TODO: nothing\n- [ ] box\n```'])).toEqual([]);
  });
});

describe('detectLanguage', () => {
  it.each([
    ['帮我修复 LoginForm.tsx 的 bug', 'zh'],
    ['Fix the 登录 page please now', 'en'],
    ['ログインのバグを直して', 'ja'],
    ['로그인 버그를 고쳐줘', 'ko'],
    ['', 'en'],
  ])('of %j is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});
