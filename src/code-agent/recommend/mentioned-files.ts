// Files of the project that a text names: by their path, by the end of it, or by a name that only one file has.
import type { CodeContextManager } from '../context/code-context-manager.ts';
import { nameOf } from '../context/resolve/project-path.ts';

const separators = /[\s"'`“”‘’「」『』《》()（）[\]{}<>,;，。；、！？!?|*=]+/u;
const maxWords = 5000;
/** A name that more files have says nothing. */
const maxSame = 3;

export class MentionFinder {
  readonly #context: CodeContextManager;
  readonly #byName = new Map<string, string[]>();

  constructor(context: CodeContextManager) {
    this.#context = context;
    for (const { path } of context.records()) {
      const name = nameOf(path);
      const list = this.#byName.get(name);
      if (list) list.push(path);
      else this.#byName.set(name, [path]);
    }
  }

  find(text: string): string[] {
    const found = new Set<string>();
    for (const word of text.split(separators, maxWords)) for (const path of this.#resolve(word)) found.add(path);
    return [...found];
  }

  #resolve(word: string): readonly string[] {
    // `src/a.ts:12:3`, `src/a.ts#L12`, and the full stop of a sentence. Chinese is written without a space: 修改src/a.ts里的.
    const bare = word.replace(/(?:(?::\d+){1,2}|#L\d+.*)?[.:]*$/, '').replaceAll('\\', '/');
    const clean = /[\w\-./@+]*\.\w+/.exec(bare)?.[0] === undefined || this.#isKnown(bare) ? bare : findPart(bare);
    if (clean.length < 3 || !/[./]/.test(clean)) return [];
    const relative = this.#context.toRelative(clean);
    if (relative !== undefined && this.#context.has(relative)) return [relative];
    const same = this.#byName.get(nameOf(clean)) ?? [];
    const ending = clean.replace(/^(?:\.{0,2}\/)+/, '');
    const fitting = same.filter((path) => path === ending || path.endsWith(`/${ending}`));
    if (fitting.length > 0) return fitting.length <= maxSame ? fitting : [];
    // An absolute path of another copy of the project: the longest end that is a file here.
    return same.filter((path) => clean.endsWith(`/${path}`)).slice(0, 1);
  }

  #isKnown(word: string): boolean {
    return this.#byName.has(nameOf(word));
  }
}

function findPart(word: string): string {
  return /[\w\-./@+]*\.\w+/.exec(word)?.[0] ?? word;
}
