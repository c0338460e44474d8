// Messages in the form of OpenAI's chat completions: a file with a list of them, or the body of a request (`{"messages": […]}`). No agent keeps
// its sessions so; many programs can be given them.
import { basename } from 'node:path';
import { type Fields, isFields, listIn, objectIn, wordIn } from '../fields.ts';
import { fieldsAtBeginning } from '../json-beginning.ts';
import { looseMomentIn } from '../loose-moment.ts';
import { readDocument } from '../read-document.ts';
import { discoverDocuments } from '../session-documents.ts';
import { measureFiles } from '../session-folder.ts';
import type { ReadTranscriptOptions, TranscriptFormat, TranscriptHeader, TranscriptSource } from '../transcript-format.ts';
import { findSeed, MessageTalk } from './message-talk.ts';
import { writeOpenAiMessages } from './write-openai-messages.ts';

export const openAiFormat: TranscriptFormat = {
  name: 'openai',
  label: 'OpenAI messages',
  roots: () => [],
  detect: ({ path, head }) => path.endsWith('.json') && isMessages(head),
  discover: (root, { signal } = {}) => discoverDocuments(root, { accepts: isMessages, createSource, signal }),
  read: readMessages,
  write: writeOpenAiMessages,
};

const places = [[], ['messages']] as const;
/** Fields that say the messages are another program's. */
const foreign = ['sessionId', 'teamId', 'model_name', 'file_prefix', 'state', 'history', 'mapping', 'chat_messages'];

function readMessages({ path }: TranscriptSource, options: ReadTranscriptOptions = {}) {
  return readDocument(path, options, {
    places,
    begin: (document) => {
      const talk = new MessageTalk(wordIn(document, 'model'));
      return { header: headerOf(document), take: (message) => talk.take(message), end: () => talk.end() };
    },
  });
}

function headerOf(document: Fields): TranscriptHeader {
  const metadata = objectIn(document, 'metadata');
  const header: TranscriptHeader = {};
  const title = wordIn(metadata, 'title') ?? wordIn(document, 'title');
  if (title !== undefined) header.title = title;
  for (const name of ['cwd', 'branch'] as const) {
    const value = wordIn(metadata, name);
    if (value !== undefined) header[name] = value;
  }
  const model = wordIn(document, 'model');
  if (model !== undefined) header.model = model;
  const createdAt = looseMomentIn(metadata, 'created_at') ?? looseMomentIn(document, 'created_at', 'created');
  if (createdAt !== undefined) header.createdAt = createdAt;
  return header;
}

async function createSource(path: string, head: Buffer): Promise<TranscriptSource> {
  const document = fieldsAtBeginning(head);
  const fields = document && !document.isList ? document.fields : {};
  const own = wordIn(objectIn(fields, 'metadata'), 'session_id') ?? wordIn(fields, 'id');
  const id = own ?? `${basename(path, '.json')}-${await findSeed(path, places)}`;
  return { type: 'source', id, path, ...(await measureFiles([path])) };
}

function isMessages(head: Buffer): boolean {
  const document = fieldsAtBeginning(head);
  if (!document) return false;
  const { fields, isList } = document;
  if (!isList && foreign.some((name) => name in fields)) return false;
  const first = isList ? fields : listIn(fields, 'messages')[0];
  return isFields(first) && roles.has(first.role) && ('content' in first || 'tool_calls' in first || 'function_call' in first);
}

const roles = new Set<unknown>(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
