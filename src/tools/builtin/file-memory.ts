// What each conversation last saw of a file, so that nobody overwrites a change it does not know of; and one writer at a time for
// each file, so that two edits at once do not undo each other.
import { createHash } from 'node:crypto';
import type { ConversationId } from '../../model/id.ts';

const filesKept = 10_000;

export class FileMemory {
  readonly #seen = new Map<string, string>();
  readonly #writers = new Map<string, Promise<unknown>>();

  /** `mark`: what identifies the content, see {@link markOf}. */
  remember(conversation: ConversationId, real: string, mark: string): void {
    const key = `${conversation} ${real}`;
    this.#seen.delete(key);
    this.#seen.set(key, mark);
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= filesKept) break;
      this.#seen.delete(oldest);
    }
  }

  /** Whether this conversation saw the file, and saw something else than this. A file it never saw has not changed for it. */
  hasChanged(conversation: ConversationId, real: string, mark: string): boolean {
    const seen = this.#seen.get(`${conversation} ${real}`);
    return seen !== undefined && seen !== mark;
  }

  /** Runs the work when earlier work on the same file has ended. */
  async alone<Result>(real: string, work: () => Promise<Result>): Promise<Result> {
    const earlier = this.#writers.get(real) ?? Promise.resolve();
    const mine = earlier.then(work, work);
    this.#writers.set(real, mine);
    try {
      return await mine;
    } finally {
      if (this.#writers.get(real) === mine) this.#writers.delete(real);
    }
  }
}

/** Content by its hash: times and sizes miss a change within one tick of the file system's clock. */
export function markOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('base64');
}
