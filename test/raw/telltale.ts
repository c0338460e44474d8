// Conversations full of words that occur nowhere else, so that any piece of them left behind gives itself away.
import type { NewConversation } from '../../src/model/conversation.ts';
import type { NewEntry } from '../../src/model/entry.ts';
import { createMarkedWord } from '../support/raw-files.ts';

export class Telltale {
  /** Every word it has ever used. */
  readonly words: string[] = [];

  word(): string {
    const word = createMarkedWord();
    this.words.push(word);
    return word;
  }

  /** About so many characters; a new word every few hundred, repeated in between. */
  text(length: number): string {
    let text = '';
    while (text.length < length) text += `${this.word()} `.repeat(Math.min(20, Math.ceil((length - text.length) / 15)));
    return text;
  }

  conversation(): NewConversation {
    return {
      title: `title ${this.word()}`,
      key: `chat:${this.word()}`,
      project: this.word(),
      team: this.word(),
      agent: this.word(),
      tags: [this.word(), this.word()],
      meta: { note: this.word() },
    };
  }

  /** One of every kind of entry that can hold text. */
  entries(length: number): NewEntry[] {
    return [
      { kind: 'message', role: 'user', text: this.text(length), meta: { aside: this.word() } },
      { kind: 'thinking', text: this.text(length) },
      { kind: 'tool-call', callId: 'c', tool: 'search', input: { query: this.text(length) } },
      { kind: 'tool-result', callId: 'c', text: this.text(length), output: { rows: [this.word()] } },
      { kind: 'summary', text: this.text(length), covers: { from: 1, to: 2 } },
      { kind: 'label', name: 'topic', text: this.word() },
      { kind: 'event', name: 'turn-end', code: 'ok', counts: { calls: 1 }, text: this.text(length), meta: { path: this.word() } },
    ];
  }
}
