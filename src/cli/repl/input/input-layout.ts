// The typed text as it stands on the screen: lines no wider than it, and the place of the cursor among them. A long paste is shown by
// its length.
import { plainText } from '../../output/plain-text.ts';
import { graphemesOf, widthOf } from '../view/screen-text.ts';
import type { Editor } from './editor.ts';

export interface InputLayout {
  lines: readonly string[];
  cursor: { x: number; y: number };
}

export interface InputLayoutOptions {
  columns: number;
  /** At most so many lines: those around the cursor. */
  rows: number;
  /** How a paste of so many lines is called. */
  describePaste: (lines: number) => string;
}

export function layoutInput({ text, cursor, pastes }: Editor, options: InputLayoutOptions): InputLayout {
  const columns = Math.max(4, options.columns);
  const lines: string[] = [''];
  let [x, place] = [0, 0];
  let found = { x: 0, y: 0 };
  for (const grapheme of graphemesOf(text)) {
    if (place === cursor) found = { x, y: lines.length - 1 };
    place += grapheme.length;
    if (grapheme === '\n' || grapheme === '\r\n') {
      lines.push('');
      x = 0;
      continue;
    }
    const pasted = pastes.get(grapheme);
    const shown = pasted === undefined ? show(grapheme) : options.describePaste(pasted.split('\n').length);
    for (const part of pasted === undefined ? [shown] : graphemesOf(shown)) {
      const width = widthOf(part);
      // A column is left for the cursor behind the last character.
      if (x + width > columns - 1) {
        lines.push('');
        x = 0;
      }
      lines[lines.length - 1] += part;
      x += width;
    }
  }
  if (place === cursor) found = { x, y: lines.length - 1 };
  const rows = Math.max(1, options.rows);
  const first = Math.min(Math.max(0, found.y - rows + 1), Math.max(0, lines.length - rows));
  return { lines: lines.slice(first, first + rows), cursor: { x: found.x, y: found.y - first } };
}

function show(grapheme: string): string {
  return grapheme === '\t' ? '  ' : plainText(grapheme);
}
