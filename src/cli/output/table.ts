// Tables for people: columns line up whatever script they are in, and a table is never wider than the terminal.
import type { Paint } from './style.ts';
import type { TextRuler } from './text-ruler.ts';

export interface Column {
  heading: string;
  align?: 'left' | 'right';
  /** The most columns it may take where the terminal is narrow. */
  narrow?: number;
  /** Takes what is left over. One column at most. */
  flexible?: boolean;
  /** Left out where there is no room for it; the higher, the sooner. */
  dispensable?: number;
}

export interface Cell {
  text: string;
  paint?: Paint;
}

export interface TableOptions {
  ruler: TextRuler;
  /** Columns of the terminal; undefined where the output has no width. */
  width: number | undefined;
  paintHeading: Paint;
}

const gap = '  ';
const leastFlexible = 10;

export function renderTable(all: readonly Column[], allRows: readonly (readonly Cell[])[], options: TableOptions): string[] {
  const { ruler, paintHeading } = options;
  const allHeadings = all.map(({ heading }) => ({ text: heading, paint: paintHeading }));
  const kept = keptColumns(all, [allHeadings, ...allRows], options);
  const columns = kept.map((i) => all[i] as Column);
  const rows = [allHeadings, ...allRows].map((row) => kept.map((i) => row[i] as Cell));
  const widths = columnWidths(columns, rows, options);
  return rows.map((row) =>
    row
      .map((cell, i) => renderCell(cell, i))
      .join(gap)
      .trimEnd(),
  );

  function renderCell(cell: Cell, index: number): string {
    const width = widths[index] as number;
    const text = ruler.cut(cell.text, width);
    const painted = cell.paint ? cell.paint(text) : text;
    const space = ' '.repeat(Math.max(0, width - ruler.width(text)));
    if (columns[index]?.align === 'right') return space + painted;
    return index === columns.length - 1 ? painted : painted + space;
  }
}

/** Which columns there is room for: the most dispensable go first, until the others fit at their narrowest. */
function keptColumns(columns: readonly Column[], rows: readonly (readonly Cell[])[], options: TableOptions): number[] {
  const { ruler, width } = options;
  let kept = columns.map((_, i) => i);
  if (width === undefined) return kept;
  const narrowest = columns.map(({ flexible }, i) => {
    const wanted = narrowed(columns[i] as Column, widest(rows, i, ruler), ruler);
    return flexible ? Math.min(leastFlexible, wanted) : wanted;
  });
  const needed = () => kept.reduce((sum, i) => sum + (narrowest[i] as number), 0) + gap.length * (kept.length - 1);
  while (needed() > width) {
    const rank = (i: number) => columns[i]?.dispensable ?? 0;
    const next = kept.reduce((most, i) => (rank(i) > rank(most) ? i : most));
    if (rank(next) === 0) break;
    kept = kept.filter((i) => i !== next);
  }
  return kept;
}

function columnWidths(columns: readonly Column[], rows: readonly (readonly Cell[])[], { ruler, width }: TableOptions): number[] {
  const widths = columns.map((_, i) => widest(rows, i, ruler));
  if (width === undefined) return widths;
  const missing = () => widths.reduce((sum, each) => sum + each, 0) + gap.length * (columns.length - 1) - width;
  if (missing() <= 0) return widths;
  columns.forEach((column, i) => {
    widths[i] = narrowed(column, widths[i] as number, ruler);
  });
  const flexible = columns.findIndex((column) => column.flexible);
  if (flexible >= 0 && missing() > 0) widths[flexible] = Math.max(leastFlexible, (widths[flexible] as number) - missing());
  // Nothing can be left out any more: the widest columns give way, whatever they are.
  while (missing() > 0 && Math.max(...widths) > 1) widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1;
  return widths;
}

function widest(rows: readonly (readonly Cell[])[], column: number, ruler: TextRuler): number {
  return Math.max(...rows.map((row) => ruler.width(row[column]?.text ?? '')));
}

function narrowed({ narrow, heading }: Column, width: number, ruler: TextRuler): number {
  return narrow === undefined ? width : Math.min(width, Math.max(narrow, ruler.width(heading)));
}
