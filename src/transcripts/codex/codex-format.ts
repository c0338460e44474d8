// Codex: `<home>/sessions/YYYY/MM/DD/rollout-<local time>-<id>.jsonl`, archived ones in `<home>/archived_sessions`, old ones packed with
// zstd. Titles are in `<home>/session_index.jsonl`, where the last line of a session counts.
import { basename, dirname, join } from 'node:path';
import { objectIn, parseObject, wordIn } from '../fields.ts';
import { kindOf, measureFiles, readBeside, readHead, walkFiles } from '../session-folder.ts';
import type { Environment, SkippedNote, TranscriptFormat, TranscriptSource } from '../transcript-format.ts';
import { sessionsFolder, titleIndex } from './codex-home.ts';
import { readCodexSession } from './read-codex-session.ts';
import { writeCodexSession } from './write-codex-session.ts';

export const codexFormat: TranscriptFormat = {
  name: 'codex',
  label: 'Codex',
  roots: (env: Environment, homeFolder: string) => {
    const home = env.CODEX_HOME || join(homeFolder, '.codex');
    return [join(home, sessionsFolder), join(home, 'archived_sessions')];
  },
  detect: ({ path, head }) => rolloutName.test(basename(path)) || metaIdIn(head) !== undefined,
  discover: discoverSessions,
  read: readCodexSession,
  write: writeCodexSession,
  resumeCommand: ({ id, cwd }) => ({ command: 'codex', args: ['resume', id], ...(cwd !== undefined && { cwd }) }),
};

const rolloutName = /^rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(\.zst)?$/i;
const mostIndexBytes = 32 * 1024 * 1024;
/** From `sessions/YYYY/MM/DD` up to the home. */
const mostSteps = 5;

async function* discoverSessions(
  root: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<TranscriptSource | SkippedNote> {
  const titles = await readTitles(root);
  if ((await kindOf(root)) === 'file') {
    const named = rolloutName.exec(basename(root))?.[1];
    const id = named ?? metaIdIn(await readHead(root)) ?? basename(root).replace(/\.jsonl(\.zst)?$/, '');
    return yield await createSource(root, id, titles);
  }
  let before: string | undefined;
  for await (const item of walkFiles(root, { signal })) {
    if (item.type === 'skipped') {
      yield item;
      continue;
    }
    const id = rolloutName.exec(item.name)?.[1];
    // While a file is being packed it is there twice, one name right after the other.
    if (id !== undefined && item.path !== `${before}.zst`) yield await createSource(item.path, id, titles);
    before = item.path;
  }
}

async function createSource(path: string, id: string, titles: ReadonlyMap<string, string>): Promise<TranscriptSource> {
  const title = titles.get(id);
  return { type: 'source', id, path, ...(await measureFiles([path])), ...(title !== undefined && { title }) };
}

async function readTitles(root: string): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  let folder = root;
  for (let step = 0; step < mostSteps; step += 1) {
    const index = await readBeside(join(folder, titleIndex), mostIndexBytes);
    for (const line of index?.text.split('\n') ?? []) {
      const record = parseObject(line) ?? {};
      const id = wordIn(record, 'id');
      const title = wordIn(record, 'thread_name');
      if (id !== undefined && title !== undefined) titles.set(id, title);
    }
    if (index) break;
    folder = dirname(folder);
  }
  return titles;
}

/** The id in the first line, where that is a session's. It can be longer than what was read of it. */
function metaIdIn(head: Buffer): string | undefined {
  const line = head.toString('utf8').split('\n', 1)[0] ?? '';
  const record = parseObject(line);
  if (record) return record.type === 'session_meta' ? wordIn(objectIn(record, 'payload'), 'id') : undefined;
  return /"type":"session_meta"/.test(line) ? /"id":"([^"]+)"/.exec(line)?.[1] : undefined;
}
