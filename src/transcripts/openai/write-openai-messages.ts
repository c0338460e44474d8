// Writes a conversation as the body of a request to OpenAI's chat completions: model, messages, and what else is known in `metadata`, which
// such a request may carry. The file can be posted as it is.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { OutgoingSession, WriteTarget, WrittenTranscript } from '../transcript-format.ts';
import { LostEntries, writeTextFile } from '../write-session-file.ts';
import { type OpenAiMessage, OpenAiMessageList } from './openai-messages.ts';

/** The longest value a request may have there. */
const longestValue = 512;

export async function writeOpenAiMessages(
  session: OutgoingSession,
  { root, id = randomUUID() }: WriteTarget,
): Promise<WrittenTranscript> {
  const path = join(root, `${id}.json`);
  const lost = new LostEntries();
  let entries = 0;
  const count = (isCarried: boolean, kind: string) => {
    if (isCarried) entries += 1;
    else lost.add(kind);
  };
  await writeTextFile(path, formatRequest(session, id, count));
  return { id, files: [path], entries, lost: lost.counts };
}

async function* formatRequest(
  { title, cwd, branch, model, createdAt, entries }: OutgoingSession,
  id: string,
  count: (isCarried: boolean, kind: string) => void,
): AsyncGenerator<string> {
  const known = { session_id: id, title, cwd, branch, created_at: new Date(createdAt).toISOString() };
  const metadata = Object.fromEntries(
    Object.entries(known).map(([name, value]) => [name, value?.slice(0, longestValue).toWellFormed()]),
  );
  const head = JSON.stringify({ model, metadata });
  yield `${head.slice(0, -1)},"messages":[\n`;
  let separator = '';
  for await (const message of groupMessages(entries, count)) {
    yield separator + JSON.stringify(message);
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** Each message when nothing can be added to it any more. */
async function* groupMessages(
  entries: OutgoingSession['entries'],
  count: (isCarried: boolean, kind: string) => void,
): AsyncGenerator<OpenAiMessage> {
  let list = new OpenAiMessageList();
  for await (const entry of entries) {
    const isCarried = entry.kind === 'message' || entry.kind === 'tool-call' || entry.kind === 'tool-result';
    count(isCarried, entry.kind);
    if (!isCarried) continue;
    list.push(entry);
    if (list.messages.length < 2) continue;
    const [first] = list.messages;
    if (first) yield first;
    list = new OpenAiMessageList();
    list.push(entry);
  }
  yield* list.messages;
}
