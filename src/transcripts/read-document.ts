// Reads a session that is one JSON document with a list of messages: what is around the list first, then one message at a time, so that the
// memory of one message is enough. A document is read from its beginning whenever it has changed; one that was cut off is read up to the
// cut, and then fails.
import { ContinuoError } from '../model/error.ts';
import { type Fields, isFields } from './fields.ts';
import { parseBeginning } from './json-beginning.ts';
import { cutItems, JsonItems, parseItem } from './json-items.ts';
import { SessionBytes } from './session-bytes.ts';
import type { ReadTranscriptOptions, TranscriptHeader, TranscriptItem } from './transcript-format.ts';

export interface DocumentShape {
  /** The ways to the list of messages. */
  places: readonly (readonly string[])[];
  /** From what is around the list. Throws where the document must not be read. */
  begin(document: Fields): DocumentReader;
}

export interface DocumentReader {
  header: TranscriptHeader;
  /** A message as items; what it throws is a note. */
  take(message: unknown, number: number): readonly TranscriptItem[];
  /** What is left when all messages were taken. */
  end?(): readonly TranscriptItem[];
}

export const mostItemBytes = 32 * 1024 * 1024;

export async function* readDocument(
  path: string,
  options: ReadTranscriptOptions,
  shape: DocumentShape,
): AsyncGenerator<TranscriptItem> {
  const { signal, mostLineBytes: mostBytes = mostItemBytes } = options;
  const bytes = await SessionBytes.open(path);
  try {
    const around = new JsonItems({ places: shape.places, mostBytes, isRestOnly: true });
    for await (const chunk of bytes.from(0, signal)) {
      around.push(chunk);
      if (around.isList) break;
    }
    const document = parseBeginning(around.rest ?? '');
    const reader = shape.begin(isFields(document) ? document : {});
    yield { type: 'header', header: reader.header, ...(options.from && { resumed: false }) };
    if (around.rest === undefined) yield { type: 'skipped', reason: 'too-long', what: 'document' };
    else if (!around.isList && !isFields(document)) yield { type: 'skipped', reason: 'broken', what: 'not a session' };
    const items = new JsonItems({ places: shape.places, mostBytes });
    for await (const group of cutItems(bytes.from(0, signal), items))
      for (const item of group) {
        const value = parseItem(item);
        if (item.bytes === undefined) yield { type: 'skipped', reason: 'too-long', what: 'message' };
        else if (value === undefined) yield { type: 'skipped', reason: 'broken', what: 'not JSON' };
        // Not `yield*`, which costs several turns of the event loop for each.
        else for (const each of translate(reader, value, item.number)) yield each;
      }
    yield* reader.end?.() ?? [];
    // Without a checkpoint: it is tried again, and told again, until it is whole.
    if (!items.isWhole) throw new ContinuoError('io-failed', { path, reason: 'it ends in the middle' });
    yield { type: 'checkpoint', checkpoint: { document: true } };
  } finally {
    await bytes.close();
  }
}

/** The first messages, until one is enough. */
export async function readFirstMessages(
  path: string,
  places: DocumentShape['places'],
  isEnough: (message: unknown) => boolean,
): Promise<void> {
  const bytes = await SessionBytes.open(path);
  try {
    const items = new JsonItems({ places, mostBytes: mostItemBytes });
    for await (const group of cutItems(bytes.from(0), items)) for (const item of group) if (isEnough(parseItem(item))) return;
  } finally {
    await bytes.close();
  }
}

function translate(reader: DocumentReader, message: unknown, number: number): readonly TranscriptItem[] {
  try {
    return reader.take(message, number);
  } catch {
    return [{ type: 'skipped', reason: 'broken', what: 'message' }];
  }
}
