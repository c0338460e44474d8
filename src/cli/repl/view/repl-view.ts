// What stands on the screen, as a value: the controller makes it, the components draw it, and tests compare it. Nothing in it moves.
import type { TodoItem } from '../../../team/routing/parse-todos.ts';
import type { Style } from '../../output/style.ts';
import type { Editor } from '../input/editor.ts';

export interface ReplView {
  /** Finished: drawn once and left to the terminal. */
  pieces: readonly Piece[];
  /** Another number draws the newest pieces again, after the screen was cleared. */
  epoch: number;
  /** What is being said and has no end yet. */
  live: LiveAnswer | undefined;
  /** Shown in place of the talk. */
  picker: PickerView | undefined;
  todos: readonly TodoList[];
  /** A line about what happens now, gone with the next key. */
  notice: string | undefined;
  question: AskedView | undefined;
  editor: Editor;
  /** What Tab could make of the last word. */
  offers: OffersView | undefined;
  status: StatusView;
  isOver: boolean;
}

export type Paint = keyof Style;

/** A part of the talk. The text is safe for a terminal. */
export interface Piece {
  id: number;
  text: string;
  paint?: Paint;
  /** The text holds its colours already. */
  isPainted?: true;
  /** Before the first line; the others stand in the same column. */
  mark?: string;
  /** An empty line stands before it. */
  isApart?: true;
}

export interface LiveAnswer {
  /** Who speaks; its name stands above already. */
  speaker: string;
  text: string;
}

export interface TodoList {
  by: string;
  items: readonly TodoItem[];
}

/** A question whose text stands in the talk: the line that waits for the answer. */
export interface AskedView {
  prompt: string;
}

export interface OffersView {
  offers: readonly Offer[];
  chosen: number;
}

export interface Offer {
  /** What is put in place of the word. */
  text: string;
  about: string;
}

export interface StatusView {
  title: string;
  /** Who may speak, in the colours of their names. */
  members: readonly MemberView[];
  speaking: string | undefined;
  /** Since when, in milliseconds since 1970. */
  busySince: number | undefined;
  tokens: number;
  saved: 'opening' | 'nothing' | 'saved' | 'saving' | 'not-kept';
}

export interface MemberView {
  id: string;
  name: string;
  paint: Paint;
}

export interface PickerView {
  scope: 'here' | 'everywhere';
  /** What this project is called. */
  project: string;
  rows: readonly PickerRow[];
  /** 0 is a new conversation, the others are rows. */
  chosen: number;
  isLoading: boolean;
  hasMore: boolean;
  /** A key was pressed that means nothing here. */
  isLost?: boolean;
}

export interface PickerRow {
  id: string;
  title: string;
  ago: string;
  messages: number;
  project: string;
  team: string | undefined;
  isPinned: boolean;
}

/** Colours that tell speakers apart, in the order they are given out. */
export const memberPaints: readonly Paint[] = ['cyan', 'magenta', 'green', 'blue', 'yellow', 'red'];
