// agent-chatter: `~/.agent-chatter/sessions/<team>/<moment>-<session>.json`, one snapshot a session, written anew at each save. The form is that
// of this program's own teams (docs/formats/session-snapshot.md) and is read by the same rules, old names of speakers included.
import { basename, dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isContinuoError } from '../../model/error.ts';
import { damagedAt, upgradeDocument } from '../../snapshot/envelope.ts';
import { readHead, readMessage, snapshotFormat } from '../../snapshot/read-snapshot.ts';
import type { ConversationMessage } from '../../snapshot/session-snapshot.ts';
import { type Fields, isFields, objectIn, wordIn } from '../fields.ts';
import { fieldsAtBeginning } from '../json-beginning.ts';
import { digestOf } from '../message-digests.ts';
import { type DocumentReader, readDocument } from '../read-document.ts';
import { discoverDocuments } from '../session-documents.ts';
import { measureFiles } from '../session-folder.ts';
import type {
  Environment,
  ReadTranscriptOptions,
  TranscriptFormat,
  TranscriptItem,
  TranscriptSource,
} from '../transcript-format.ts';

export const agentChatterFormat: TranscriptFormat = {
  name: 'agent-chatter',
  label: 'agent-chatter',
  roots: (_env: Environment, homeFolder: string) => [join(homeFolder, '.agent-chatter', 'sessions')],
  layout: { place: /\/\.agent-chatter\/sessions\/.+\.json$/, name: /^\d[\dTZ.:_-]*-.+\.json$/ },
  detect: ({ path, head }) => path.endsWith('.json') && isSnapshot(head),
  discover: (root, { signal, anywhere = false } = {}) =>
    discoverDocuments(root, { accepts: isSnapshot, createSource, signal, anywhere }),
  read: readSnapshotFile,
};

/** Snapshots without a version have their messages at the top. */
const places = [['context', 'messages'], ['messages']] as const;

function readSnapshotFile({ id, path }: TranscriptSource, options: ReadTranscriptOptions = {}) {
  return readDocument(path, options, { places, begin: (document) => new SnapshotReader(document, id, path) });
}

class SnapshotReader implements DocumentReader {
  readonly header: DocumentReader['header'] = {};
  readonly #session: string;
  readonly #path: string;
  /** The team's task is no message; where it changes, the new one is another label. */
  #task: TranscriptItem[] = [];

  constructor(document: Fields, session: string, path: string) {
    this.#session = session;
    this.#path = path;
    const upgraded = upgrade(document, path);
    const text = wordIn(objectIn(upgraded, 'context'), 'teamTask');
    try {
      const { createdAt, metadata } = readHead(upgraded, damagedAt(path));
      this.header.createdAt = Date.parse(createdAt);
      if (metadata.summary !== undefined) this.header.title = metadata.summary;
    } catch {
      // The moments of the messages are enough.
    }
    if (text === undefined) return;
    const { createdAt: at } = this.header;
    const entry = { kind: 'label', name: 'team-task', text, ...(at !== undefined && { at }) } as const;
    this.#task = [{ type: 'entry', id: `${session}:task:${digestOf(text)}`, entry }];
  }

  take(message: unknown, number: number): TranscriptItem[] {
    const read = readMessage(message as JsonValue, number - 1, damagedAt(this.#path));
    if (read.content.trim() === '') return [{ type: 'skipped', reason: 'empty', what: 'message' }];
    return [...this.end(), { type: 'entry', id: `${this.#session}:${read.id}`, entry: toEntry(read) }];
  }

  end(): TranscriptItem[] {
    const task = this.#task;
    this.#task = [];
    return task;
  }
}

/** Throws `session-newer` where nobody here knows the version. What else is wrong with a snapshot leaves its messages as they are. */
function upgrade(document: Fields, path: string): JsonObject {
  const { context, teamTask = null, ...head } = document as JsonObject;
  const inside = isFields(context) ? (context as JsonObject) : { teamTask };
  const whole = { ...head, context: { ...inside, messages: [] } };
  try {
    return upgradeDocument(whole, snapshotFormat, path);
  } catch (error) {
    if (isContinuoError(error, 'session-newer')) throw error;
    return whole;
  }
}

function toEntry({ speaker, content: text, timestamp, routing, interrupted }: ConversationMessage) {
  return {
    kind: 'message',
    role: speaker.type === 'human' ? 'user' : speaker.type === 'system' ? 'system' : 'assistant',
    text,
    author: { id: speaker.id, name: speaker.displayName ?? speaker.name },
    at: Date.parse(timestamp),
    ...(interrupted && { interrupted }),
    meta: { team: { ...routing, speaker: { ...speaker } } },
  } as const;
}

async function createSource(path: string, head: Buffer): Promise<TranscriptSource> {
  const fields = fieldsAtBeginning(head)?.fields ?? {};
  const named = /^\d[\dTZ.:_-]*?-(.+)$/.exec(basename(path, '.json'))?.[1];
  const session = wordIn(fields, 'sessionId') ?? named ?? basename(path, '.json');
  const team = wordIn(fields, 'teamId') ?? basename(dirname(path));
  return { type: 'source', id: `${team}:${session}`, path, ...(await measureFiles([path])) };
}

function isSnapshot(head: Buffer): boolean {
  const document = fieldsAtBeginning(head);
  if (!document || document.isList) return false;
  const { fields } = document;
  const hasMessages = 'context' in fields || 'messages' in fields || 'schemaVersion' in fields;
  return wordIn(fields, 'teamId') !== undefined && wordIn(fields, 'sessionId') !== undefined && hasMessages;
}
