// Which files were read and changed in this session, newest last. Bounded: what was touched long ago falls out.

export interface Touch {
  read: boolean;
  changed: boolean;
  /** Counts up with every touch: the higher, the newer. */
  order: number;
}

const maxTouched = 1000;

export class TouchedFiles {
  readonly #touches = new Map<string, Touch>();
  #order = 0;

  note(path: string, how: 'read' | 'changed'): void {
    const before = this.#touches.get(path);
    this.#order += 1;
    const touch: Touch = { read: before?.read ?? false, changed: before?.changed ?? false, order: this.#order };
    touch[how] = true;
    this.#touches.delete(path);
    this.#touches.set(path, touch);
    for (const oldest of this.#touches.keys()) {
      if (this.#touches.size <= maxTouched) break;
      this.#touches.delete(oldest);
    }
  }

  /** Newest first. */
  list(): [string, Touch][] {
    return [...this.#touches].reverse();
  }
}
