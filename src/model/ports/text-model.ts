// The port that answers a step: a language model behind any protocol, or the offline provider. A model keeps no state between
// steps: everything it may know is in the request. Faults are thrown as ContinuoError with a code of the `model-…` family.
import type { JsonValue } from '../../base/json.ts';
import type { NewEntry } from '../entry.ts';
import type { ToolSpec } from './tool.ts';

/** What a model reads: entries as they were said. Kinds that are nothing to a model (labels, events, thinking) are passed over. */
export type PromptItem = NewEntry;

export interface ModelRequest {
  /** Standing instructions, before everything else. */
  instructions?: string;
  /** Oldest first. May be walked more than once (a retry builds the request again). */
  prompt: Iterable<PromptItem>;
  tools: readonly ToolSpec[];
  signal: AbortSignal;
}

export interface TokenUsage {
  inputTokens?: number;
  outputTokens?: number;
  cachedTokens?: number;
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other';

/** What comes out of one step, in order. The last event of a whole step is `finish`. */
export type ModelEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  | { type: 'tool-call'; callId: string; tool: string; input: JsonValue }
  /** The request is tried again; nothing of this step had been said yet. */
  | { type: 'retry'; attempt: number; delay: number; code: string }
  | { type: 'finish'; reason: FinishReason; usage: TokenUsage };

export interface TextModel {
  /** `provider:model`, as the user writes it. */
  readonly id: string;
  /** How many tokens it can read in one request, where that is known. */
  readonly contextTokens?: number;
  /** One step. Ends with `finish`, or throws; an aborted signal throws `cancelled`. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
