// Lines typed by a person while answers are written to the same terminal. Nothing typed is lost or torn: as soon as a person types
// during an answer, the answer goes on above the line that is being typed. A pasted text is one message, and so are lines that end
// with a backslash together with the next. What was not sent when the terminal goes away was not said.
import { clearScreenDown, createInterface, cursorTo, emitKeypressEvents, type Interface, moveCursor } from 'node:readline';
import { commonRuler } from '../output/text-ruler.ts';
import { wrapText } from '../output/wrap-text.ts';
import type { Screen } from './turn-view.ts';

const pasteOn = '\x1b[?2004h';
const pasteOff = '\x1b[?2004l';

export interface LineInputOptions {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  prompt: string;
  /** In front of the second and later lines of a message. */
  continued: string;
  onMessage(text: string): void;
  /** Ctrl-C. */
  onInterrupt(): void;
  /** Ctrl-D, or the input has ended. */
  onEnd(): void;
}

interface Asked {
  prompt: string;
  settle(line: string): void;
  /** What was being typed when the question came. */
  unfinished: string;
}

export class LineInput implements Screen {
  readonly #options: LineInputOptions;
  readonly #lines: Interface;
  readonly #onInputEnd = () => {
    this.#isOver = true;
  };
  readonly #onKey: (text: string | undefined, key: { name?: string; ctrl?: boolean }) => void;
  #earlier: string[] = [];
  #isPasting = false;
  #isBusy = false;
  #isPromptShown = false;
  #isAtLineStart = true;
  /** Written while a person types: the beginning of a line that has no end yet. */
  #held = '';
  #asked: Asked | undefined;
  #isClosed = false;
  /** Nothing more is typed; what stands in the line was never sent. */
  #isOver = false;

  constructor(options: LineInputOptions) {
    this.#options = options;
    const { input, output } = options;
    this.#onKey = (_, key) => this.#beforeKey(key);
    // Before readline's own listener, so that the prompt is there when a key is shown.
    emitKeypressEvents(input);
    input.on('keypress', this.#onKey);
    // Also before: at the end of its input readline hands over what was not sent as if it were a line.
    input.on('end', this.#onInputEnd);
    this.#lines = createInterface({ input, output, prompt: options.prompt, terminal: true, historySize: 200 });
    output.write(pasteOn);
    this.#lines.on('line', (line) => this.#onLine(line));
    this.#lines.on('SIGINT', () => this.#onInterrupt());
    this.#lines.on('close', () => this.#onEnd());
    // A terminal that went away: nothing more will be typed.
    this.#lines.on('error', () => this.#onEnd());
  }

  /** While an answer is being given the prompt is out of the way until somebody types. */
  setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    if (!isBusy) {
      // The last line of an answer that went on above what is being typed.
      if (this.#isPromptShown && this.#held !== '') this.write('\n');
      this.#showPrompt();
    } else if (this.#lines.line === '' && !this.#asked) this.#hidePrompt();
  }

  write(text: string): void {
    if (text === '') return;
    if (!this.#isPromptShown) {
      this.#put(text);
      return;
    }
    const all = this.#held + text;
    const begun = all.lastIndexOf('\n') + 1;
    // A paragraph may be long: it goes on line by line, as wide as the screen.
    const rest = wrapText(all.slice(begun), (this.#options.output.columns ?? 80) - 1, commonRuler) + (/ *$/.exec(all)?.[0] ?? '');
    const wrapped = all.slice(0, begun) + rest;
    const whole = wrapped.lastIndexOf('\n') + 1;
    this.#held = wrapped.slice(whole);
    if (whole > 0) this.#above(wrapped.slice(0, whole));
  }

  line(text: string): void {
    const isInLine = this.#isPromptShown ? this.#held !== '' : !this.#isAtLineStart;
    this.write(`${isInLine ? '\n' : ''}${text}\n`);
  }

  /** Asks for one line; whatever was being typed comes back afterwards. Rejects when the signal is aborted. */
  ask(prompt: string, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#hidePrompt();
      const unfinished = this.#lines.line;
      this.#clearTyped();
      const onAbort = () => {
        if (this.#asked === asked) this.#endQuestion();
        reject(signal.reason);
      };
      const asked: Asked = {
        prompt,
        unfinished,
        settle: (line) => {
          signal.removeEventListener('abort', onAbort);
          this.#endQuestion();
          resolve(line);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#asked = asked;
      this.#showPrompt();
    });
  }

  close(): void {
    const { input, output } = this.#options;
    input.off('keypress', this.#onKey);
    input.off('end', this.#onInputEnd);
    if (!this.#isClosed) this.#hidePrompt();
    this.#isClosed = true;
    if (!this.#isAtLineStart) this.#put('\n');
    output.write(pasteOff);
    this.#lines.close();
  }

  #onLine(line: string): void {
    if (this.#isOver) return;
    // Readline has written the line's end.
    this.#isPromptShown = false;
    this.#isAtLineStart = true;
    this.#releaseHeld();
    if (this.#asked) {
      this.#asked.settle(line);
      return;
    }
    const goesOn = this.#isPasting || line.endsWith('\\');
    this.#earlier.push(this.#isPasting || !goesOn ? line : line.slice(0, -1));
    if (goesOn) {
      this.#showPrompt();
      return;
    }
    const message = this.#earlier.join('\n');
    this.#earlier = [];
    if (message.trim() === '') {
      if (!this.#isBusy) this.#showPrompt();
      return;
    }
    this.#options.onMessage(message);
  }

  #onEnd(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#hidePrompt();
    this.#options.onEnd();
    // Nobody will answer.
    this.#asked?.settle('');
  }

  #onInterrupt(): void {
    const isTyping = this.#lines.line !== '' || this.#earlier.length > 0;
    if (isTyping && !this.#asked && !this.#isBusy) {
      // The line is given up, as shells do it.
      this.#clearTyped();
      this.#earlier = [];
      this.#options.output.write('\n');
      this.#showPrompt();
      return;
    }
    this.#options.onInterrupt();
  }

  #beforeKey(key: { name?: string; ctrl?: boolean }): void {
    if (key.name === 'paste-start') this.#isPasting = true;
    if (key.name === 'paste-end') this.#isPasting = false;
    const isText = key.ctrl !== true && key.name !== 'paste-end';
    if (this.#isBusy && !this.#isPromptShown && isText) this.#showPrompt();
  }

  #endQuestion(): void {
    const unfinished = this.#asked?.unfinished ?? '';
    this.#asked = undefined;
    this.#hidePrompt();
    this.#clearTyped();
    if (unfinished !== '') {
      this.#showPrompt();
      this.#lines.write(unfinished);
    } else if (!this.#isBusy) this.#showPrompt();
  }

  #showPrompt(): void {
    if (this.#isClosed) return;
    if (!this.#isAtLineStart) this.#put('\n');
    const { prompt, continued } = this.#options;
    this.#lines.setPrompt(this.#asked?.prompt ?? (this.#earlier.length > 0 ? continued : prompt));
    this.#isPromptShown = true;
    this.#redraw();
  }

  /** Takes the prompt and what is typed off the screen; what is typed stays in the line. */
  #hidePrompt(): void {
    if (!this.#isPromptShown) return;
    this.#erase();
    this.#isPromptShown = false;
    this.#isAtLineStart = true;
    this.#releaseHeld();
  }

  #above(text: string): void {
    this.#erase();
    this.#options.output.write(text);
    this.#redraw();
  }

  #erase(): void {
    const { output } = this.#options;
    const { rows } = this.#lines.getCursorPos();
    if (rows > 0) moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
  }

  /** Readline remembers how many rows above the cursor it had drawn; those were erased here. */
  #redraw(): void {
    (this.#lines as Interface & { prevRows?: number }).prevRows = 0;
    this.#lines.prompt(true);
  }

  #clearTyped(): void {
    const lines = this.#lines as Interface & { line: string; cursor: number };
    lines.line = '';
    lines.cursor = 0;
  }

  #releaseHeld(): void {
    const held = this.#held;
    this.#held = '';
    if (held !== '') this.#put(held);
  }

  #put(text: string): void {
    this.#options.output.write(text);
    this.#isAtLineStart = text.endsWith('\n');
  }
}
