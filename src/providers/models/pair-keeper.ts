// Keeps surrogate pairs together: a server may cut an emoji in two, and each half alone would be lost when a piece is written down.

export class PairKeeper {
  #half = '';

  /** The text that can be said now. A half that nothing completes is dropped. */
  take(delta: string): string {
    const text = this.#half + delta;
    const last = text.charCodeAt(text.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#half = isHalf ? text.slice(-1) : '';
    return isHalf ? text.slice(0, -1) : text;
  }
}
