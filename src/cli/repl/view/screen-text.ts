// Text cut, padded and wrapped to columns of a terminal, by what terminals show: wide characters count two, emoji are whole. Unlike
// the ruler of other commands it may load string-width, because the application has started already.
import stringWidth from 'string-width';
import type { TextRuler } from '../../output/text-ruler.ts';
import { wrapText } from '../../output/wrap-text.ts';
import type { Piece } from './repl-view.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const ellipsis = '…';

const plain = /^[\u0020-\u007e]*$/;

export function widthOf(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text);
}

export function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** The text, or as much of it as fits with an ellipsis. */
export function cutTo(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (widthOf(text) <= columns) return text;
  return takeColumns(text, columns - 1).trimEnd() + ellipsis;
}

/** Exactly so many columns. */
export function padTo(text: string, columns: number): string {
  const cut = cutTo(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - widthOf(cut)));
}

/** Lines none of which is wider; at words where they are, and inside of a word that is wider than a line. */
export function wrapTo(text: string, columns: number): string[] {
  const room = Math.max(1, columns);
  return wrapText(text, room, screenRuler)
    .split('\n')
    .flatMap((line) => breakLine(line, room));
}

/** The lines of a piece of the talk, without colours. */
export function pieceLines({ text, mark = '', isApart }: Omit<Piece, 'id'>, columns: number): string[] {
  const indent = widthOf(mark);
  const space = ' '.repeat(indent);
  const lines = wrapTo(text, columns - indent).map((line, place) => (place === 0 ? mark : space) + line);
  return isApart ? ['', ...lines] : lines;
}

const screenRuler: TextRuler = { width: widthOf, cut: cutTo };

/** One walk, however long the line is. */
function breakLine(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  if (plain.test(line))
    return Array.from({ length: Math.ceil(line.length / columns) }, (_, i) => line.slice(i * columns, (i + 1) * columns));
  const lines: string[] = [];
  let [current, used] = ['', 0];
  for (const piece of graphemesOf(line)) {
    const width = widthOf(piece);
    if (used + width > columns && current !== '') {
      lines.push(current);
      [current, used] = ['', 0];
    }
    current += piece;
    used += width;
  }
  return [...lines, current];
}

function takeColumns(text: string, columns: number): string {
  let kept = '';
  let used = 0;
  for (const piece of graphemesOf(text)) {
    used += widthOf(piece);
    if (used > columns) break;
    kept += piece;
  }
  return kept;
}
