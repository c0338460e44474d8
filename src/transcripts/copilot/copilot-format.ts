// GitHub Copilot CLI: `<home>/session-state/<id>/events.jsonl`, what was said by sub-agents among it, and workspace.yaml with the title
// beside it.
import { basename, dirname, join } from 'node:path';
import { objectIn, parseObject, wordIn } from '../fields.ts';
import { kindOf, measureFiles, readBeside, readHead, walkFiles } from '../session-folder.ts';
import type { DiscoverOptions, Environment, SkippedNote, TranscriptFormat, TranscriptSource } from '../transcript-format.ts';
import { findSubAgents } from './copilot-sub-agents.ts';
import { readCopilotSession } from './read-copilot-session.ts';

export const copilotFormat: TranscriptFormat = {
  name: 'copilot',
  label: 'GitHub Copilot CLI',
  roots: (env: Environment, homeFolder: string) => [join(env.COPILOT_HOME || join(homeFolder, '.copilot'), 'session-state')],
  layout: { place: /\/(?:session-state\/[^/]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/events\.jsonl$/i },
  detect: ({ path, head }) => path.endsWith('.jsonl') && startOf(head) !== undefined,
  discover: discoverSessions,
  read: readCopilotSession,
  // A sub-agent is gone on with in the session that started it.
  resumeCommand: ({ id, cwd }) => ({
    command: 'copilot',
    args: [`--resume=${id.split('/', 1)[0]}`],
    ...(cwd !== undefined && { cwd }),
  }),
};

const mostBeside = 64 * 1024;
/** `session-state/<id>/events.jsonl`; deeper are files of the sessions' own. */
const depth = 2;

async function* discoverSessions(
  root: string,
  { signal, anywhere = false }: DiscoverOptions = {},
): AsyncGenerator<TranscriptSource | SkippedNote> {
  if ((await kindOf(root)) === 'file') {
    const id = startOf(await readHead(root)) ?? basename(dirname(root));
    return yield* createSources(root, id, signal);
  }
  for await (const item of walkFiles(root, { depth: anywhere ? undefined : depth, signal })) {
    if (item.type === 'skipped') yield item;
    else if (item.name === 'events.jsonl') yield* createSources(item.path, basename(dirname(item.path)), signal);
  }
}

async function* createSources(path: string, id: string, signal: AbortSignal | undefined): AsyncGenerator<TranscriptSource> {
  const title = await readTitle(path);
  const measures = await measureFiles([path]);
  yield { type: 'source', id, path, ...measures, ...(title !== undefined && { title }) };
  for (const agent of await findSubAgents(path, signal))
    yield { type: 'source', id: `${id}/${agent}`, path, part: agent, ...measures };
}

/** One that somebody gave: any other name there is the beginning of the first prompt. */
async function readTitle(path: string): Promise<string | undefined> {
  const beside = await readBeside(join(dirname(path), 'workspace.yaml'), mostBeside);
  if (!beside || !/^user_named:\s*true\s*$/m.test(beside.text)) return undefined;
  const name = /^name:[ \t]*(\S.*?)[ \t\r]*$/m.exec(beside.text)?.[1];
  if (name === undefined || /^[|>]/.test(name)) return undefined;
  if (name.startsWith("'")) return name.slice(1, -1).replaceAll("''", "'");
  return name.startsWith('"') ? wordIn(parseObject(`{"name":${name}}`) ?? {}, 'name') : name;
}

/** The session's id in its first record. */
function startOf(head: Buffer): string | undefined {
  const record = parseObject(head.toString('utf8').split('\n', 1)[0] ?? '') ?? {};
  const data = objectIn(record, 'data');
  const isStart = record.type === 'session.start' && ('copilotVersion' in data || data.producer === 'copilot-agent');
  return isStart ? wordIn(data, 'sessionId') : undefined;
}
