// One line about the talk: what it is called, who is in it and who speaks, what it has cost, whether it is saved.
import type { Style } from '../../output/style.ts';
import type { MemberView, StatusView } from '../view/repl-view.ts';
import { cutTo, widthOf } from '../view/screen-text.ts';
import type { Draw } from './draw.ts';
import { Lines } from './lines.tsx';

const separator = ' · ';
const mostNames = 4;
const leastTitle = 12;

export function StatusLine({ status, draw }: { status: StatusView; draw: Draw }) {
  return <Lines lines={[statusLine(status, draw)]} />;
}

/** Parts that do not fit are cut from the title first. */
export function statusLine(status: StatusView, draw: Draw): string {
  const { text, style, columns } = draw;
  const parts = [whoPart(status, draw), ...tokensPart(status, draw), text.repl.saved[status.saved]].filter((part) => part !== '');
  const rest = parts.join(separator);
  const room = columns - widthOf(rest) - widthOf(separator);
  const title = room >= leastTitle ? [cutTo(status.title || text.repl.untitled, room)] : [];
  const line = cutTo([...title, ...parts].join(separator), columns);
  return paintNames(line, status.members, style);
}

function whoPart({ members, speaking, busySince }: StatusView, { text, now }: Draw): string {
  const seconds = busySince === undefined ? 0 : Math.max(0, Math.floor((now - busySince) / 1000));
  if (speaking !== undefined) return text.repl.speaks(speaking, seconds);
  const names = members.slice(0, mostNames).map(({ name }) => name);
  return members.length > mostNames ? text.repl.members(members.length) : names.join(', ');
}

function tokensPart({ tokens }: StatusView, { text }: Draw): string[] {
  if (tokens === 0) return [];
  return [text.repl.tokens(tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 100_000 ? 1 : 0)}k`)];
}

/** The line is dim, the names in it have their colours. */
function paintNames(line: string, members: readonly MemberView[], style: Style): string {
  const found = members.find(({ name }) => name !== '' && line.includes(name));
  if (!found) return style.dim(line);
  const at = line.indexOf(found.name);
  const others = members.filter(({ id }) => id !== found.id);
  const rest = paintNames(line.slice(at + found.name.length), others, style);
  return style.dim(line.slice(0, at)) + style[found.paint](found.name) + rest;
}
