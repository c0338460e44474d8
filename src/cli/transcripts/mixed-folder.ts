// A folder that anything may lie in, looked through once for all formats: each is asked about it in turn, and a second round looks anew.
import { type SortedFiles, sortFiles } from '../../transcripts/session-files.ts';
import type { TranscriptFormat } from '../../transcripts/transcripts.ts';

export class MixedFolder {
  readonly path: string;
  /** How somebody named it. */
  readonly word: string;
  #sorted: Promise<SortedFiles> | undefined;
  readonly #served = new Set<TranscriptFormat>();

  constructor(path: string, word: string) {
    this.path = path;
    this.word = word;
  }

  /** What could not be looked into is told to the first who asks. */
  async sortFor(format: TranscriptFormat, signal?: AbortSignal | undefined): Promise<SortedFiles> {
    if (!this.#sorted || this.#served.has(format)) {
      this.#served.clear();
      this.#sorted = sortFiles(this.path, { signal });
    }
    this.#served.add(format);
    const isFirst = this.#served.size === 1;
    const { owners, notes } = await this.#sorted;
    return { owners, notes: isFirst ? notes : [] };
  }
}
