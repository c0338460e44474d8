// pi: `<agent>/sessions/--<folder>--/<UTC moment>_<session>.jsonl`; the folder's name is the project's with dashes for slashes.
import { basename, join } from 'node:path';
import { parseObject, wordIn } from '../fields.ts';
import { kindOf, measureFiles, readHead, walkFiles } from '../session-folder.ts';
import type { Environment, SkippedNote, TranscriptFormat, TranscriptSource } from '../transcript-format.ts';
import { readPiSession, sessionName } from './read-pi-session.ts';
import { writePiSession } from './write-pi-session.ts';

export const piFormat: TranscriptFormat = {
  name: 'pi',
  label: 'pi',
  roots: (env: Environment, homeFolder: string) => {
    const usual = join(env.PI_CODING_AGENT_DIR || join(homeFolder, '.pi', 'agent'), 'sessions');
    return [...new Set([env.PI_CODING_AGENT_SESSION_DIR || usual, usual])];
  },
  layout: { place: /\/\d{4}-\d\d-\d\dT[\d-]+Z_[^/]+\.jsonl$/ },
  detect: ({ path, head }) => path.endsWith('.jsonl') && sessionIdIn(head) !== undefined,
  discover: discoverSessions,
  read: readPiSession,
  write: writePiSession,
  // By its file it is found from everywhere; by its id pi would ask whether to copy it.
  resumeCommand: ({ id, cwd, path }) => ({
    command: 'pi',
    args: ['--session', path ?? id],
    ...(cwd !== undefined && { cwd }),
  }),
};

async function* discoverSessions(
  root: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<TranscriptSource | SkippedNote> {
  if ((await kindOf(root)) === 'file') {
    const named = sessionName.exec(basename(root))?.[1];
    const id = named ?? sessionIdIn(await readHead(root).catch(() => Buffer.alloc(0))) ?? basename(root, '.jsonl');
    return yield await createSource(root, id);
  }
  for await (const item of walkFiles(root, { signal })) {
    if (item.type === 'skipped') {
      yield item;
      continue;
    }
    const id = sessionName.exec(item.name)?.[1];
    if (id !== undefined) yield await createSource(item.path, id);
  }
}

async function createSource(path: string, id: string): Promise<TranscriptSource> {
  return { type: 'source', id, path, ...(await measureFiles([path])) };
}

/** The id in the first line, where that is a session's. */
function sessionIdIn(head: Buffer): string | undefined {
  const record = parseObject(head.toString('utf8').split('\n', 1)[0] ?? '');
  return record?.type === 'session' && typeof record.cwd === 'string' ? wordIn(record, 'id') : undefined;
}
