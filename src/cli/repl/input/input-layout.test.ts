import { describe, expect, it } from 'vitest';
import { editorOf, emptyEditor, insert, move, paste } from './editor.ts';
import { layoutInput } from './input-layout.ts';

const options = { columns: 11, rows: 5, describePaste: (lines: number) => `[pasted ${lines} lines]` };

describe('layoutInput', () => {
  it('wraps wide characters whole and puts the cursor behind what they take', () => {
    expect(layoutInput(editorOf('你好世界再见'), options)).toEqual({ lines: ['你好世界再', '见'], cursor: { x: 2, y: 1 } });
    expect(layoutInput(move(editorOf('ab你'), 'left'), options)).toEqual({ lines: ['ab你'], cursor: { x: 2, y: 0 } });
  });

  it('knows the place of the cursor in several lines', () => {
    expect(layoutInput(editorOf('one\n'), options)).toEqual({ lines: ['one', ''], cursor: { x: 0, y: 1 } });
    expect(layoutInput({ ...editorOf('one\ntwo'), cursor: 1 }, options).cursor).toEqual({ x: 1, y: 0 });
  });

  it('shows the lines around the cursor where there are too many', () => {
    const editor = editorOf('1\n2\n3\n4\n5\n6\n7');
    expect(layoutInput(editor, options)).toEqual({ lines: ['3', '4', '5', '6', '7'], cursor: { x: 1, y: 4 } });
    expect(layoutInput({ ...editor, cursor: 0 }, options)).toEqual({ lines: ['1', '2', '3', '4', '5'], cursor: { x: 0, y: 0 } });
  });

  it('shows a long paste by its length', () => {
    const pasted = insert(paste(emptyEditor, 'x\n'.repeat(120)), '!');
    expect(layoutInput(pasted, { ...options, columns: 40 })).toEqual({ lines: ['[pasted 120 lines]!'], cursor: { x: 19, y: 0 } });
  });

  it('shows nothing that a terminal could obey', () => {
    expect(layoutInput(editorOf('a\x1b[2J'), options).lines).toEqual(['a^[[2J']);
  });
});
