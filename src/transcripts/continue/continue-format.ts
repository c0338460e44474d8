// Continue (`cn` and its editor extensions): `<home>/sessions/<id>.json`, written anew with every change, and an index beside them.
import { basename, join } from 'node:path';
import { kindOf, measureFiles, readHead, walkFiles } from '../session-folder.ts';
import type { DiscoverOptions, Environment, SkippedNote, TranscriptFormat, TranscriptSource } from '../transcript-format.ts';
import { indexName, readContinueSession } from './read-continue-session.ts';

const sessionName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/i;

export const continueFormat: TranscriptFormat = {
  name: 'continue',
  label: 'Continue',
  roots: (env: Environment, homeFolder: string) => [join(env.CONTINUE_GLOBAL_DIR || join(homeFolder, '.continue'), 'sessions')],
  layout: { place: /\/\.continue\/sessions\/(?!sessions\.json$)[^/]+\.json$/, name: sessionName, beside: indexName },
  detect: ({ path, head }) => path.endsWith('.json') && isSession(head),
  discover: discoverSessions,
  read: readContinueSession,
  // It resumes by id only as a copy: without one it takes the last session of any folder.
  resumeCommand: ({ id, cwd }) => ({ command: 'cn', args: ['--fork', id], ...(cwd !== undefined && { cwd }) }),
};

async function* discoverSessions(
  root: string,
  { signal, anywhere = false }: DiscoverOptions = {},
): AsyncGenerator<TranscriptSource | SkippedNote> {
  if ((await kindOf(root)) === 'file') {
    const named = /"sessionId"\s*:\s*"([^"\\]+)"/.exec((await readHead(root)).toString('utf8'))?.[1];
    return yield await createSource(root, named ?? basename(root, '.json'));
  }
  for await (const item of walkFiles(root, { depth: anywhere ? undefined : 0, signal })) {
    if (item.type === 'skipped') yield item;
    // Whoever lies elsewhere under another name says itself what its id is.
    else if (anywhere ? sessionName.test(item.name) : item.name.endsWith('.json') && item.name !== indexName)
      yield await createSource(item.path, basename(item.name, '.json'));
  }
}

async function createSource(path: string, id: string): Promise<TranscriptSource> {
  return { type: 'source', id, path, ...(await measureFiles([path])) };
}

/** An object whose first fields are those of a session. */
function isSession(head: Buffer): boolean {
  const text = head.toString('utf8');
  return /^\s*\{/.test(text) && ['sessionId', 'workspaceDirectory', 'history'].every((name) => text.includes(`"${name}"`));
}
