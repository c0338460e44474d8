// Claude Code: `<config>/projects/<folder>/<session>.jsonl`, sub-agents and large tool results in a folder of the session's name beside it.
import { basename, dirname, join } from 'node:path';
import { isFields, parseObject, wordIn } from '../fields.ts';
import { kindOf, measureFiles, readHead, walkFiles } from '../session-folder.ts';
import type { Environment, SkippedNote, TranscriptFormat, TranscriptSource } from '../transcript-format.ts';
import { readClaudeSession } from './read-claude-session.ts';
import { writeClaudeSession } from './write-claude-session.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const uuidName = new RegExp(`^${uuid}\\.jsonl$`, 'i');

export const claudeCodeFormat: TranscriptFormat = {
  name: 'claude-code',
  label: 'Claude Code',
  roots: (env: Environment, homeFolder: string) => [join(env.CLAUDE_CONFIG_DIR || join(homeFolder, '.claude'), 'projects')],
  layout: {
    place: new RegExp(`/projects/[^/]+/(?:${uuid}\\.jsonl|(?:${uuid}/subagents/)?agent-[^/]+\\.jsonl)$`, 'i'),
    name: uuidName,
  },
  detect: ({ path, head }) => path.endsWith('.jsonl') && recordsIn(head).some(isClaudeRecord),
  discover: discoverSessions,
  read: readClaudeSession,
  write: writeClaudeSession,
  resumeCommand: ({ id, cwd }) => ({ command: 'claude', args: ['--resume', id], ...(cwd !== undefined && { cwd }) }),
};

const agentName = /^agent-(.+)\.jsonl$/;
const headerTypes = new Set(['queue-operation', 'custom-title', 'last-prompt', 'permission-mode', 'file-history-snapshot']);

async function* discoverSessions(
  root: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<TranscriptSource | SkippedNote> {
  if ((await kindOf(root)) === 'file') {
    const id = agentName.test(basename(root)) ? await subAgentId(root) : ((await sessionIdIn(root)) ?? basename(root, '.jsonl'));
    return yield await createSource(root, id);
  }
  for await (const item of walkFiles(root, { signal })) {
    if (item.type === 'skipped') yield item;
    else if (uuidName.test(item.name)) yield await createSource(item.path, basename(item.name, '.jsonl'));
    else if (agentName.test(item.name)) yield await createSource(item.path, await subAgentId(item.path));
  }
}

async function createSource(path: string, id: string): Promise<TranscriptSource> {
  const stem = path.slice(0, -'.jsonl'.length);
  const measures = await measureFiles([path, join(stem, 'custom-title.json'), `${stem}.meta.json`]);
  return { type: 'source', id, path, ...measures };
}

/** `<session>/<agent>`. The session is the folder's name, or for files of older versions what their records say. */
async function subAgentId(path: string): Promise<string> {
  const agent = agentName.exec(basename(path))?.[1] ?? basename(path, '.jsonl');
  const isBeside = basename(dirname(path)) === 'subagents';
  const session = isBeside ? basename(dirname(dirname(path))) : await sessionIdIn(path);
  return session === undefined ? agent : `${session}/${agent}`;
}

async function sessionIdIn(path: string): Promise<string | undefined> {
  const head = await readHead(path).catch(() => Buffer.alloc(0));
  for (const record of recordsIn(head)) {
    const id = isFields(record) ? wordIn(record, 'sessionId') : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

function recordsIn(head: Buffer) {
  const lines = head.toString('utf8').split('\n').slice(0, 50);
  return lines.map(parseObject).filter((record) => record !== undefined);
}

function isClaudeRecord(record: Record<string, unknown>): boolean {
  if (typeof record.sessionId !== 'string' || typeof record.type !== 'string') return false;
  return headerTypes.has(record.type) || ('parentUuid' in record && 'userType' in record && !('provenance' in record));
}
