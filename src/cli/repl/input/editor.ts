// The text that is being typed, and where the cursor stands in it. A value: every change makes another. The cursor stands between
// graphemes only. A long paste is one grapheme that stands for the whole text until it is sent.

export interface Editor {
  readonly text: string;
  /** In UTF-16 units. */
  readonly cursor: number;
  /** What the stand-ins in the text stand for. */
  readonly pastes: ReadonlyMap<string, string>;
}

export const emptyEditor: Editor = { text: '', cursor: 0, pastes: new Map() };

/** Longer pastes are shown by their length. */
const mostLines = 3;
const mostCharacters = 400;
/** Private use: nobody types them. */
const firstStandIn = 0x10_0000;
const mostStandIns = 0xf000;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

export function editorOf(text: string): Editor {
  return { text, cursor: text.length, pastes: new Map() };
}

export function insert(editor: Editor, added: string): Editor {
  const { text, cursor, pastes } = editor;
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length, pastes };
}

export function paste(editor: Editor, pasted: string): Editor {
  const text = pasted.replace(/\n+$/, '');
  if (text === '') return editor;
  if (text.split('\n', mostLines + 1).length <= mostLines && text.length <= mostCharacters) return insert(editor, text);
  const standIn = String.fromCodePoint(firstStandIn + (editor.pastes.size % mostStandIns));
  return insert({ ...editor, pastes: new Map([...editor.pastes, [standIn, text]]) }, standIn);
}

/** What is sent: every paste in full. */
export function fullText({ text, pastes }: Editor): string {
  return pastes.size === 0 ? text : [...text].map((character) => pastes.get(character) ?? character).join('');
}

/** Puts text in the place of what stands before the cursor. */
export function replaceBefore(editor: Editor, length: number, added: string): Editor {
  return insert(removeBetween(editor, editor.cursor - length, editor.cursor), added);
}

export function deleteBefore(editor: Editor): Editor {
  return removeBetween(editor, stepLeft(editor.text, editor.cursor), editor.cursor);
}

export function deleteAfter(editor: Editor): Editor {
  return removeBetween(editor, editor.cursor, stepRight(editor.text, editor.cursor));
}

export function deleteWord(editor: Editor): Editor {
  return removeBetween(editor, wordLeft(editor.text, editor.cursor), editor.cursor);
}

export function deleteToStart(editor: Editor): Editor {
  return removeBetween(editor, lineStart(editor.text, editor.cursor), editor.cursor);
}

export function deleteToEnd(editor: Editor): Editor {
  return removeBetween(editor, editor.cursor, lineEnd(editor.text, editor.cursor));
}

export type Movement = 'left' | 'right' | 'word-left' | 'word-right' | 'home' | 'end';

export function move(editor: Editor, movement: Movement): Editor {
  const { text, cursor } = editor;
  const targets: Readonly<Record<Movement, () => number>> = {
    left: () => stepLeft(text, cursor),
    right: () => stepRight(text, cursor),
    'word-left': () => wordLeft(text, cursor),
    'word-right': () => wordRight(text, cursor),
    home: () => lineStart(text, cursor),
    end: () => lineEnd(text, cursor),
  };
  return { ...editor, cursor: targets[movement]() };
}

/** A line up or down at the same column of graphemes; undefined where there is no such line. */
export function moveLine(editor: Editor, step: -1 | 1): Editor | undefined {
  const { text, cursor } = editor;
  const start = lineStart(text, cursor);
  const target = step < 0 ? start - 1 : lineEnd(text, cursor) + 1;
  if (target < 0 || target > text.length) return undefined;
  const column = [...segmenter.segment(text.slice(start, cursor))].length;
  const begin = step < 0 ? lineStart(text, target) : target;
  const line = text.slice(begin, lineEnd(text, begin));
  const offset = [...segmenter.segment(line)].slice(0, column).reduce((sum, { segment }) => sum + segment.length, 0);
  return { ...editor, cursor: begin + offset };
}

function removeBetween(editor: Editor, from: number, to: number): Editor {
  if (from >= to) return editor;
  const { text, pastes } = editor;
  return { text: text.slice(0, from) + text.slice(to), cursor: from, pastes };
}

/** Only the line is cut into graphemes: a long text costs no more than a short one. */
function stepLeft(text: string, cursor: number): number {
  const start = lineStart(text, cursor);
  if (start === cursor) return Math.max(0, cursor - 1);
  const last = [...segmenter.segment(text.slice(start, cursor))].at(-1);
  return cursor - (last?.segment.length ?? 1);
}

function stepRight(text: string, cursor: number): number {
  const end = lineEnd(text, cursor);
  if (end === cursor) return Math.min(text.length, cursor + 1);
  for (const { segment } of segmenter.segment(text.slice(cursor, end))) return cursor + segment.length;
  return cursor;
}

function wordLeft(text: string, cursor: number): number {
  let found = 0;
  for (const { index, isWordLike } of words.segment(text.slice(0, cursor))) if (isWordLike) found = index;
  return found;
}

function wordRight(text: string, cursor: number): number {
  for (const { index, segment, isWordLike } of words.segment(text.slice(cursor)))
    if (isWordLike) return cursor + index + segment.length;
  return text.length;
}

function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}
