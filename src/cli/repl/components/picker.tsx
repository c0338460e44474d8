// The conversations to go on with: of this project, or of all. The first choice is always a new one.
import type { PickerRow, PickerView } from '../view/repl-view.ts';
import { cutTo, padTo, widthOf } from '../view/screen-text.ts';
import type { Draw } from './draw.ts';
import { Lines } from './lines.tsx';

const leastTitle = 16;
const mostProject = 20;
const gap = 2;

export function Picker({ picker, draw }: { picker: PickerView; draw: Draw }) {
  return <Lines lines={pickerLines(picker, draw)} />;
}

export function pickerLines(picker: PickerView, draw: Draw): string[] {
  const { text, style, columns, rows } = draw;
  const words = text.repl.picker;
  const heading = picker.scope === 'here' ? words.here(picker.project) : words.everywhere;
  // Heading, column heads, the first choice, what is further down, a wrong key, the keys.
  const room = Math.max(1, rows - 7);
  const chosenRow = picker.chosen - 1;
  const start = Math.max(0, Math.min(chosenRow - Math.floor(room / 2), picker.rows.length - room));
  const shown = picker.rows.slice(start, start + room);
  const widths = measure(picker.rows, draw);
  const isMore = picker.hasMore || start + room < picker.rows.length;
  return [
    style.bold(cutTo(heading, columns)),
    markLine(words.begin, picker.chosen === 0, draw),
    ...(shown.length > 0 ? [style.dim(`  ${formatRow(headRow(draw), widths)}`)] : []),
    ...shown.map((row, place) => markLine(formatRow(toCells(row), widths), start + place === chosenRow, draw)),
    ...(picker.isLoading ? [style.dim(`  ${words.loading}`)] : []),
    ...(!picker.isLoading && picker.rows.length === 0 ? [style.dim(`  ${words.none}`)] : []),
    ...(isMore ? [style.dim(`  ${words.more}`)] : []),
    ...(picker.isLost ? [style.yellow(cutTo(words.wrongKey, columns))] : []),
    style.dim(cutTo(words.keys[picker.scope], columns)),
  ];
}

interface Cells {
  title: string;
  ago: string;
  messages: string;
  project: string;
}

type Widths = Readonly<Record<keyof Cells, number>>;

function headRow({ text }: Draw): Cells {
  const { title, active, messages, project } = text.repl.picker.headings;
  return { title, ago: active, messages, project };
}

function toCells({ title, ago, messages, project, team, isPinned }: PickerRow): Cells {
  const marked = [...(isPinned ? ['★'] : []), ...(team === undefined ? [] : [`(${team})`]), title].join(' ');
  return { title: marked, ago, messages: String(messages), project };
}

function measure(rows: readonly PickerRow[], draw: Draw): Widths {
  const cells = [headRow(draw), ...rows.map(toCells)];
  const widest = (name: keyof Cells) => Math.max(...cells.map((row) => widthOf(row[name])));
  const [ago, messages, project] = [widest('ago'), widest('messages'), Math.min(mostProject, widest('project'))];
  const rest = draw.columns - 3 - ago - messages - project - 3 * gap;
  // Where there is no room for everything, the project goes first.
  return rest >= leastTitle
    ? { title: rest, ago, messages, project }
    : { title: Math.max(1, rest + project + gap), ago, messages, project: 0 };
}

function formatRow({ title, ago, messages, project }: Cells, widths: Widths): string {
  const count = ' '.repeat(Math.max(0, widths.messages - widthOf(messages))) + messages;
  const parts = [
    padTo(title, widths.title),
    padTo(ago, widths.ago),
    count,
    ...(widths.project > 0 ? [cutTo(project, widths.project)] : []),
  ];
  return parts.join(' '.repeat(gap)).trimEnd();
}

function markLine(line: string, isChosen: boolean, { style, columns }: Draw): string {
  return isChosen ? style.bold(style.cyan(cutTo(`❯ ${line}`, columns))) : cutTo(`  ${line}`, columns);
}
