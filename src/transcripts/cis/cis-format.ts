// CIS: one database for all conversations, `conversations.db` in its data folder. The tables conversations and conversation_messages are read;
// vectors are none of our business.
import { basename } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import { isDatabaseHead } from '../foreign-database.ts';
import { kindOf, walkFiles } from '../session-folder.ts';
import type {
  ReadTranscriptOptions,
  SkippedNote,
  TranscriptFormat,
  TranscriptItem,
  TranscriptSource,
} from '../transcript-format.ts';
import { CisDatabase } from './cis-database.ts';
import { readRow, readSummary } from './cis-rows.ts';

export const cisFormat: TranscriptFormat = {
  name: 'cis',
  label: 'CIS',
  // Its data folder is where it was installed.
  roots: () => [],
  detect: ({ path, head }) => isDatabaseHead(head) && (basename(path) === databaseName || hasTables(head)),
  discover: discoverConversations,
  read: readConversation,
};

const databaseName = 'conversations.db';
const mostMessageBytes = 32 * 1024 * 1024;

async function* discoverConversations(
  root: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<TranscriptSource | SkippedNote> {
  if ((await kindOf(root)) === 'file') return yield* listConversations(root, signal);
  for await (const item of walkFiles(root, { signal })) {
    if (item.type === 'skipped') yield item;
    else if (item.name === databaseName) yield* listConversations(item.path, signal);
  }
}

/** What is wrong with a whole database is a note: other files' sessions are found all the same. */
async function* listConversations(path: string, signal: AbortSignal | undefined): AsyncGenerator<TranscriptSource | SkippedNote> {
  let database: CisDatabase | undefined;
  try {
    database = await CisDatabase.open(path);
    for (const { id, size, modifiedAt } of database.conversations()) {
      signal?.throwIfAborted();
      yield { type: 'source', id, path, part: id, size, modifiedAt };
    }
  } catch (error) {
    signal?.throwIfAborted();
    const what = error instanceof ContinuoError ? `database (${error.code})` : 'database';
    yield { type: 'skipped', reason: 'broken', what, path };
  } finally {
    await database?.close();
  }
}

/** Messages are known by their ids: what changed is read whole. */
async function* readConversation(source: TranscriptSource, options: ReadTranscriptOptions = {}): AsyncGenerator<TranscriptItem> {
  const { from, signal, mostLineBytes: mostBytes = mostMessageBytes } = options;
  const id = source.part ?? source.id;
  const database = await CisDatabase.open(source.path);
  try {
    const conversation = database.conversation(id);
    const { createdAt, cwd } = conversation ?? {};
    const header = { ...(createdAt !== undefined && { createdAt }), ...(cwd !== undefined && { cwd }) };
    yield { type: 'header', header, ...(from && { resumed: false }) };
    for (const page of database.messages(id, mostBytes)) {
      signal?.throwIfAborted();
      for (const row of page) yield readRow(row, id);
    }
    if (conversation) yield* readSummary(conversation);
    yield { type: 'checkpoint', checkpoint: { rows: true } };
  } finally {
    await database.close();
  }
}

/** In the first pages, where SQLite keeps what tables there are. */
function hasTables(head: Buffer): boolean {
  const text = head.toString('latin1');
  return (
    /CREATE TABLE (?:IF NOT EXISTS )?["`[]?conversation_messages\b/.test(text) &&
    /CREATE TABLE (?:IF NOT EXISTS )?["`[]?conversations\b/.test(text)
  );
}
