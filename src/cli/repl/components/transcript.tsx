// What was said. Finished pieces are drawn once and then belong to the terminal, so that a long talk costs no more than a short one;
// only what is being said is drawn again and again.
import { Static, Text } from 'ink';
import type { LiveAnswer, Piece } from '../view/repl-view.ts';
import { pieceLines, wrapTo } from '../view/screen-text.ts';
import type { Draw } from './draw.ts';

export function Transcript({ pieces, epoch, draw }: { pieces: readonly Piece[]; epoch: number; draw: Draw }) {
  return (
    <Static key={epoch} items={pieces as Piece[]}>
      {(piece) => <Text key={piece.id}>{pieceText(piece, draw)}</Text>}
    </Static>
  );
}

export function pieceText(piece: Piece, draw: Pick<Draw, 'style' | 'columns'>): string {
  if (piece.isPainted) return piece.text;
  const colour = piece.paint === undefined ? (line: string) => line : draw.style[piece.paint];
  return pieceLines(piece, draw.columns)
    .map((line) => (line.trim() === '' ? '' : colour(line)))
    .join('\n');
}

/** What is being said, at most so many lines of it: the newest. */
export function liveLines(live: LiveAnswer | undefined, { columns }: Draw, most: number): string[] {
  return live === undefined || live.text.trim() === '' ? [] : wrapTo(live.text, columns).slice(-most);
}
