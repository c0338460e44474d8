// Gemini CLI: `<home>/.gemini/tmp/<project>/chats/session-<UTC minute>-<first 8 of the id>.jsonl`, sub-agents in a folder of the session's id
// beside it, sessions of older versions as `.json`. Every session that is resumed leaves an empty one of the same id behind: no session.
import { basename, dirname, join } from 'node:path';
import { type Fields, isFields, listIn, parseObject, textIn, wordIn } from '../fields.ts';
import { kindOf, measureFiles, readHead, walkFiles } from '../session-folder.ts';
import {
  type Environment,
  headBytes,
  type SkippedNote,
  type TranscriptFormat,
  type TranscriptSource,
} from '../transcript-format.ts';
import { noiseIn } from './gemini-messages.ts';
import { partsOf, wordsOf } from './gemini-parts.ts';
import { readGeminiSession } from './read-gemini-session.ts';
import { writeGeminiSession } from './write-gemini-session.ts';

export const geminiFormat: TranscriptFormat = {
  name: 'gemini',
  label: 'Gemini CLI',
  roots: (env: Environment, homeFolder: string) => [join(env.GEMINI_CLI_HOME || homeFolder, '.gemini', 'tmp')],
  layout: { place: /\/chats\/(?:session-[^/]+\.jsonl?|[0-9a-f-]{36}\/[^/]+\.jsonl)$/, name: /^session-.+\.jsonl?$/ },
  detect: ({ path, head }) => /\.jsonl?$/.test(path) && headerIn(head) !== undefined,
  discover: discoverSessions,
  read: readGeminiSession,
  write: writeGeminiSession,
  // Found by its id in its own folder only.
  resumeCommand: ({ id, cwd }) => ({ command: 'gemini', args: ['--resume', id], ...(cwd !== undefined && { cwd }) }),
};

const sessionName = /^session-.+\.jsonl?$/;
const subAgentName = /^(.+)\.jsonl$/;

async function* discoverSessions(
  root: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<TranscriptSource | SkippedNote> {
  if ((await kindOf(root)) === 'file') return yield await createSource(root, new Set());
  const known = new Set<string>();
  for await (const item of walkFiles(root, { signal })) {
    if (item.type === 'skipped') {
      yield item;
      continue;
    }
    const folder = dirname(item.path);
    const isSession = basename(folder) === 'chats' && sessionName.test(item.name);
    if (isSession || (basename(dirname(folder)) === 'chats' && subAgentName.test(item.name)))
      yield await createSource(item.path, known);
  }
}

async function createSource(path: string, known: Set<string>): Promise<TranscriptSource | SkippedNote> {
  // Resumed by a newer version it goes on in a file of lines.
  if (path.endsWith('.json') && (await kindOf(`${path}l`)) === 'file')
    return { type: 'skipped', reason: 'repeat', what: 'session that was moved', path };
  const head = await readHead(path).catch(() => Buffer.alloc(0));
  if (isStub(head)) return { type: 'skipped', reason: 'empty', what: 'session without words', path };
  const stem = basename(path).replace(/\.jsonl?$/, '');
  const own = headerIn(head)?.id ?? stem;
  const folder = dirname(path);
  const parent = basename(dirname(folder)) === 'chats' ? `${basename(folder)}/` : '';
  const id = known.has(parent + own) ? `${parent}${own}~${stem}` : parent + own;
  known.add(id);
  return { type: 'source', id, path, ...(await measureFiles([path])) };
}

/** The session's id, where the file begins as one does. */
function headerIn(head: Buffer): { id: string } | undefined {
  const text = head.toString('utf8');
  const record = parseObject(text.split('\n', 1)[0] ?? '');
  if (record) {
    const id = wordIn(record, 'sessionId');
    return id !== undefined && typeof record.projectHash === 'string' ? { id } : undefined;
  }
  const id = /^\s*\{\s*"sessionId"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
  return id !== undefined && /"projectHash"\s*:/.test(text) ? { id } : undefined;
}

/** Whether nobody has said anything in it: known only of a file that is read whole. */
function isStub(head: Buffer): boolean {
  if (head.length >= headBytes) return false;
  const records = head.toString('utf8').split('\n').map(parseObject);
  if (records[0] === undefined || !('sessionId' in records[0])) return false;
  return !records.some((record) => record !== undefined && hasWords(record));
}

function hasWords(record: Fields): boolean {
  const holder = isFields(record.$set) ? record.$set : record;
  const messages = typeof record.id === 'string' ? [record] : listIn(holder, 'messages').filter(isFields);
  return messages.some((message) => {
    const text = wordsOf(partsOf(message.content));
    return textIn(message, 'type') === 'gemini' || (message.type === 'user' && text.trim() !== '' && noiseIn(text) === undefined);
  });
}
