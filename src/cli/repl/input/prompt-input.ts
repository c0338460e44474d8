// The line a person types in: keys change it, Tab completes it, up and down bring back what was said before, Enter hands it over.
import type { Key } from '../keys/key-decoder.ts';
import type { Offer } from '../view/repl-view.ts';
import type { ScreenState } from '../view/screen-state.ts';
import { type CompletionSources, complete, sharedStart } from './complete.ts';
import {
  deleteAfter,
  deleteBefore,
  deleteToEnd,
  deleteToStart,
  deleteWord,
  type Editor,
  emptyEditor,
  insert,
  type Movement,
  move,
  moveLine,
  paste,
  replaceBefore,
} from './editor.ts';
import type { TypedHistory } from './typed-history.ts';

export interface PromptInputOptions {
  screen: ScreenState;
  history: TypedHistory;
  sources: () => CompletionSources;
  /** Enter was pressed. */
  onSubmit: (editor: Editor) => void;
}

const movements: ReadonlySet<string> = new Set<Movement>(['left', 'right', 'word-left', 'word-right', 'home', 'end']);

const edits: Readonly<Record<string, (editor: Editor) => Editor>> = {
  backspace: deleteBefore,
  delete: deleteAfter,
  'delete-word': deleteWord,
  'delete-to-start': deleteToStart,
  'delete-to-end': deleteToEnd,
};

export class PromptInput {
  readonly #options: PromptInputOptions;
  /** Where the offers were made: only there they hold. */
  #offered: { length: number; before: string } | undefined;

  constructor(options: PromptInputOptions) {
    this.#options = options;
  }

  get editor(): Editor {
    return this.#options.screen.view.editor;
  }

  /** `plain` leaves history, completion and further lines out: an answer to a question is typed. */
  press(key: Key, { plain = false } = {}): void {
    const { editor } = this;
    if (!plain && this.#pressOnOffers(key)) return;
    const edit = edits[key.name];
    if (edit) this.#change(edit(editor));
    else if (movements.has(key.name)) this.#put(move(editor, key.name as Movement));
    else if (key.name === 'text' && 'text' in key) this.#change(insert(editor, key.text));
    else if (key.name === 'paste' && 'text' in key)
      this.#change(plain ? insert(editor, key.text.split('\n')[0] ?? '') : paste(editor, key.text));
    else if (key.name === 'enter' || (plain && key.name === 'newline')) this.#enter(plain);
    else if (!plain) this.#pressInLines(key);
  }

  clear(): void {
    this.#put(emptyEditor);
  }

  closeOffers(): boolean {
    const { screen } = this.#options;
    if (screen.view.offers === undefined) return false;
    this.#offered = undefined;
    screen.show({ offers: undefined });
    return true;
  }

  #pressInLines({ name }: Key): void {
    if (name === 'newline') this.#change(insert(this.editor, '\n'));
    else if (name === 'up' || name === 'down') this.#goLine(name === 'up' ? -1 : 1);
    else if (name === 'tab') void this.#complete();
  }

  #enter(plain: boolean): void {
    const { editor } = this;
    const { text, cursor } = editor;
    // A backslash at the end: the message goes on in the next line.
    if (!plain && cursor === text.length && text.endsWith('\\') && !text.endsWith('\\\\')) {
      this.#change(replaceBefore(editor, 1, '\n'));
      return;
    }
    this.#offered = undefined;
    this.#options.screen.show({ offers: undefined });
    this.#options.onSubmit(editor);
  }

  #goLine(step: -1 | 1): void {
    const moved = moveLine(this.editor, step) ?? this.#options.history.step(this.editor, step);
    if (moved) this.#put(moved);
  }

  #change(editor: Editor): void {
    this.#options.history.touch(editor);
    this.#put(editor);
  }

  #put(editor: Editor): void {
    this.#offered = undefined;
    this.#options.screen.show({ editor, offers: undefined });
  }

  /** While offers stand below, the arrows and Tab go through them and Enter takes one. */
  #pressOnOffers(key: Key): boolean {
    const { screen } = this.#options;
    const { offers } = screen.view;
    if (!offers || !this.#offered) return false;
    const count = offers.offers.length;
    const step = { tab: 1, down: 1, 'shift-tab': -1, up: -1 }[key.name as string];
    if (step !== undefined) {
      screen.show({ offers: { ...offers, chosen: (offers.chosen + step + count) % count } });
      return true;
    }
    if (key.name !== 'enter') return false;
    this.#take(offers.offers[offers.chosen] as Offer, this.#offered.length);
    return true;
  }

  async #complete(): Promise<void> {
    const { screen, sources } = this.#options;
    const before = this.editor.text.slice(0, this.editor.cursor);
    const found = await complete(before, sources()).catch(() => undefined);
    // Who went on typing wants none of it.
    if (!found || this.editor.text.slice(0, this.editor.cursor) !== before) return;
    const [only] = found.offers;
    if (only && found.offers.length === 1) {
      this.#take(only, found.length);
      return;
    }
    const shared = sharedStart(found.offers);
    if (shared.length > found.length) {
      this.#put(replaceBefore(this.editor, found.length, shared));
      this.#offered = { length: shared.length, before };
    } else this.#offered = { length: found.length, before };
    screen.show({ offers: { offers: found.offers, chosen: 0 } });
  }

  #take({ text }: Offer, length: number): void {
    const rest = this.editor.text.slice(this.editor.cursor);
    const spaced = rest === '' && !/[\s/]$/.test(text) ? `${text} ` : text;
    this.#put(replaceBefore(this.editor, length, spaced));
  }
}
