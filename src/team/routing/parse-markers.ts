// The markers in what a member says: `[NEXT: a, b]` hands over, `[TEAM_TASK: …]` sets the task, a fenced block called `todo` shows a
// list. They are taken out of the text, so that what is stored is what was said, and kept as data. Pure, and linear in the text.
import { readLiterals, type Stretch } from './literal-text.ts';
import { findTodoBlocks, type TodoBlock, type TodoItem } from './parse-todos.ts';
import { isBetweenMarks, isMark, type QuotedLine, readQuotes } from './quoted-text.ts';

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

/** The letters of a word in either width. */
const lettersOf = (word: string) => [...word].map((letter) => `[${letter}${String.fromCharCode(letter.charCodeAt(0) + 0xfee0)}]`);
const names = ['NEXT', 'TEAM_TASK'].map(lettersOf);
const opening = new RegExp(`[[［【]\\s{0,8}(${names.map((letters) => letters.join('')).join('|')})\\s{0,8}[:：]`, 'giu');
/** What could become the beginning of one. */
const beginnings = names.flatMap((letters) => [
  ...letters.map((_, count) => letters.slice(0, count).join('')),
  `${letters.join('')}\\s{0,8}`,
]);
const halfOpening = new RegExp(`[[［【]\\s{0,8}(?:${beginnings.join('|')})$`, 'iu');
const longestHalf = 40;
/** The beginning of a line that begins or ends code, or could. */
const halfFence = /^ {0,3}(?:`{3,}.*|~{3,}.*|`{0,2}|~{0,2})$/;
const openers = '[［【';
const closers = ']］】';
/** Longer ones are no markers but text that happens to begin like one. */
const longest = { next: 1000, 'team-task': 4000 } as const;
const deepest = 8;
const mostPasses = 100;

export function parseMarkers(said: string): ParsedText {
  const { markers, todos } = scanMarkers(said, true);
  if (markers.length === 0) return { text: said, next: [], teamTask: undefined, todos: undefined };
  const text = stripMarkers(said, true);
  const contents = (kind: Marker['kind']) => markers.filter((marker) => marker.kind === kind).map(({ content }) => content);
  return {
    text: text.trim(),
    next: contents('next').filter((content) => content !== ''),
    teamTask: contents('team-task').findLast((content) => content !== ''),
    todos: todos.at(-1)?.items,
  };
}

/** What an answer in the making has said so far: a marker that is not whole yet is no part of it. */
export function parseUnfinished(said: string): string {
  return parseMarkers(said.slice(0, scanMarkers(said, false).half)).text;
}

/** The text without its markers; where it is not whole, as much of it as stays so whatever follows. */
export function stripMarkers(said: string, isWhole: boolean): string {
  let text = said;
  // Taking one out may leave a new one where its two sides meet: that one was never meant, and must be neither stored nor shown.
  for (let pass = 0; pass < mostPasses; pass++) {
    const { markers, settled } = scanMarkers(text, isWhole);
    if (markers.length === 0 && settled === text.length) break;
    text = removeStretches(text.slice(0, settled), markers);
  }
  return text;
}

export interface MarkerScan {
  /** In order; all of them before `settled`. */
  markers: Marker[];
  todos: TodoBlock[];
  /** Up to here nothing that follows changes what is a marker and what is not. */
  settled: number;
  /** Where a marker begins that is not whole yet; the end of the text where there is none. */
  half: number;
}

export function scanMarkers(given: string, isWhole: boolean): MarkerScan {
  // A run of backticks may go on.
  const text = isWhole ? given : given.replace(/`+$/, '');
  const mayHold = /todo/i.test(text) || (isWhole ? /[:：]/.test(text) : /[[［【]/.test(text));
  const lineStart = text.lastIndexOf('\n') + 1;
  const isHalfFence = !isWhole && halfFence.test(given.slice(lineStart));
  let [settled, half] = [isHalfFence ? lineStart : text.length, given.length];
  if (!mayHold) return { markers: [], todos: [], settled, half };
  const { stretches: literal, openings, openCode = text.length } = readLiterals(text);
  const todos = findTodoBlocks(text, openings);
  const markers: Marker[] = [];
  let place = 0;
  let reached = 0;
  let line: Stretch = { start: 0, end: 0 };
  let quoted: QuotedLine = { quotes: [], open: undefined };
  for (const found of text.matchAll(opening)) {
    const start = found.index;
    if (start < reached) continue;
    while (place < literal.length && (literal[place] as Stretch).end <= start) place += 1;
    if ((literal[place]?.start ?? text.length) <= start) continue;
    if (start >= settled) break;
    const kind = (found[1] as string).normalize('NFKC').toUpperCase() === 'NEXT' ? 'next' : 'team-task';
    const end = findEnd(text, start + found[0].length, kind);
    if (!isWhole && end === 'open') half = start;
    if (start >= line.end) {
      line = lineAround(text, start);
      const isLineWhole = isWhole || (line.end < text.length && openCode >= line.end);
      quoted = readQuotes(text, { start: line.start, end: Math.min(line.end, openCode) }, literal, isLineWhole);
    }
    // Code that is still open may close behind it, and so may quotation marks.
    const isMarkOpen = (quoted.open ?? text.length) < start || (end === text.length && isMark(text[start - 1]));
    const isOpen = end === 'open' || openCode < start || isMarkOpen;
    if (!isWhole && end !== undefined && isOpen) {
      settled = start;
      break;
    }
    if (end === undefined || end === 'open') continue;
    if (isBetweenMarks(text, { start, end }) || isWithin(quoted.quotes, { start, end })) continue;
    markers.push({ kind, content: text.slice(start + found[0].length, end - 1).trim(), start, end });
    reached = end;
  }
  if (!isWhole && half === given.length) {
    const found = text.slice(-longestHalf).search(halfOpening);
    const start = Math.max(0, text.length - longestHalf) + found;
    if (found >= 0 && start >= reached && !literal.some((stretch) => stretch.start <= start && start < stretch.end)) {
      half = start;
      settled = Math.min(settled, start);
    }
  }
  const lists = todos.map(({ start, end }): Marker => ({ kind: 'todo', content: '', start, end }));
  const all = [...lists.filter(({ start }) => start < settled), ...markers];
  return { markers: withoutOverlaps(all), todos, settled, half };
}

/** In order; what begins inside of another is a part of it. */
function withoutOverlaps(markers: readonly Marker[]): Marker[] {
  let reached = 0;
  return markers
    .toSorted((first, second) => first.start - second.start)
    .filter(({ start, end }) => {
      if (start < reached) return false;
      reached = end;
      return true;
    });
}

/**
 * Behind the bracket that closes the marker; `open` where the text ends before it. A task may hold brackets and lines of its own;
 * names stand on one line.
 */
function findEnd(text: string, from: number, kind: 'next' | 'team-task'): number | 'open' | undefined {
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
  return limit < text.length ? undefined : 'open';
}

/** The line of a place, without its end. */
function lineAround(text: string, place: number): Stretch {
  const end = text.indexOf('\n', place);
  return { start: text.lastIndexOf('\n', place) + 1, end: end < 0 ? text.length : end };
}

/** `Say "then [NEXT: bob]"` explains a marker. What is passed by is dropped: markers come in order. */
function isWithin(quotes: Stretch[], { start, end }: Stretch): boolean {
  while (quotes.length > 0 && (quotes[0] as Stretch).end <= start) quotes.shift();
  const [quote] = quotes;
  return quote !== undefined && quote.start < start && end < quote.end;
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
