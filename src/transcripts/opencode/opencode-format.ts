// opencode: one database for all sessions, `${XDG_DATA_HOME:-~/.local/share}/opencode/opencode.db`. Only the tables session, message and part
// are ever read; accounts, credentials and shares stand in the same file and are none of our business.
import { basename, join } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import { isDatabaseHead } from '../foreign-database.ts';
import { kindOf, walkFiles } from '../session-folder.ts';
import type { DiscoverOptions, Environment, SkippedNote, TranscriptFormat, TranscriptSource } from '../transcript-format.ts';
import { isSettled, OpencodeDatabase, type SessionRow } from './opencode-database.ts';
import { readOpencodeSession } from './read-opencode-session.ts';

export const opencodeFormat: TranscriptFormat = {
  name: 'opencode',
  label: 'opencode',
  roots: (env: Environment, homeFolder: string) => [join(env.XDG_DATA_HOME || join(homeFolder, '.local/share'), 'opencode')],
  layout: { place: /\/opencode(?:-[\w.-]+)?\.db$/ },
  detect: ({ path, head }) => isDatabaseHead(head) && (databaseName.test(basename(path)) || hasSessionTables(head)),
  discover: discoverSessions,
  read: readOpencodeSession,
  // Started elsewhere it prints nothing, so the folder matters.
  resumeCommand: ({ id, cwd }) => ({ command: 'opencode', args: ['--session', id], ...(cwd !== undefined && { cwd }) }),
};

/** Builds of other channels keep theirs in `opencode-<channel>.db`. */
const databaseName = /^opencode(?:-[\w.-]+)?\.db$/;
/** What opencode calls a session before it has a title. */
const placeholderTitle = /^(?:New|Child) session - \d{4}-\d\d-\d\dT/;

async function* discoverSessions(
  root: string,
  { signal, anywhere = false }: DiscoverOptions = {},
): AsyncGenerator<TranscriptSource | SkippedNote> {
  if ((await kindOf(root)) === 'file') return yield* listSessions(root, signal);
  for await (const item of walkFiles(root, { depth: anywhere ? undefined : 0, signal })) {
    const isDatabase = databaseName.test(basename(item.path ?? ''));
    if (item.type === 'skipped') {
      if (isDatabase || item.reason === 'broken') yield item;
    } else if (isDatabase) yield* listSessions(item.path, signal);
  }
}

/** What is wrong with a whole database is a note: other formats' and other files' sessions are found all the same. */
async function* listSessions(path: string, signal: AbortSignal | undefined): AsyncGenerator<TranscriptSource | SkippedNote> {
  let database: OpencodeDatabase | undefined;
  try {
    database = await OpencodeDatabase.open(path);
    for (const row of database.sessions()) {
      signal?.throwIfAborted();
      yield createSource(path, row);
    }
    for (const note of database.oddities()) yield { ...note, path };
  } catch (error) {
    signal?.throwIfAborted();
    yield { type: 'skipped', reason: 'broken', what: describeFault(error), path };
  } finally {
    await database?.close();
  }
}

function createSource(path: string, { id, title, rows, updatedAt }: SessionRow): TranscriptSource {
  const given = title === undefined || title.trim() === '' || placeholderTitle.test(title) ? undefined : title;
  // An answer that nobody goes on with is taken as it is after a while: that is a change too.
  const size = rows * 2 + (isSettled(updatedAt) ? 1 : 0);
  return { type: 'source', id, path, part: id, size, modifiedAt: updatedAt, ...(given !== undefined && { title: given }) };
}

function describeFault(error: unknown): string {
  if (!(error instanceof ContinuoError)) return 'database';
  return `database (${error.code})`;
}

/** In the first pages, where SQLite keeps what tables there are. */
function hasSessionTables(head: Buffer): boolean {
  const text = head.toString('latin1');
  return ['`session_share`', '`message`', '`part`'].every((name) => text.includes(`CREATE TABLE ${name}`));
}
