import { describe, expect, it } from 'vitest';
import type { Context } from '../context.ts';
import { en } from '../messages/en.ts';
import { createStyle } from '../output/style.ts';
import { previewChange } from './change-preview.ts';

const context = { text: en, style: createStyle(false) } as Context;
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('');

describe('what is shown of a change that waits for permission', () => {
  it('is the beginning of what would be written', () => {
    expect(previewChange(context, 'write_file', { path: 'a', content: 'one\n\n  two' })).toEqual([
      '    + one',
      '    +',
      '    +   two',
    ]);
    const long = previewChange(context, 'write_file', { path: 'a', content: numbered(500) });
    expect(long.length).toBe(11);
    expect(long.at(-1)).toBe('    … 490 more lines');
  });

  it('is the lines that go and the lines that come, without those that stay', () => {
    expect(previewChange(context, 'edit_file', { path: 'a', old_text: 'a\nb\nc\n', new_text: 'a\nB\nB\nc\n' })).toEqual([
      '    - b',
      '    + B',
      '    + B',
    ]);
    expect(previewChange(context, 'edit_file', { path: 'a', old_text: 'x', new_text: '', replace_all: true })).toEqual([
      '    in every place where it stands:',
      '    - x',
    ]);
  });

  it('hides nothing and obeys nothing', () => {
    const content = `safe\u202egnp\u001b[2J\u200b\n${'x'.repeat(1000)}`;
    expect(previewChange(context, 'write_file', { path: 'a', content })).toEqual([
      '    + safe\\u{202e}gnp^[[2J\\u{200b}',
      `    + ${'x'.repeat(120)}…`,
    ]);
  });

  it('is nothing for other calls and for input that cannot be read', () => {
    for (const input of [undefined, null, 'text', [1], {}, { content: 1 }, { old_text: 'x' }])
      for (const tool of ['write_file', 'edit_file', 'run_command']) expect(previewChange(context, tool, input)).toEqual([]);
    expect(previewChange(context, 'mcp__x__write_file', { content: 'x' })).toEqual([]);
  });
});
