// A bar while a long session is saved or restored, for whoever watches. It keeps out of an answer that is being shown.
import type { SingleBar } from 'cli-progress';
import type { Context } from '../context.ts';
import { createBar } from '../output/progress.ts';

type Bars = Readonly<Record<'saving' | 'restoring', SingleBar>>;

export class SessionProgress {
  readonly #bars: Bars | undefined;
  /** Whether the line it would be drawn in is empty. */
  readonly #isLineFree: () => boolean;
  isRestoring = false;
  #shown: SingleBar | undefined;

  private constructor(bars: Bars | undefined, isLineFree: () => boolean) {
    this.#bars = bars;
    this.#isLineFree = isLineFree;
  }

  static async create({ terminal, output, text }: Context, isLineFree: () => boolean): Promise<SessionProgress> {
    if (!terminal.stderr || output.quiet || output.json) return new SessionProgress(undefined, isLineFree);
    const [saving, restoring] = [await createBar(text.code.saving), await createBar(text.code.restoring)];
    return new SessionProgress({ saving, restoring }, isLineFree);
  }

  tell(done: number, total: number): void {
    if (!this.#bars) return;
    if (!this.#shown) {
      if (!this.#isLineFree()) return;
      this.#shown = this.#bars[this.isRestoring ? 'restoring' : 'saving'];
      this.#shown.start(total, 0);
    }
    this.#shown.update(done);
    if (done >= total) this.clear();
  }

  /** To be called before anything else is written. */
  clear(): void {
    this.#shown?.stop();
    this.#shown = undefined;
  }
}
