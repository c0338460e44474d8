// Qwen Code: `<home>/projects/<folder>/chats/<session>.jsonl`, put away ones in `chats/archive`, sub-agents in
// `<home>/projects/<folder>/subagents/<session>/agent-<agent>.jsonl` with a `.meta.json` beside each.
import { basename, dirname, join } from 'node:path';
import { parseObject, wordIn } from '../fields.ts';
import { kindOf, measureFiles, readHead, walkFiles } from '../session-folder.ts';
import type { Environment, SkippedNote, TranscriptFormat, TranscriptSource } from '../transcript-format.ts';
import { readQwenSession } from './read-qwen-session.ts';
import { writeQwenSession } from './write-qwen-session.ts';

export const qwenFormat: TranscriptFormat = {
  name: 'qwen',
  label: 'Qwen Code',
  roots: (env: Environment, homeFolder: string) => {
    const home = env.QWEN_HOME || join(homeFolder, '.qwen');
    return [...new Set([env.QWEN_RUNTIME_DIR || home, home])].map((folder) => join(folder, 'projects'));
  },
  layout: {
    place: /\/(?:chats\/(?:archive\/)?[0-9a-f-]{32,36}|subagents\/[0-9a-f-]{32,36}\/agent-[^/]+)\.jsonl$/i,
    name: /^[0-9a-f-]{32,36}\.jsonl$/i,
  },
  detect: ({ path, head }) => path.endsWith('.jsonl') && recordsIn(head).some(isQwenRecord),
  discover: discoverSessions,
  read: readQwenSession,
  write: writeQwenSession,
  // Found by its id in its own folder only.
  resumeCommand: ({ id, cwd }) => ({ command: 'qwen', args: ['--resume', id], ...(cwd !== undefined && { cwd }) }),
};

const sessionName = /^[0-9a-f-]{32,36}\.jsonl$/i;
const agentName = /^agent-(.+)\.jsonl$/;

async function* discoverSessions(
  root: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<TranscriptSource | SkippedNote> {
  if ((await kindOf(root)) === 'file') return yield await createSource(root);
  for await (const item of walkFiles(root, { signal })) {
    if (item.type === 'skipped') {
      yield item;
      continue;
    }
    const folder = basename(dirname(item.path));
    const isSession = (folder === 'chats' || folder === 'archive') && sessionName.test(item.name);
    if (isSession || isAgent(item.path)) yield await createSource(item.path);
  }
}

async function createSource(path: string): Promise<TranscriptSource> {
  const stem = path.slice(0, -'.jsonl'.length);
  const agent = isAgent(path) ? agentName.exec(basename(path))?.[1] : undefined;
  const session = agent === undefined ? ((await sessionIdIn(path)) ?? basename(stem)) : basename(dirname(path));
  const measures = await measureFiles([path, `${stem}.meta.json`]);
  return { type: 'source', id: agent === undefined ? session : `${session}/${agent}`, path, ...measures };
}

function isAgent(path: string): boolean {
  return agentName.test(basename(path)) && basename(dirname(dirname(path))) === 'subagents';
}

/** A session is named by its file; a copy with another name says itself whose it is. */
async function sessionIdIn(path: string): Promise<string | undefined> {
  if (sessionName.test(basename(path))) return undefined;
  const head = await readHead(path).catch(() => Buffer.alloc(0));
  for (const record of recordsIn(head)) {
    const id = wordIn(record, 'sessionId');
    if (id !== undefined) return id;
  }
  return undefined;
}

function recordsIn(head: Buffer) {
  const lines = head.toString('utf8').split('\n').slice(0, 50);
  return lines.map(parseObject).filter((record) => record !== undefined);
}

function isQwenRecord(record: Record<string, unknown>): boolean {
  if (typeof record.sessionId !== 'string' || typeof record.uuid !== 'string' || !('parentUuid' in record)) return false;
  const { message } = record;
  if (typeof message === 'object' && message !== null) return Array.isArray((message as { parts?: unknown }).parts);
  return 'provenance' in record || 'systemPayload' in record;
}
