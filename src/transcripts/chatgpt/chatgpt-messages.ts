// What the messages of a ChatGPT conversation say, taken in order along one way through its tree. A message to somebody else than the reader
// is a call of that tool; the tool's messages that follow are its results.
import type { JsonValue } from '../../base/json.ts';
import { type Fields, isFields, listIn, objectIn, parseObject, textIn, wordIn } from '../fields.ts';
import { looseMomentIn } from '../loose-moment.ts';
import type { TreeNode } from '../message-tree.ts';
import { sessionWideId } from '../session-wide-id.ts';
import type { SkippedNote, TranscriptEntry, TranscriptItem } from '../transcript-format.ts';
import { textOf, thoughtsOf } from './chatgpt-content.ts';

/** Contents the service wrote for itself: settings, and how long it thought. */
const harness = new Set(['user_editable_context', 'model_editable_context', 'reasoning_recap', 'app_pairing_content']);

export class ChatGptMessages {
  readonly #conversation: string;
  readonly #model: string | undefined;
  #call: { id: string; tool: string; isAnswered: boolean } | undefined;

  constructor(conversation: string, model: string | undefined) {
    this.#conversation = conversation;
    this.#model = model;
  }

  take(node: TreeNode): TranscriptItem[] {
    const { message } = node.value;
    // The root of the tree, and places where a message was taken away.
    if (!isFields(message)) return [];
    const note = noteFor(message);
    if (note) return [note];
    const id = sessionWideId(node.id, this.#conversation);
    const entry = this.#read(message, id);
    if (!entry) return [{ type: 'skipped', reason: 'empty', what: kindOf(message) }];
    const at = looseMomentIn(message, 'create_time', 'update_time');
    const attached = attachmentsOf(message);
    const meta = attached.length > 0 ? { meta: { ...entry.meta, attachments: attached } } : {};
    return [{ type: 'entry', id, entry: { ...entry, ...meta, ...(at !== undefined && { at }) } as TranscriptEntry }];
  }

  #read(message: Fields, id: string): TranscriptEntry | undefined {
    const role = roleOf(message);
    const text = textOf(objectIn(message, 'content'));
    if (role === 'tool') return this.#readResult(message, text, id);
    if (role !== 'assistant') return text.trim() === '' ? undefined : { kind: 'message', role: role as 'user' | 'system', text };
    const model = wordIn(objectIn(message, 'metadata'), 'model_slug') ?? this.#model;
    const said = model === undefined ? {} : { model };
    if (contentType(message) === 'thoughts') {
      const thoughts = thoughtsOf(objectIn(message, 'content'));
      return thoughts === '' ? undefined : { kind: 'thinking', text: thoughts, ...said };
    }
    const tool = wordIn(message, 'recipient') ?? 'all';
    if (tool !== 'all') {
      this.#call = { id, tool, isAnswered: false };
      return { kind: 'tool-call', callId: id, tool, input: (parseObject(text) ?? text) as JsonValue };
    }
    if (text.trim() === '') return undefined;
    return { kind: 'message', role, text, ...said, ...(isInterrupted(message) && { interrupted: true }) };
  }

  #readResult(message: Fields, text: string, id: string): TranscriptEntry | undefined {
    const name = wordIn(objectIn(message, 'author'), 'name');
    const call = this.#call;
    if (text.trim() === '' && call?.isAnswered !== false) return undefined;
    if (call) call.isAnswered = true;
    const tool = name ?? call?.tool;
    const failed = isFailure(message) ? { failed: true } : {};
    return { kind: 'tool-result', callId: call?.id ?? id, ...(tool !== undefined && { tool }), text, ...failed };
  }
}

/** Whether a branch with this message says something of its own. */
export function isSaid({ value: { message } }: TreeNode): boolean {
  if (!isFields(message) || noteFor(message)) return false;
  return ['user', 'assistant'].includes(roleOf(message)) && textOf(objectIn(message, 'content')).trim() !== '';
}

function noteFor(message: Fields): SkippedNote | undefined {
  const what = kindOf(message);
  const metadata = objectIn(message, 'metadata');
  if (metadata.is_visually_hidden_from_conversation === true || harness.has(contentType(message)))
    return { type: 'skipped', reason: 'harness', what };
  return roles.has(roleOf(message)) ? undefined : { type: 'skipped', reason: 'unknown', what };
}

const roles = new Set(['user', 'assistant', 'system', 'tool']);

function roleOf(message: Fields): string {
  return textIn(objectIn(message, 'author'), 'role') ?? '';
}

function contentType(message: Fields): string {
  return textIn(objectIn(message, 'content'), 'content_type') ?? '';
}

function kindOf(message: Fields): string {
  return `${roleOf(message) || 'message without role'}/${contentType(message) || 'no content'}`;
}

function isInterrupted(message: Fields): boolean {
  const reason = textIn(objectIn(objectIn(message, 'metadata'), 'finish_details'), 'type');
  return message.status === 'in_progress' || reason === 'interrupted';
}

function isFailure(message: Fields): boolean {
  const status = textIn(objectIn(objectIn(message, 'metadata'), 'aggregate_result'), 'status');
  return contentType(message) === 'system_error' || (status?.startsWith('failed') ?? false);
}

function attachmentsOf(message: Fields): string[] {
  const attachments = listIn(objectIn(message, 'metadata'), 'attachments').filter(isFields);
  return attachments.flatMap((attachment) => wordIn(attachment, 'name') ?? []);
}
