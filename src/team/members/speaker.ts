// Whoever speaks for a member: a model or a program. It keeps nothing between two turns but what it tells by `session`.
import type { TokenUsage } from '../../model/ports/text-model.ts';
import type { TodoItem } from '../routing/parse-todos.ts';

export interface SpeakerRequest {
  instructions: string;
  prompt: string;
  /** The same turn for one that remembers nothing, where `prompt` counts on its memory. */
  wholePrompt?: string;
  /** What it was asked, by itself: for one that looks things up and reads no conversation. */
  lastWords: string;
  signal: AbortSignal;
  /** What a program gave as its own session the last time. */
  session?: string;
}

export type SpeakerEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  | { type: 'todo'; todos: TodoItem[] }
  /** The program's own session: handed back to it at its next turn. */
  | { type: 'session'; id: string }
  /** A program uses a tool of its own. */
  | { type: 'activity'; tool: string; detail?: string }
  /** `text`, where it is given, is the answer; what came before it was said on the way. */
  | { type: 'finish'; usage: TokenUsage; text?: string };

export interface Speaker {
  /** What is written beside its words: `provider:model`, or the program. */
  readonly label: string;
  /** How many tokens it can read, where that is known: the window is never more than half of it. */
  readonly contextTokens?: number;
  /** One turn. Ends, or throws a coded error; an aborted signal throws. */
  speak(request: SpeakerRequest): AsyncIterable<SpeakerEvent>;
}
