// Reads a session of Continue: one JSON object, written anew with every change, so that it is read as a whole each time and what is stored is
// known by its ids. Nothing in it has a moment or an id of its own but calls: ids are made from who said what, for the how manieth time.
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Fields, isFields, listIn, momentIn, objectIn, parseObject, textIn, wordIn } from '../fields.ts';
import { readWholeText } from '../session-bytes.ts';
import { readBeside } from '../session-folder.ts';
import type { ReadTranscriptOptions, TranscriptHeader, TranscriptItem, TranscriptSource } from '../transcript-format.ts';
import { readHistoryItem } from './continue-history.ts';

export const indexName = 'sessions.json';
const defaultMostBytes = 32 * 1024 * 1024;
const mostIndexBytes = 8 * 1024 * 1024;
const untitled = /^(?:Untitled|New) Session$/i;

export async function* readContinueSession(
  source: TranscriptSource,
  { from, signal, mostLineBytes = defaultMostBytes }: ReadTranscriptOptions = {},
): AsyncGenerator<TranscriptItem> {
  const text = await readWholeText(source.path, mostLineBytes, signal);
  const session = text === undefined ? undefined : parseObject(text);
  const header = session ? await readHeader(source, session) : {};
  yield { type: 'header', header, ...(from && { resumed: false }) };
  if (!session) {
    // No checkpoint: what is half written now is read again, whatever size it had.
    yield {
      type: 'skipped',
      reason: text === undefined ? 'too-long' : 'broken',
      what: text === undefined ? 'file' : 'not a session',
    };
    return;
  }
  const history = listIn(session, 'history');
  const origin = textIn(from ?? {}, 'origin') ?? findOrigin(source.id, history);
  const ids = new SaidIds(origin);
  const answered = new Set<string>();
  let model: string | undefined;
  for (const [index, item] of history.entries()) {
    signal?.throwIfAborted();
    if (!isFields(item)) {
      yield { type: 'skipped', reason: 'broken', what: 'history item', line: index + 1 };
      continue;
    }
    const read = readHistoryItem(item, answered);
    if (read.model !== undefined && read.model !== model) yield { type: 'header', header: { model: read.model } };
    model = read.model ?? model;
    for (const said of read.said) {
      if ('reason' in said) yield { type: 'skipped', ...said };
      else yield { type: 'entry', id: ids.create(said.mark), entry: said.entry };
    }
  }
  yield { type: 'checkpoint', checkpoint: { origin } };
}

async function readHeader({ id, path }: TranscriptSource, session: Fields): Promise<TranscriptHeader> {
  const index = await readBeside(join(dirname(path), indexName), mostIndexBytes);
  const listed = parseObject(`{"sessions":${index?.text ?? '[]'}}`) ?? {};
  const entry = listIn(listed, 'sessions').find((each) => isFields(each) && each.sessionId === id);
  const facts = isFields(entry) ? entry : {};
  const created = wordIn(facts, 'dateCreated');
  const createdAt = momentIn({ created: created !== undefined && /^\d+$/.test(created) ? Number(created) : created }, 'created');
  const title = [session, facts].map((each) => wordIn(each, 'title')).find((each) => each !== undefined && !untitled.test(each));
  const cwd = toPath(wordIn(session, 'workspaceDirectory') ?? wordIn(facts, 'workspaceDirectory'));
  return {
    ...(title !== undefined && { title }),
    ...(cwd !== undefined && { cwd }),
    ...(createdAt !== undefined && { createdAt }),
  };
}

/** Editors write a folder as a URL. */
function toPath(folder: string | undefined): string | undefined {
  if (!folder?.startsWith('file://')) return folder;
  try {
    return fileURLToPath(folder);
  } catch {
    return undefined;
  }
}

/**
 * What a session and its copies have in common, and no other: the first call in its first answer. The checkpoint keeps it, because a session
 * may get one only later.
 */
function findOrigin(id: string, history: readonly unknown[]): string {
  for (const item of history) {
    const message = isFields(item) ? objectIn(item, 'message') : {};
    if (message.role !== 'assistant') continue;
    const [call] = listIn(message, 'toolCalls');
    return (isFields(call) ? wordIn(call, 'id') : undefined) ?? id;
  }
  return id;
}

class SaidIds {
  readonly #origin: string;
  readonly #counts = new Map<string, number>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  create(mark: string): string {
    const digest = createHash('sha256').update(`${this.#origin} ${mark}`).digest('hex').slice(0, 24);
    const count = (this.#counts.get(digest) ?? 0) + 1;
    this.#counts.set(digest, count);
    return count === 1 ? digest : `${digest}.${count}`;
  }
}
