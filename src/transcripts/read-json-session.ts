// Reads a session that is a file of JSON lines: a format only says what each record means and what it must remember between two readings.
import type { JsonObject } from '../base/json.ts';
import { ContinuoError } from '../model/error.ts';
import type { Fields } from './fields.ts';
import { JsonLines, type JsonLinesOptions, type JsonRecord } from './json-lines.ts';
import type { TranscriptHeader, TranscriptItem } from './transcript-format.ts';

export interface RecordReader {
  /** One record as items. At once wherever it can be: a promise per record costs more than the record. */
  take(record: JsonRecord): readonly TranscriptItem[] | Promise<readonly TranscriptItem[]>;
  /** What the next reading goes on with; small, and without names a secret could have (`token`, `key`). */
  state(): JsonObject;
}

export interface JsonSessionOptions extends JsonLinesOptions {
  /** What is known of the session before its first record. */
  header?: () => TranscriptHeader | Promise<TranscriptHeader>;
}

/**
 * `begin` gets the state of the last reading, an empty one at the beginning. To be returned by a format, not to be delegated to: each
 * `yield*` on the way costs several turns of the event loop for every entry.
 */
export async function* readJsonSession(
  path: string,
  options: JsonSessionOptions,
  begin: (state: Fields, header: TranscriptHeader) => RecordReader,
): AsyncGenerator<TranscriptItem> {
  const header = (await options.header?.()) ?? {};
  const lines = await JsonLines.open(path, options);
  try {
    const reader = begin(lines.state, header);
    const isBehind = options.from !== undefined && !lines.resumed;
    yield { type: 'header', header, ...(isBehind && { resumed: false }) };
    for await (const group of lines.groups()) {
      for (const each of group) {
        if (each.type === 'skipped') {
          yield each;
          continue;
        }
        const items = translate(each, reader);
        for (const item of items instanceof Promise ? await items : items) yield item;
      }
      yield lines.checkpoint(reader.state());
    }
    yield lines.checkpoint(reader.state());
  } finally {
    await lines.close();
  }
}

/** Whatever a record does to its reader, the others are read. */
function translate(record: JsonRecord, reader: RecordReader): readonly TranscriptItem[] | Promise<readonly TranscriptItem[]> {
  try {
    const items = reader.take(record);
    return items instanceof Promise ? items.catch((error: unknown) => noteFor(record, error)) : items;
  } catch (error) {
    return noteFor(record, error);
  }
}

function noteFor({ line }: JsonRecord, error: unknown): TranscriptItem[] {
  if (error instanceof ContinuoError) throw error;
  return [{ type: 'skipped', reason: 'broken', what: 'record', line }];
}
