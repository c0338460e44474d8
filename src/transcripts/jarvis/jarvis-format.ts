// Jarvis' coding agent: `<working directory>/.jarvis/saved_session_<prefix>_<platform>_<model>_<moment>.json`, an envelope around the agent's state;
// before there was an envelope, the state alone. Each save may be a file of its own: they begin the same, so what they share is stored once.
import { basename, dirname } from 'node:path';
import { type Fields, listIn, objectIn, wordIn } from '../fields.ts';
import { fieldsAtBeginning } from '../json-beginning.ts';
import { findSeed, MessageTalk } from '../openai/message-talk.ts';
import { readDocument } from '../read-document.ts';
import { discoverDocuments } from '../session-documents.ts';
import { measureFiles } from '../session-folder.ts';
import type { ReadTranscriptOptions, TranscriptFormat, TranscriptHeader, TranscriptSource } from '../transcript-format.ts';

export const jarvisFormat: TranscriptFormat = {
  name: 'jarvis',
  label: 'Jarvis',
  // In every project's own folder: nowhere to look without being told.
  roots: () => [],
  layout: { place: /\/saved_session_[^/]+\.json$/ },
  detect: ({ path, head }) => path.endsWith('.json') && isSavedSession(head, path),
  discover: (root, { signal } = {}) =>
    discoverDocuments(root, { accepts: isSavedSession, isName: (name) => sessionName.test(name), createSource, signal }),
  read: readSavedSession,
};

const sessionName = /^saved_session_.+\.json$/;
const places = [['state', 'messages'], ['messages']] as const;

function readSavedSession({ path }: TranscriptSource, options: ReadTranscriptOptions = {}) {
  return readDocument(path, options, {
    places,
    begin: (document) => {
      const state = stateOf(document);
      const talk = new MessageTalk(wordIn(state, 'model_name'));
      return { header: headerOf(state, path), take: (message) => talk.take(message), end: () => talk.end() };
    },
  });
}

function stateOf(document: Fields): Fields {
  return 'state' in document ? objectIn(document, 'state') : document;
}

function headerOf(state: Fields, path: string): TranscriptHeader {
  const header: TranscriptHeader = {};
  const folder = dirname(path);
  // The specification puts the file into this folder of the directory the agent works in.
  const cwd = wordIn(state, 'root_dir') ?? (basename(folder) === '.jarvis' ? dirname(folder) : undefined);
  if (cwd !== undefined) header.cwd = cwd;
  for (const [field, name] of Object.entries({ model_name: 'model', branch: 'branch' } as const)) {
    const value = wordIn(state, field);
    if (value !== undefined) header[name] = value;
  }
  const createdAt = momentInName(basename(path));
  if (createdAt !== undefined) header.createdAt = createdAt;
  return header;
}

/** `20250119_123456`, `20250119T123456000Z`. The first is local time, as the program writes it. */
function momentInName(name: string): number | undefined {
  const found = /_(\d{4})(\d\d)(\d\d)[_T-]?(\d\d)(\d\d)(\d\d)(\d{3})?(Z)?(?:-\d+)?\.json$/.exec(name);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, milliseconds = '000', zone = ''] = found;
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone}`);
  return Number.isNaN(moment) ? undefined : moment;
}

async function createSource(path: string, head: Buffer): Promise<TranscriptSource> {
  const own = wordIn(fieldsAtBeginning(head)?.fields ?? {}, 'id');
  const id = own ?? `${basename(path, '.json')}-${await findSeed(path, places)}`;
  return { type: 'source', id, path, ...(await measureFiles([path])) };
}

function isSavedSession(head: Buffer, path: string): boolean {
  const document = fieldsAtBeginning(head);
  if (!document || document.isList) return false;
  const { fields } = document;
  if ('file_prefix' in fields) return 'saved_at' in fields && 'version' in fields;
  const isState = 'model_name' in fields && (listIn(fields, 'messages').length > 0 || sessionName.test(basename(path)));
  return isState && !('teamId' in fields) && !('sessionId' in fields);
}
