import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { en } from '../../messages/en.ts';
import { zh } from '../../messages/zh.ts';
import { createStyle } from '../../output/style.ts';
import { emptyEditor, insert, paste } from '../input/editor.ts';
import type { PickerView, ReplView } from '../view/repl-view.ts';
import { ScreenState } from '../view/screen-state.ts';
import { widthOf } from '../view/screen-text.ts';
import { App, layoutScreen } from './app.tsx';
import type { Draw } from './draw.ts';
import { Picker } from './picker.tsx';
import { StatusLine } from './status-line.tsx';
import { TodoPanel } from './todo-panel.tsx';
import { Transcript } from './transcript.tsx';

const draw: Draw = { text: en, style: createStyle(false), columns: 80, rows: 24, now: 10_000 };
const status: ReplView['status'] = {
  title: 'Caching',
  members: [
    { id: 'ana', name: '安娜', paint: 'cyan' },
    { id: 'bob', name: 'Bob', paint: 'magenta' },
  ],
  speaking: undefined,
  busySince: undefined,
  tokens: 12_345,
  saved: 'saved',
};

function viewWith(change: Partial<ReplView> = {}): ReplView {
  return { ...new ScreenState(80).view, status, ...change };
}

describe('the status line', () => {
  it('tells the title, the members, the tokens and whether it is saved', () => {
    const { lastFrame } = render(<StatusLine status={status} draw={draw} />);
    expect(lastFrame()).toBe('Caching · 安娜, Bob · 12.3k tokens · saved');
  });

  it('tells who speaks and for how long, and gives names their colours', () => {
    const speaking = { ...status, speaking: 'Bob', busySince: 3000, saved: 'saving' as const };
    const { lastFrame } = render(<StatusLine status={speaking} draw={{ ...draw, style: createStyle(true) }} />);
    expect(lastFrame()).toContain('\u001b[35mBob\u001b[39m');
    expect(render(<StatusLine status={speaking} draw={draw} />).lastFrame()).toBe(
      'Caching · Bob answers, 7 s · 12.3k tokens · saving',
    );
  });

  it('cuts the title first where there is no room', () => {
    const long = { ...status, title: '很长的标题'.repeat(20) };
    const { lastFrame } = render(<StatusLine status={long} draw={{ ...draw, columns: 60 }} />);
    expect(lastFrame()).toMatch(/^很长的标题.*… · 安娜, Bob · 12\.3k tokens · saved$/);
    expect(widthOf(lastFrame() ?? '')).toBeLessThanOrEqual(60);
  });
});

describe('the picker', () => {
  const picker: PickerView = {
    scope: 'everywhere',
    project: 'shop',
    rows: [
      { id: 'a', title: 'The cache', ago: '3 minutes ago', messages: 12, project: 'shop', team: undefined, isPinned: true },
      { id: 'b', title: '关于缓存失效的讨论', ago: 'just now', messages: 3, project: '商店', team: 'review', isPinned: false },
    ],
    chosen: 2,
    isLoading: false,
    hasMore: false,
  };

  it('keeps columns straight with wide characters among them', () => {
    const lines = (render(<Picker picker={picker} draw={draw} />).lastFrame() ?? '').split('\n');
    expect(lines[0]).toBe('Conversations of all projects');
    expect(lines[1]).toBe('  New conversation');
    expect(lines[4]).toMatch(/^❯ \(review\) 关于缓存失效的讨论 /);
    const placeOf = (line: string, word: string) => widthOf(line.slice(0, line.indexOf(word)));
    const [head = '', first = '', second = ''] = lines.slice(2);
    expect([placeOf(first, '3 minutes'), placeOf(second, 'just now')]).toEqual([
      placeOf(head, 'ACTIVE'),
      placeOf(head, 'ACTIVE'),
    ]);
    expect([placeOf(first, 'shop'), placeOf(second, '商店')]).toEqual([placeOf(head, 'PROJECT'), placeOf(head, 'PROJECT')]);
  });

  it('is never wider nor higher than the terminal', () => {
    const rows = Array.from({ length: 200 }, (_, i) => ({ ...(picker.rows[1] as (typeof picker.rows)[0]), id: String(i) }));
    for (const columns of [40, 80]) {
      const narrow = { ...draw, columns, rows: 20, text: zh };
      const lines = (render(<Picker picker={{ ...picker, rows, chosen: 150 }} draw={narrow} />).lastFrame() ?? '').split('\n');
      expect(lines.length).toBeLessThan(20);
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
      expect(lines.filter((line) => line.startsWith('❯')).length).toBe(1);
    }
  });
});

describe('the transcript', () => {
  it('wraps at words and inside scripts without spaces, with what continues below its beginning', () => {
    const pieces = [
      { id: 1, text: '这一段文字很长，要折行', mark: '> ' },
      { id: 2, text: 'one two three four five' },
    ];
    const { lastFrame } = render(<Transcript pieces={pieces} epoch={0} draw={{ ...draw, columns: 14 }} />);
    expect(lastFrame()?.trimEnd()).toBe('> 这一段文字很\n  长，要折行\none two three\nfour five');
  });
});

describe('todos', () => {
  it('are shown from the first open one on where there are many', () => {
    const items = Array.from({ length: 20 }, (_, i) => ({
      text: `step ${i}`,
      state: i < 10 ? ('done' as const) : ('open' as const),
    }));
    const { lastFrame } = render(<TodoPanel todos={[{ by: 'Bob', items }]} draw={draw} />);
    expect(lastFrame()?.split('\n')).toEqual([
      'Bob plans (10 of 20 done)',
      ...['  ☑ step 9', '  ☐ step 10', '  ☐ step 11', '  ☐ step 12', '  ☐ step 13', '  ☐ step 14'],
      '  … 5 more',
    ]);
  });
});

describe('todos of the person', () => {
  it("stand below the newest of the members', whoever published last", () => {
    const list = (by: string, text: string) => ({ by, items: [{ text, state: 'open' as const }] });
    const lists = [list('You', 'call'), list('Bob', 'test'), list('安娜', 'read')];
    const shown = ['Bob plans (0 of 1 done)', '  ☐ test', 'Your list (0 of 1 done)', '  ☐ call'];
    expect(layoutScreen(viewWith({ todos: lists }), draw).lines.slice(1, 5)).toEqual(shown);
    const chinese = render(<TodoPanel todos={[list('你', '打电话')]} draw={{ ...draw, text: zh }} />);
    expect(chinese.lastFrame()?.split('\n')).toEqual(['你的清单（完成 0/1）', '  ☐ 打电话']);
  });
});

describe('the screen', () => {
  it('puts the cursor where the text goes on', () => {
    const view = viewWith({ live: { speaker: 'Bob', text: 'half a line' }, editor: insert(emptyEditor, '你好\nab') });
    expect(layoutScreen(view, draw)).toEqual({
      lines: ['half a line', '', '> 你好', '  ab', 'Caching · 安娜, Bob · 12.3k tokens · saved'],
      cursor: { x: 4, y: 3 },
    });
  });

  it('stays lower than the terminal whatever it has to show', () => {
    const items = Array.from({ length: 30 }, (_, i) => ({ text: `step ${i}`, state: 'open' as const }));
    const editor = insert(emptyEditor, 'line\n'.repeat(40));
    const live = { speaker: 'Bob', text: 'word '.repeat(2000) };
    for (const rows of [6, 10, 24]) {
      const { lines } = layoutScreen(viewWith({ editor, live, todos: [{ by: 'Bob', items }], notice: 'x' }), { ...draw, rows });
      expect(lines.length).toBeLessThan(rows);
    }
  });

  it('shows a long paste by its length and a question in place of the prompt', () => {
    const editor = insert(paste(emptyEditor, 'x\n'.repeat(120)), ' look');
    expect(render(<App view={viewWith({ editor })} draw={draw} />).lastFrame()).toContain('> [pasted 120 lines] look');
    const asked = viewWith({ question: { prompt: 'Allow? [y/n]' }, editor: insert(emptyEditor, 'y') });
    expect(render(<App view={asked} draw={draw} />).lastFrame()).toContain('Allow? [y/n] y');
  });

  it('offers below the prompt what Tab found', () => {
    const offers = { chosen: 1, offers: ['/resume', '/recall'].map((text) => ({ text, about: `about ${text}` })) };
    expect(layoutScreen(viewWith({ offers }), draw).lines).toEqual([
      ...['', '> ', '  /resume   about /resume', '  /recall   about /recall'],
      'Caching · 安娜, Bob · 12.3k tokens · saved',
    ]);
  });
});
