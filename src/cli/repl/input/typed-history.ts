// What the person said before in this project, to be said again: up and down go through it. It comes from the conversations themselves,
// so that nothing is kept that their policy does not keep; what was not said (commands) is remembered until the application ends.
import type { ConversationStore } from '../../../store/conversation-store.ts';
import { listOfProject } from '../../recall/here.ts';
import { type Editor, editorOf, emptyEditor, fullText } from './editor.ts';

const mostConversations = 20;
const mostEntries = 60;
const mostLines = 300;

export class TypedHistory {
  /** Oldest first. */
  #lines: string[] = [];
  /** The place in the list; its length is the line that is being typed. */
  #place = 0;
  #unfinished: Editor = emptyEditor;

  /** What was said before goes before what was typed meanwhile. */
  putEarlier(lines: readonly string[]): void {
    const isAtEnd = this.#place === this.#lines.length;
    this.#lines = [...lines, ...this.#lines].slice(-mostLines);
    if (isAtEnd) this.#place = this.#lines.length;
  }

  add(line: string): void {
    if (line.trim() !== '' && this.#lines.at(-1) !== line) this.#lines.push(line);
    if (this.#lines.length > mostLines) this.#lines.shift();
    this.#place = this.#lines.length;
    this.#unfinished = emptyEditor;
  }

  /** The line before or after the present one; undefined where there is none. */
  step(editor: Editor, step: -1 | 1): Editor | undefined {
    const place = this.#place + step;
    if (place < 0 || place > this.#lines.length) return undefined;
    if (this.#place === this.#lines.length) this.#unfinished = editor;
    this.#place = place;
    return place === this.#lines.length ? this.#unfinished : editorOf(this.#lines[place] as string);
  }

  /** The line was changed: it is a new one. */
  touch(editor: Editor): void {
    if (this.#place < this.#lines.length && fullText(editor) !== this.#lines[this.#place]) this.#place = this.#lines.length;
  }
}

/** Oldest first, each once. */
export async function loadSaid(store: ConversationStore, fields: readonly string[]): Promise<string[]> {
  const conversations = await listOfProject(store, fields, mostConversations);
  const said: { at: number; text: string }[] = [];
  for (const { id } of conversations) {
    for (const entry of await store.tail(id, mostEntries)) {
      if (entry.kind === 'message' && entry.role === 'user' && entry.text.trim() !== '')
        said.push({ at: entry.at, text: entry.text });
    }
  }
  const newestFirst = said.sort((a, b) => b.at - a.at).map(({ text }) => text);
  return [...new Set(newestFirst)].slice(0, mostLines).reverse();
}
