// Builds the alternating list of messages. Calls stay open until their results arrive; what a user says meanwhile is held back
// behind the results, because no provider accepts anything between a call and its result.
import type { PromptItem } from '../../model/ports/text-model.ts';
import type { SdkMessage, SdkPrompt } from './sdk-model.ts';
import { toToolName } from './tool-names.ts';

type CallItem = Extract<PromptItem, { kind: 'tool-call' }>;
type ResultItem = Extract<PromptItem, { kind: 'tool-result' }>;
type AssistantMessage = Extract<SdkMessage, { role: 'assistant' }>;
type ToolMessage = Extract<SdkMessage, { role: 'tool' }>;
type TextPart = { type: 'text'; text: string };
type CallPart = Extract<AssistantMessage['content'][number], { type: 'tool-call' }>;

const interrupted = 'interrupted: this call has no result';
const unknownThinking = '(not recorded)';

export interface MessageListOptions {
  /** Whether tools are offered. Without any, providers refuse calls and results, so that these are told in words. */
  hasTools: boolean;
  /** Give the thinking back that led to a call. */
  repeatsThinking: boolean;
  /** The provider takes letters, digits, `_` and `-` in call ids only. */
  plainIds: boolean;
}

export class MessageList {
  readonly #options: MessageListOptions;
  readonly #messages: SdkPrompt = [];
  readonly #usedIds = new Set<string>();
  #open: { callId: string; part: CallPart }[] = [];
  #results: ToolMessage | undefined;
  #held: string[] = [];
  #thinking = '';

  constructor(options: MessageListOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  addUserText(text: string): void {
    this.#thinking = '';
    if (this.#open.length > 0) this.#held.push(text);
    else this.#pushUser(text);
  }

  addAssistantText(text: string): void {
    this.#beginAnswer();
    const { content } = this.#assistant();
    const said = content.find((part): part is TextPart => part.type === 'text');
    if (said) said.text += `\n\n${text}`;
    // Text always goes before the calls of its message.
    else content.splice(content[0]?.type === 'reasoning' ? 1 : 0, 0, { type: 'text', text });
  }

  addThinking(text: string): void {
    if (this.#options.repeatsThinking) this.#thinking += text;
  }

  addCall(item: CallItem): void {
    if (!this.#options.hasTools) {
      this.addAssistantText(`[called ${item.tool} with ${JSON.stringify(item.input)}]`);
      return;
    }
    this.#beginAnswer();
    const { content } = this.#assistant();
    if (this.#options.repeatsThinking && content[0]?.type !== 'reasoning') {
      content.unshift({ type: 'reasoning', text: this.#thinking || unknownThinking });
    }
    const part: CallPart = {
      type: 'tool-call',
      toolCallId: this.#uniqueId(item.callId),
      toolName: toToolName(item.tool),
      input: toInputObject(item.input),
    };
    content.push(part);
    this.#open.push({ callId: item.callId, part });
  }

  addResult(item: ResultItem): void {
    if (!this.#options.hasTools) {
      this.addUserText(`[result of ${item.tool ?? 'the call'}]\n${item.text}`);
      return;
    }
    const call = this.#open.find((open) => open.callId === item.callId);
    // A result whose call was trimmed away, or that came after the call had been given up.
    if (call === undefined) return;
    this.#open.splice(this.#open.indexOf(call), 1);
    this.#pushResult(call.part, item.text, item.failed === true);
    if (this.#open.length === 0) this.#settle();
  }

  /** Closes what is open and makes sure that a user speaks first, and that the list does not end with the model. */
  finish(notes: { noStart: string; noEnd: string }): SdkPrompt {
    this.#settle();
    if (this.#messages[0]?.role !== 'user') this.#messages.unshift(userMessage(notes.noStart));
    if (this.#messages.at(-1)?.role === 'assistant') this.#pushUser(notes.noEnd);
    return this.#messages;
  }

  /** An answer that begins after results, or after a user spoke, is a new one: calls that are still open got no result. */
  #beginAnswer(): void {
    if (this.#results !== undefined || this.#held.length > 0) this.#settle();
  }

  #settle(): void {
    for (const { part } of this.#open) this.#pushResult(part, interrupted, true);
    this.#open = [];
    this.#results = undefined;
    this.#thinking = '';
    for (const text of this.#held) this.#pushUser(text);
    this.#held = [];
  }

  #assistant(): AssistantMessage {
    const last = this.#messages.at(-1);
    if (last?.role === 'assistant') return last;
    const message: AssistantMessage = { role: 'assistant', content: [] };
    this.#messages.push(message);
    return message;
  }

  #pushUser(text: string): void {
    const last = this.#messages.at(-1);
    if (last?.role === 'user') (last.content[0] as TextPart).text += `\n\n${text}`;
    else this.#messages.push(userMessage(text));
  }

  #pushResult(call: CallPart, text: string, failed: boolean): void {
    if (this.#results === undefined) {
      this.#results = { role: 'tool', content: [] };
      this.#messages.push(this.#results);
    }
    const { toolCallId, toolName } = call;
    const output = { type: failed ? ('error-text' as const) : ('text' as const), value: text };
    this.#results.content.push({ type: 'tool-result', toolCallId, toolName, output });
  }

  /** Agents number their calls anew in every turn; a provider wants each id once. */
  #uniqueId(callId: string): string {
    let id = callId;
    if (callId === '' || (this.#options.plainIds && !/^[\w-]{1,40}$/.test(callId))) id = `call_${this.#usedIds.size + 1}`;
    for (let number = this.#usedIds.size + 1; this.#usedIds.has(id); number += 1) id = `call_${number}`;
    this.#usedIds.add(id);
    return id;
  }
}

function userMessage(text: string): SdkMessage {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** Input that could not be read was kept as it came; providers take objects only. */
function toInputObject(input: CallItem['input']): Record<string, unknown> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  return input === null || input === '' ? {} : { input };
}
