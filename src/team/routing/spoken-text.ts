// What a member says as it is shown while it comes: exactly what will be stored of it, without markers and todo lists. What might
// become a part of one is held back until that is known. However long the text is, only its last lines are looked at again.
import { readLiterals } from './literal-text.ts';
import { scanMarkers, stripMarkers } from './parse-markers.ts';
import { readQuotes } from './quoted-text.ts';

/** A line, or a paragraph with code in it, that is longer is looked at in parts. */
const mostKept = 4000;
/** So much space at the end is waited with: it goes where nothing follows. */
const mostSpace = 200;

export class SpokenText {
  /** What is still looked at, behind a stand-in for what it began in. */
  #text = '';
  /** How long that stand-in is. */
  #before = 0;
  /** How much of it, without markers, was shown. */
  #shown = 0;
  /** Space before it, that is shown when something follows. */
  #space = '';
  #hasBegun = false;

  /** What can be shown of what was said so far and was not shown yet. */
  push(text: string): string {
    this.#text += text;
    let shown = '';
    const cut = this.#findCut();
    const head = this.#text.slice(0, cut);
    const visible = stripMarkers(head, true);
    // Where a list stood between, a marker may go on behind it.
    if (cut > this.#before && scanMarkers(visible, false).half === visible.length) {
      shown += this.#show(visible);
      this.#space += visible.slice(this.#shown);
      const before = describePlace(head);
      this.#text = before + this.#text.slice(cut);
      this.#before = before.length;
      this.#shown = stripMarkers(before, true).length;
    }
    return shown + this.#show(stripMarkers(this.#text, false));
  }

  /** Nothing more comes. */
  end(): string {
    const shown = this.#show(stripMarkers(this.#text, true));
    this.#text = '';
    this.#before = 0;
    this.#shown = 0;
    this.#space = '';
    this.#hasBegun = false;
    return shown;
  }

  #show(visible: string): string {
    const known = withoutSpace(visible);
    const added = known.slice(this.#shown);
    if (added === '') return '';
    const shown = this.#space + added;
    this.#shown = known.length;
    this.#space = '';
    if (this.#hasBegun) return shown;
    this.#hasBegun = true;
    return shown.replace(/^\s*\n/, '');
  }

  /** Up to where the text needs not be looked at again: whole lines, or a part of one that is very long; 0 where there is none. */
  #findCut(): number {
    const isLong = this.#text.length > mostKept;
    if (!isLong && !this.#text.includes('\n')) return 0;
    const { settled, markers } = scanMarkers(this.#text, false);
    if (isLong) return withoutSpace(this.#text.slice(0, settled)).length;
    let end = this.#text.lastIndexOf('\n', settled - 1) + 1;
    // A marker may go over lines.
    for (const marker of markers.toReversed())
      if (marker.kind !== 'todo' && marker.start < end && end < marker.end) end = this.#text.lastIndexOf('\n', marker.start) + 1;
    return end > 0 && readLiterals(this.#text.slice(0, end)).openCode === undefined ? end : 0;
  }
}

function withoutSpace(text: string): string {
  const words = text.trimEnd();
  return text.length - words.length > mostSpace ? text : words;
}

/**
 * The shortest text behind which the same holds as behind this one: in a fence, in a list, in a quoted line, in quotation
 * marks, inside of a line.
 */
function describePlace(text: string): string {
  const { markers } = scanMarkers(`${text}x`, true);
  // Lines of a task are none of the answer.
  const tasks = markers.filter(({ kind }) => kind === 'team-task').reverse();
  const { fence } = readLiterals(tasks.reduce((rest, { start, end }) => `${rest.slice(0, start)}x${rest.slice(end)}`, text));
  const last = markers.at(-1);
  const isInList = last?.kind === 'todo' && last.end === text.length + 1;
  const list = isInList ? `${/^(?:`+|~+)/.exec(text.slice(last.start))?.[0]}todo\n` : undefined;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  const { open } = readQuotes(line, { start: 0, end: line.length }, [], false);
  const mark = open === undefined ? '' : line[open];
  const inLine = line === '' ? '' : /^\s{0,3}>/.test(line) ? '> x' : `${mark}x`;
  return (list ?? (fence === undefined ? '' : `${fence}\n`)) + inLine;
}
