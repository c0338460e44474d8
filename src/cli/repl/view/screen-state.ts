// Keeps the view and tells of its changes. What members say comes in small pieces and is gathered for a thirtieth of a second; what a
// person types is shown at once. Whole lines of an answer become finished pieces as they come, so that what is drawn again stays small.
import { emptyEditor } from '../input/editor.ts';
import type { LiveAnswer, Paint, Piece, ReplView } from './repl-view.ts';
import { pieceLines, wrapTo } from './screen-text.ts';

const frame = 33;

export interface SpokenBy {
  name: string;
  paint: Paint;
}

export class ScreenState {
  readonly #listeners = new Set<() => void>();
  #view: ReplView;
  #nextId = 1;
  #columns: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Said since the last frame. */
  #heard = '';
  #speaker: SpokenBy | undefined;
  /** Somebody spoke since the last heading. */
  #isHeaded = false;
  #hasText = false;

  constructor(columns: number) {
    this.#columns = columns;
    this.#view = {
      pieces: [],
      epoch: 0,
      live: undefined,
      picker: undefined,
      todos: [],
      notice: undefined,
      question: undefined,
      editor: emptyEditor,
      offers: undefined,
      status: { title: '', members: [], speaking: undefined, busySince: undefined, tokens: 0, saved: 'opening' },
      isOver: false,
    };
  }

  get view(): ReplView {
    return this.#view;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A change that a person waits for. */
  show(change: Partial<ReplView>): void {
    this.#view = { ...this.#view, ...change };
    this.flush();
  }

  /** A change that may wait for the next frame. */
  change(change: Partial<ReplView>): void {
    this.#view = { ...this.#view, ...change };
    this.#schedule();
  }

  status(change: Partial<ReplView['status']>): void {
    this.change({ status: { ...this.#view.status, ...change } });
  }

  /** A finished part of the talk. Whoever speaks goes on below it. */
  say(text: string, how: Omit<Piece, 'id' | 'text'> = {}): void {
    this.endSpeech();
    this.#add({ text, ...how });
    this.#schedule();
  }

  /** Who speaks, above the words; set off from what another said. */
  head({ name, paint }: SpokenBy): void {
    const follows = this.#view.pieces.at(-1);
    this.#add({ text: name, paint, ...(follows && follows.mark === undefined && { isApart: true as const }) });
  }

  /** What somebody says, as it comes. */
  speak(speaker: SpokenBy, text: string): void {
    if (text === '') return;
    if (this.#speaker?.name !== speaker.name) {
      this.endSpeech();
      this.#speaker = speaker;
      this.#isHeaded = false;
    }
    this.#heard += text;
    this.#schedule();
  }

  /** What was being said is whole; the next words have a heading of their own only where another speaks. */
  endSpeech(): void {
    this.#absorb();
    const { live } = this.#view;
    if (live && live.text.trimEnd() !== '') this.#add({ text: live.text.trimEnd() });
    if (live) this.#view = { ...this.#view, live: undefined };
    this.#hasText = false;
  }

  /** Whoever spoke has come to the end: the next words begin anew. */
  endTurn(): void {
    this.endSpeech();
    this.#speaker = undefined;
    this.#isHeaded = false;
    this.#schedule();
  }

  /** Draws the newest pieces again, as many as the screen holds; it must have been cleared. What is above it stays as it was. */
  redraw(columns: number, rows: number): void {
    this.#columns = columns;
    const { pieces } = this.#view;
    let first = pieces.length;
    // The prompt and the status line take the rest.
    let room = rows - 3;
    while (first > 0) {
      room -= pieceLines(pieces[first - 1] as Piece, columns).length;
      if (room < 0) break;
      first -= 1;
    }
    this.show({ pieces: pieces.slice(first), epoch: this.#view.epoch + 1 });
  }

  /** Everything said so far leaves the screen: another talk begins. */
  begin(): void {
    this.endTurn();
    this.show({ todos: [], live: undefined });
  }

  /** Shows what waits. */
  flush(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#absorb();
    for (const listener of this.#listeners) listener();
  }

  close(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.flush(), frame);
  }

  #add(piece: Omit<Piece, 'id'>): void {
    this.#addAll([piece]);
  }

  #addAll(added: readonly Omit<Piece, 'id'>[]): void {
    const pieces = added.map((piece) => ({ ...piece, id: this.#nextId++ }));
    this.#view = { ...this.#view, pieces: [...this.#view.pieces, ...pieces] };
  }

  /** Takes in what was heard: whole lines are finished, the last one stays live. */
  #absorb(): void {
    if (this.#heard === '' || !this.#speaker) return;
    const { name, paint } = this.#speaker;
    let text = (this.#view.live?.text ?? '') + this.#heard;
    this.#heard = '';
    // An answer that begins with empty lines begins with its first word.
    if (!this.#hasText) text = text.replace(/^\s*\n/, '');
    if (text.trim() === '' && !this.#hasText) {
      this.#view = { ...this.#view, live: { speaker: name, text } };
      return;
    }
    this.#hasText = true;
    if (!this.#isHeaded) this.head({ name, paint });
    this.#isHeaded = true;
    const { lines, rest } = takeWholeLines(text, this.#columns);
    this.#addAll(lines.map((line) => ({ text: line })));
    const live: LiveAnswer = { speaker: name, text: rest };
    this.#view = { ...this.#view, live };
  }
}

/**
 * Lines that will not change any more; of a paragraph that fills the screen's width all but its last line. Empty lines go with what
 * follows them.
 */
function takeWholeLines(text: string, columns: number): { lines: string[]; rest: string } {
  const [, head = '', ends = '', tail = ''] = /^([\s\S]*?)(\n*)([^\n]*)$/.exec(text) ?? [];
  const lines = head === '' ? [] : [head];
  const before = head === '' ? ends : ends.slice(1);
  const wrapped = tail.length < columns ? [] : wrapTo(tail, columns);
  if (wrapped.length < 2) return { lines, rest: before + tail };
  const [first = '', ...others] = wrapped.slice(0, -1);
  const space = /\s*$/.exec(tail)?.[0] ?? '';
  return { lines: [...lines, before + first, ...others], rest: (wrapped.at(-1) ?? '') + space };
}
