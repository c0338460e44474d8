// What keys mean for the application as a whole: which part of it gets them, what stops an answer, what leaves, and the notices about
// that.
import type { Context } from '../../context.ts';
import type { AskPerson } from '../input/ask-person.ts';
import type { PromptInput } from '../input/prompt-input.ts';
import type { Picker } from '../picker.ts';
import type { ScreenState } from '../view/screen-state.ts';
import type { Key } from './key-decoder.ts';

/** A second Ctrl-C within this time leaves. */
const confirmTime = 3000;

export interface KeyMeaningsOptions {
  context: Context;
  screen: ScreenState;
  prompt: PromptInput;
  asking: AskPerson;
  picker: Picker;
  /** Stops the turn at work; false where there is none. */
  interrupt: () => boolean;
  leave: () => void;
  redraw: () => void;
}

export class KeyMeanings {
  readonly #options: KeyMeaningsOptions;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(options: KeyMeaningsOptions) {
    this.#options = options;
  }

  press(key: Key): void {
    const { screen, prompt, asking, picker, redraw } = this.#options;
    const { view } = screen;
    if (view.notice !== undefined && key.name !== 'interrupt') screen.change({ notice: undefined });
    if (key.name === 'redraw') redraw();
    else if (key.name === 'interrupt') this.#pressInterrupt();
    else if (view.picker) picker.press(key);
    else if (key.name === 'escape') this.#pressEscape();
    else if (key.name === 'end-of-input') this.#pressEndOfInput();
    else prompt.press(key, { plain: asking.isAsking });
  }

  /** Called every second: takes away notices whose time is over, and shows how long an answer takes. */
  tick(): void {
    const { screen, context } = this.#options;
    const { repl } = context.text;
    const { notice, status } = screen.view;
    const isStale = notice === repl.confirmLeaving && context.now() - this.#warnedAt >= confirmTime;
    const isStopped = notice === repl.stopping && status.busySince === undefined;
    if (isStale || isStopped) screen.show({ notice: undefined });
    else if (status.busySince !== undefined) screen.flush();
  }

  #pressEscape(): void {
    const { screen, prompt, asking, interrupt, context } = this.#options;
    if (prompt.closeOffers() || asking.turnAway()) return;
    if (interrupt()) screen.show({ notice: context.text.repl.stopping });
  }

  #pressInterrupt(): void {
    const { screen, prompt, asking, context, leave } = this.#options;
    const now = context.now();
    if (screen.view.picker || now - this.#warnedAt < confirmTime) {
      leave();
      return;
    }
    this.#warnedAt = now;
    if (!asking.turnAway() && !asking.isAsking) prompt.clear();
    screen.show({ notice: context.text.repl.confirmLeaving });
  }

  #pressEndOfInput(): void {
    const { prompt, leave } = this.#options;
    if (prompt.editor.text !== '') prompt.press({ name: 'delete' }, { plain: true });
    else leave();
  }
}
