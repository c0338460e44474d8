import { describe, expect, it } from 'vitest';
import {
  deleteBefore,
  deleteToStart,
  deleteWord,
  type Editor,
  editorOf,
  emptyEditor,
  fullText,
  insert,
  move,
  moveLine,
  paste,
} from './editor.ts';

function times(count: number, editor: Editor, change: (editor: Editor) => Editor): Editor {
  return Array.from({ length: count }).reduce<Editor>((now) => change(now), editor);
}

describe('the editor', () => {
  it('moves and deletes by what people see as one character', () => {
    const family = '👨‍👩‍👧';
    const editor = editorOf(`a${family}é你`);
    const between = times(2, editor, (now) => move(now, 'left'));
    expect(between.text.slice(0, between.cursor)).toBe(`a${family}`);
    expect(deleteBefore(between).text).toBe('aé你');
    expect(times(9, editor, (now) => move(now, 'left')).cursor).toBe(0);
    expect(times(9, { ...editor, cursor: 0 }, (now) => move(now, 'right')).cursor).toBe(editor.text.length);
  });

  it('moves by lines at the same column, also of wide characters', () => {
    const editor = editorOf('你好世界\nab\n再见了');
    const up = moveLine(editor, -1);
    expect(up?.text.slice(0, up.cursor)).toBe('你好世界\nab');
    const above = up && moveLine(up, -1);
    expect(above?.text.slice(0, above.cursor)).toBe('你好');
    expect(above && moveLine(above, -1)).toBeUndefined();
    expect(moveLine(editor, 1)).toBeUndefined();
  });

  it('deletes words and lines', () => {
    expect(deleteWord(editorOf('one two')).text).toBe('one ');
    expect(deleteToStart(editorOf('one\ntwo words')).text).toBe('one\n');
  });

  it('shows a long paste as one character and sends it whole', () => {
    const long = Array.from({ length: 120 }, (_, i) => `line ${i}`).join('\n');
    const pasted = insert(paste(insert(emptyEditor, 'See: '), `${long}\n`), ' end');
    expect([...pasted.text].length).toBe('See: '.length + 1 + ' end'.length);
    expect(fullText(pasted)).toBe(`See: ${long} end`);
    const gone = deleteBefore(times(4, pasted, (now) => move(now, 'left')));
    expect(fullText(gone)).toBe('See:  end');
  });

  it('keeps a short paste as text', () => {
    expect(paste(emptyEditor, 'one\ntwo\n').text).toBe('one\ntwo');
  });
});
