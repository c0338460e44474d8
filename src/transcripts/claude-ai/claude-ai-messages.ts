// What a message of Claude.ai says: blocks of text, thinking, calls and results, and what was attached to it.
import type { JsonValue } from '../../base/json.ts';
import { type Fields, isFields, jsonIn, jsonText, listIn, momentIn, textIn, wordIn } from '../fields.ts';
import type { TreeNode } from '../message-tree.ts';
import { sessionWideId } from '../session-wide-id.ts';
import type { TranscriptEntry, TranscriptItem } from '../transcript-format.ts';

export interface ClaudeMessageContext {
  conversation: string;
  model: string | undefined;
}

const longestResult = 1024 * 1024;

export function readClaudeMessage({ id: own, value: message }: TreeNode, context: ClaudeMessageContext): TranscriptItem[] {
  const sender = textIn(message, 'sender');
  if (sender !== 'human' && sender !== 'assistant')
    return [{ type: 'skipped', reason: 'unknown', what: sender ?? 'message without sender' }];
  const id = sessionWideId(own, context.conversation);
  const items = [...readAttachments(message, id), ...new MessageBlocks(message, id, context).items()];
  return items.length > 0 ? items : [{ type: 'skipped', reason: 'empty', what: sender }];
}

/** Whether a branch with this message says something of its own. */
export function isSaid({ value: message }: TreeNode): boolean {
  return blocksOf(message).some((block) => block.type === 'tool_use' || wordIn(block, 'text') !== undefined);
}

/** Text that was pasted or taken from a file stands beside the words: it is the user's too. */
function readAttachments(message: Fields, id: string): TranscriptItem[] {
  const at = momentIn(message, 'created_at');
  return listIn(message, 'attachments').flatMap((attachment, index): TranscriptItem[] => {
    const text = isFields(attachment) ? wordIn(attachment, 'extracted_content') : undefined;
    if (text === undefined) return [];
    const name = wordIn(attachment as Fields, 'file_name');
    const meta = name === undefined ? {} : { meta: { attachment: name } };
    const entry = { kind: 'message', role: 'user', text, ...meta, ...(at !== undefined && { at }) } as const;
    return [{ type: 'entry', id: `${id}.attachment${index + 1}`, entry }];
  });
}

/** Older exports have the words only. */
function blocksOf(message: Fields): Fields[] {
  const blocks = listIn(message, 'content').filter(isFields);
  return blocks.length > 0 ? blocks : [{ type: 'text', text: message.text }];
}

class MessageBlocks {
  readonly #message: Fields;
  readonly #id: string;
  readonly #model: string | undefined;
  /** The last call, for results that do not say whose they are. */
  #call: { id: string; tool: string } | undefined;

  constructor(message: Fields, id: string, { model }: ClaudeMessageContext) {
    this.#message = message;
    this.#id = id;
    this.#model = message.sender === 'assistant' ? (wordIn(message, 'model') ?? model) : undefined;
  }

  items(): TranscriptItem[] {
    const items: TranscriptItem[] = [];
    let count = 0;
    for (const [index, block] of blocksOf(this.#message).entries()) {
      const id = index === 0 ? this.#id : `${this.#id}.${index}`;
      const entry = this.#read(block, id);
      if (entry === undefined) {
        const type = textIn(block, 'type') ?? 'block without type';
        if (!known.has(type)) items.push({ type: 'skipped', reason: harness.has(type) ? 'harness' : 'unknown', what: type });
        continue;
      }
      const files = count === 0 ? this.#files() : {};
      const at = momentIn(block, 'start_timestamp') ?? momentIn(this.#message, 'created_at');
      items.push({ type: 'entry', id, entry: { ...entry, ...files, ...(at !== undefined && { at }) } as TranscriptEntry });
      count += 1;
    }
    return items;
  }

  #read(block: Fields, id: string): TranscriptEntry | undefined {
    const model = this.#model === undefined ? {} : { model: this.#model };
    if (block.type === 'text') {
      const text = wordIn(block, 'text');
      const role = this.#message.sender === 'human' ? 'user' : 'assistant';
      return text === undefined ? undefined : { kind: 'message', role, text, ...model };
    }
    if (block.type === 'thinking') {
      const text = wordIn(block, 'thinking');
      return text === undefined ? undefined : { kind: 'thinking', text, ...model };
    }
    if (block.type === 'tool_use') {
      const tool = wordIn(block, 'name') ?? 'unknown';
      this.#call = { id: wordIn(block, 'id') ?? id, tool };
      return { kind: 'tool-call', callId: this.#call.id, tool, input: jsonIn(block, 'input') ?? {} };
    }
    return block.type === 'tool_result' ? this.#readResult(block, id) : undefined;
  }

  #readResult(block: Fields, id: string): TranscriptEntry {
    const callId = wordIn(block, 'tool_use_id') ?? this.#call?.id ?? id;
    const tool = wordIn(block, 'name') ?? this.#call?.tool;
    const failed = block.is_error === true ? { failed: true } : {};
    return { kind: 'tool-result', callId, ...(tool !== undefined && { tool }), text: resultText(block.content), ...failed };
  }

  #files(): { meta?: { files: JsonValue[] } } {
    const files = listIn(this.#message, 'files').filter(isFields);
    const names = files.flatMap((file) => wordIn(file, 'file_name') ?? []);
    return names.length > 0 ? { meta: { files: names } } : {};
  }
}

const known = new Set(['text', 'thinking']);
const harness = new Set(['token_budget', 'flag', 'voice_note']);

function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return isFields(content) ? jsonText(content, longestResult) : '';
  const parts = content.filter(isFields).map((part) => {
    const words = textIn(part, 'text');
    if (words !== undefined) return words;
    const [title, url] = [wordIn(part, 'title'), wordIn(part, 'url')];
    return (title ?? url) ? [title, url].filter((line) => line !== undefined).join('\n') : `[${textIn(part, 'type') ?? 'part'}]`;
  });
  return parts.join('\n');
}
