// An account's export of ChatGPT: `conversations.json`, or `conversations-000.json` and so on, in the folder that was unpacked. One list of
// conversations; the messages of each are a tree (`mapping`) with a current leaf (`current_node`).
import { type AccountShape, discoverExport, exportName, isArchive, readExport } from '../account-export.ts';
import { type Fields, isFields, listIn, objectIn, textIn, wordIn } from '../fields.ts';
import { fieldsAtBeginning } from '../json-beginning.ts';
import { looseMomentIn } from '../loose-moment.ts';
import { MessageTree, type TreeNode } from '../message-tree.ts';
import type { TranscriptFormat, TranscriptHeader } from '../transcript-format.ts';
import { ChatGptMessages, isSaid } from './chatgpt-messages.ts';

export const chatGptFormat: TranscriptFormat = {
  name: 'chatgpt',
  label: 'ChatGPT export',
  roots: () => [],
  layout: { name: exportName, beside: 'chat.html' },
  detect: ({ path, head }) => (/\.jsonl?$/.test(path) && isExport(head)) || isExportArchive(path, head),
  discover: (root, options) => discoverExport(root, shape, isExport, options),
  read: (source, options = {}) => readExport(source, options, shape),
};

const shape: AccountShape = {
  idOf: (conversation) => wordIn(conversation, 'conversation_id') ?? wordIn(conversation, 'id'),
  updatedAt: (conversation) => looseMomentIn(conversation, 'update_time', 'create_time'),
  headerOf,
  treeOf,
  isSaid,
  reader: (conversation, id) => {
    const messages = new ChatGptMessages(id, wordIn(conversation, 'default_model_slug'));
    return (node) => messages.take(node);
  },
};

function headerOf(conversation: Fields): TranscriptHeader {
  const header: TranscriptHeader = {};
  const title = wordIn(conversation, 'title');
  if (title !== undefined) header.title = title;
  const model = wordIn(conversation, 'default_model_slug');
  if (model !== undefined) header.model = model;
  const createdAt = looseMomentIn(conversation, 'create_time');
  if (createdAt !== undefined) header.createdAt = createdAt;
  return header;
}

/** Some files name the children only. */
function treeOf(conversation: Fields): MessageTree {
  const mapping = Object.entries(objectIn(conversation, 'mapping')).filter((each): each is [string, Fields] => isFields(each[1]));
  const parents = new Map<string, string>();
  for (const [id, node] of mapping)
    for (const child of listIn(node, 'children')) if (typeof child === 'string' && !parents.has(child)) parents.set(child, id);
  const nodes = mapping.map(([id, value]): TreeNode => ({ id, parent: textIn(value, 'parent') ?? parents.get(id), value }));
  return new MessageTree(nodes, textIn(conversation, 'current_node'));
}

function isExport(head: Buffer): boolean {
  return isFields(fieldsAtBeginning(head)?.fields.mapping);
}

/** An archive that was not unpacked, by the names of the files in it. Names alone do not tell whose `conversations.json` it is. */
function isExportArchive(path: string, head: Buffer): boolean {
  if (!path.endsWith('.zip') || !isArchive(head)) return false;
  const text = head.toString('latin1');
  return (
    /(?:chat\.html|message_feedback\.json|user\.json|conversations(?:-\d+)?\.json)/.test(text) && !text.includes('users.json')
  );
}
