// An account's export of Claude.ai: `conversations.json` in the folder that was unpacked. One list of conversations with their messages in the
// order they were said; newer exports also say which message each one answers.
import { type AccountShape, discoverExport, exportName, isArchive, readExport } from '../account-export.ts';
import { type Fields, isFields, listIn, momentIn, textIn, wordIn } from '../fields.ts';
import { fieldsAtBeginning } from '../json-beginning.ts';
import { MessageTree, type TreeNode } from '../message-tree.ts';
import type { TranscriptFormat, TranscriptHeader } from '../transcript-format.ts';
import { isSaid, readClaudeMessage } from './claude-ai-messages.ts';

export const claudeAiFormat: TranscriptFormat = {
  name: 'claude-ai',
  label: 'Claude.ai export',
  roots: () => [],
  layout: { name: exportName, beside: 'users.json' },
  detect: ({ path, head }) => (/\.jsonl?$/.test(path) && isExport(head)) || isExportArchive(path, head),
  discover: (root, options) => discoverExport(root, shape, isExport, options),
  read: (source, options = {}) => readExport(source, options, shape),
};

const shape: AccountShape = {
  idOf: (conversation) => wordIn(conversation, 'uuid'),
  updatedAt: (conversation) => momentIn(conversation, 'updated_at') ?? momentIn(conversation, 'created_at'),
  headerOf,
  treeOf,
  isSaid,
  reader: (conversation, id) => {
    const model = wordIn(conversation, 'model');
    return (node) => readClaudeMessage(node, { conversation: id, model });
  },
};

function headerOf(conversation: Fields): TranscriptHeader {
  const header: TranscriptHeader = {};
  const title = wordIn(conversation, 'name');
  if (title !== undefined) header.title = title;
  const model = wordIn(conversation, 'model');
  if (model !== undefined) header.model = model;
  const createdAt = momentIn(conversation, 'created_at');
  if (createdAt !== undefined) header.createdAt = createdAt;
  return header;
}

/** A message that does not say what it answers answers the one before it. */
function treeOf(conversation: Fields): MessageTree {
  const nodes: TreeNode[] = [];
  const ids = new Set<string>();
  for (const [index, value] of listIn(conversation, 'chat_messages').entries()) {
    if (!isFields(value)) continue;
    const own = wordIn(value, 'uuid') ?? `message-${index + 1}`;
    const id = ids.has(own) ? `${own}~${index + 1}` : own;
    const parent = textIn(value, 'parent_message_uuid') ?? nodes.at(-1)?.id;
    ids.add(id);
    nodes.push({ id, parent, value });
  }
  return new MessageTree(nodes, textIn(conversation, 'current_leaf_message_uuid'));
}

function isExport(head: Buffer): boolean {
  const fields = fieldsAtBeginning(head)?.fields;
  return fields !== undefined && Array.isArray(fields.chat_messages) && wordIn(fields, 'uuid') !== undefined;
}

/** An archive that was not unpacked, by the names of the files in it. */
function isExportArchive(path: string, head: Buffer): boolean {
  return path.endsWith('.zip') && isArchive(head) && head.toString('latin1').includes('users.json');
}
