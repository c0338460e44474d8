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

export function renderTable(columns: readonly Column[], rows: readonly (readonly Cell[])[], options: TableOptions): string[] {
  const { ruler, paintHeading } = options;
  const headings = columns.map(({ heading }) => ({ text: heading, paint: paintHeading }));
  const widths = columnWidths(columns, [headings, ...rows], options);
  return [headings, ...rows].map((row) =>
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

function columnWidths(columns: readonly Column[], rows: readonly (readonly Cell[])[], { ruler, width }: TableOptions): number[] {
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => ruler.width(row[i]?.text ?? ''))));
  if (width === undefined) return widths;
  const room = () => width - widths.reduce((sum, each) => sum + each, 0) - gap.length * (columns.length - 1);
  if (room() >= 0) return widths;
  columns.forEach(({ narrow }, i) => {
    if (narrow !== undefined) widths[i] = Math.min(widths[i] as number, Math.max(narrow, ruler.width(columns[i]?.heading ?? '')));
  });
  const flexible = columns.findIndex((column) => column.flexible);
  const missing = -room();
  if (flexible >= 0 && missing > 0) widths[flexible] = Math.max(leastFlexible, (widths[flexible] as number) - missing);
  return widths;
}
