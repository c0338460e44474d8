// The whole screen below what has been said: what is being said, todos, the status line, the question or the prompt. It is always lower
// than the terminal, so that nothing that was said is drawn twice.
import { Box, useCursor } from 'ink';
import { layoutInput } from '../input/input-layout.ts';
import type { ReplView } from '../view/repl-view.ts';
import { cutTo, widthOf } from '../view/screen-text.ts';
import type { Draw } from './draw.ts';
import { Lines } from './lines.tsx';
import { pickerLines } from './picker.tsx';
import { offerLines, promptLines } from './prompt-line.tsx';
import { statusLine } from './status-line.tsx';
import { todoLines } from './todo-panel.tsx';
import { liveLines, Transcript } from './transcript.tsx';

export interface Screen {
  lines: readonly string[];
  /** Where the cursor stands; undefined where there is none to be seen. */
  cursor: { x: number; y: number } | undefined;
}

export function App({ view, draw }: { view: ReplView; draw: Draw }) {
  const { lines, cursor } = layoutScreen(view, draw);
  useCursor().setCursorPosition(cursor);
  return (
    <Box flexDirection="column">
      <Transcript pieces={view.pieces} epoch={view.epoch} draw={draw} />
      <Lines lines={lines} />
    </Box>
  );
}

/** Everything that is drawn again and again. */
export function layoutScreen(view: ReplView, draw: Draw): Screen {
  if (view.isOver) return { lines: [], cursor: undefined };
  if (view.picker) return { lines: pickerLines(view.picker, draw), cursor: undefined };
  const { style, columns, rows, text } = draw;
  const room = Math.max(4, rows - 1);
  const status = statusLine(view.status, draw);
  const prompt = view.question ? `${cutTo(view.question.prompt, Math.max(8, columns - 20))} ` : '> ';
  const input = layoutInput(view.editor, {
    columns: columns - widthOf(prompt),
    rows: Math.max(1, Math.min(10, room - 4)),
    describePaste: text.repl.pasted,
  });
  const typed = promptLines(prompt, input, draw);
  const offers = offerLines(view.offers, draw);
  const notice = view.notice === undefined ? [] : [style.yellow(cutTo(view.notice, columns))];
  const below = [...offers, ...notice, status];
  // An empty line sets off what is typed from what was said.
  const left = Math.max(0, room - typed.length - below.length - 1);
  const todos = todoLines(view.todos, draw).slice(0, Math.max(0, left - 2));
  const live = liveLines(view.live, draw, Math.max(0, left - todos.length));
  const above = [...live, ...(view.question ? [] : ['']), ...todos];
  return {
    lines: [...above, ...typed, ...below],
    cursor: { x: widthOf(prompt) + input.cursor.x, y: above.length + input.cursor.y },
  };
}
