// What a team knows: everything that was said, oldest first, and the task. It holds only what the store holds, so that a snapshot made
// from it can hold nothing else. A window on its end costs what the window holds, however much lies before.
import { estimateTokens } from '../base/token-estimate.ts';
import type { ConversationMessage, SessionContext } from '../snapshot/session-snapshot.ts';
import { readSpeaker } from './legacy-speaker.ts';

export interface MessageWindow {
  /** Oldest first. */
  messages: readonly ConversationMessage[];
  /** How many there are before these. */
  dropped: number;
}

export class ContextManager {
  #messages: ConversationMessage[] = [];
  #tokens: (number | undefined)[] = [];
  #teamTask: string | null = null;

  get messages(): readonly ConversationMessage[] {
    return this.#messages;
  }

  get teamTask(): string | null {
    return this.#teamTask;
  }

  setTeamTask(task: string | null): void {
    this.#teamTask = task;
  }

  addMessage(message: ConversationMessage): void {
    this.#messages.push(message);
    this.#tokens.push(undefined);
  }

  /** The newest messages that cost at most so many tokens together; the newest one is there whatever it costs. */
  window(maxTokens: number, from = 0): MessageWindow {
    let first = this.#messages.length;
    let left = maxTokens;
    while (first > from) {
      left -= this.#tokensAt(first - 1);
      if (left < 0 && first < this.#messages.length) break;
      first -= 1;
    }
    return { messages: this.#messages.slice(first), dropped: first };
  }

  /** The place behind the last whole message of a member; 0 where it has said nothing within reach. */
  placeAfter(memberId: string, reach: number): number {
    const least = Math.max(0, this.#messages.length - reach);
    for (let i = this.#messages.length - 1; i >= least; i--) {
      const { speaker, interrupted } = this.#messages[i] as ConversationMessage;
      // What it was told before an answer that was cut off, its program may have lost.
      if (speaker.id === memberId && !interrupted) return i + 1;
    }
    return 0;
  }

  exportSnapshot(): SessionContext {
    return { teamTask: this.#teamTask, messages: [...this.#messages] };
  }

  /** Takes the place of everything there was. Todos that an older file may hold are passed over. */
  importSnapshot({ teamTask, messages }: SessionContext): void {
    this.#teamTask = teamTask ?? null;
    this.#messages = messages.map((message) => ({ ...message, speaker: readSpeaker(message) }));
    this.#tokens = new Array<number | undefined>(messages.length).fill(undefined);
  }

  #tokensAt(index: number): number {
    const known = this.#tokens[index];
    if (known !== undefined) return known;
    const { content, speaker } = this.#messages[index] as ConversationMessage;
    // A header and a mark in front of every line come with it.
    const tokens = estimateTokens(content) + estimateTokens(speaker.name) + 16;
    this.#tokens[index] = tokens;
    return tokens;
  }
}
