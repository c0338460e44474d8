// The markers in what a member says: `[NEXT: a, b]` hands over, `[TEAM_TASK: …]` sets the task, a fenced block called `todo` shows a
// list. They are taken out of the text, so that what is stored is what was said, and kept as data. Pure, and linear in the text.
import { findLiteralStretches, type Stretch } from './literal-text.ts';
import { findTodoBlocks, type TodoItem } from './parse-todos.ts';

export interface ParsedText {
  /** What was said, without markers. */
  text: string;
  /** Who is addressed, as written, in order; one item for each marker. */
  next: string[];
  /** The last task that was set; undefined where none was. */
  teamTask: string | undefined;
  /** The last list that was shown; undefined where none was. */
  todos: TodoItem[] | undefined;
}

interface Marker extends Stretch {
  kind: 'next' | 'team-task' | 'todo';
  content: string;
}

const opening = /[[［【]\s{0,8}(NEXT|TEAM_TASK)\s{0,8}[:：]/giu;
const unfinished = /[[［【]\s{0,8}(?:NEXT|TEAM_TASK)[^\]］】]{0,1000}$/iu;
const openers = '[［【';
const closers = ']］】';
/** Longer ones are no markers but text that happens to begin like one. */
const longest = { next: 1000, 'team-task': 4000 } as const;
const deepest = 8;
const mostPasses = 100;
const quotePairs: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’', '「': '」', '『': '』', '«': '»' };

export function parseMarkers(said: string): ParsedText {
  const markers = findMarkers(said);
  if (markers.length === 0) return { text: said, next: [], teamTask: undefined, todos: undefined };
  let text = removeStretches(said, markers);
  // Taking one out may leave a new one where its two sides meet: that one was never meant, and must not be stored either.
  for (let pass = 0; pass < mostPasses; pass++) {
    const left = findMarkers(text);
    if (left.length === 0) break;
    text = removeStretches(text, left);
  }
  const contents = (kind: Marker['kind']) => markers.filter((marker) => marker.kind === kind).map(({ content }) => content);
  return {
    text: text.trim(),
    next: contents('next').filter((content) => content !== ''),
    teamTask: contents('team-task').findLast((content) => content !== ''),
    todos: findTodoBlocks(said).at(-1)?.items,
  };
}

/** What an answer in the making has said so far: a marker that is not whole yet is no part of it. */
export function parseUnfinished(said: string): string {
  return parseMarkers(said.replace(unfinished, '')).text;
}

function findMarkers(text: string): Marker[] {
  const todos = findTodoBlocks(text).map(({ start, end }): Marker => ({ kind: 'todo', content: '', start, end }));
  if (!text.includes(':') && !text.includes('：')) return todos;
  const literal = findLiteralStretches(text);
  const markers: Marker[] = [...todos];
  let place = 0;
  let reached = 0;
  for (const found of text.matchAll(opening)) {
    const start = found.index;
    if (start < reached) continue;
    while (place < literal.length && (literal[place] as Stretch).end <= start) place += 1;
    if ((literal[place]?.start ?? text.length) <= start) continue;
    const kind = (found[1] as string).toUpperCase() === 'NEXT' ? 'next' : 'team-task';
    const end = findEnd(text, start + found[0].length, kind);
    if (end === undefined || isQuoted(text, start, end)) continue;
    markers.push({ kind, content: text.slice(start + found[0].length, end - 1).trim(), start, end });
    reached = end;
  }
  return markers.sort((first, second) => first.start - second.start);
}

/** Behind the bracket that closes the marker. A task may hold brackets and lines of its own; names stand on one line. */
function findEnd(text: string, from: number, kind: 'next' | 'team-task'): number | undefined {
  const limit = Math.min(text.length, from + longest[kind]);
  let depth = 1;
  for (let i = from; i < limit; i++) {
    const character = text[i] as string;
    if (kind === 'next' && (character === '\n' || character === '\r')) return undefined;
    if (openers.includes(character)) depth += 1;
    else if (closers.includes(character)) depth -= 1;
    if (depth === 0) return i + 1;
    if (depth > deepest) return undefined;
  }
  return undefined;
}

/** `Say "[NEXT: bob]"` explains a marker. */
function isQuoted(text: string, start: number, end: number): boolean {
  const close = quotePairs[text[start - 1] ?? ''];
  return close !== undefined && text[end] === close;
}

/** The text without the stretches; a line that held nothing else goes with them. */
function removeStretches(text: string, stretches: readonly Stretch[]): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of stretches) {
    kept += text.slice(from, start);
    from = end;
    const startsLine = /(?:^|\n)[ \t]*$/.test(kept.slice(-200));
    const rest = /^[ \t]*(\r?\n|$)/.exec(text.slice(end, end + 200));
    if (startsLine && rest) {
      kept = kept.replace(/[ \t]*$/, '');
      from = end + rest[0].length;
    } else if (rest) kept = kept.replace(/[ \t]+$/, '');
    else if (/\s$/.test(kept.slice(-1)) && /^[ \t]/.test(text.slice(end, end + 1))) from = end + 1;
  }
  return kept + text.slice(from);
}
