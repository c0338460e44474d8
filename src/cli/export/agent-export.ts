// A conversation as the session file of another agent. The agent's writer makes it in a folder of its own that is gone afterwards.
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { toStoreError } from '../../store/io-fault.ts';
import type { Context } from '../context.ts';
import { createOutgoing, type WritingFormat } from '../transcripts/outgoing-session.ts';
import { recordedFolder } from '../transcripts/session-folder.ts';
import type { StartedExport } from './export-conversation.ts';

export async function startAgentExport(
  context: Context,
  store: ConversationStore,
  conversation: Conversation,
  { format, file }: { format: WritingFormat; file: string | undefined },
): Promise<StartedExport> {
  const workshop = await makeFolder(file === undefined ? tmpdir() : dirname(resolve(file)));
  const remove = () => rm(workshop, { recursive: true, force: true });
  const forget = context.cleanups.add(remove);
  try {
    const { session, lost } = createOutgoing(store, conversation, recordedFolder(conversation) ?? process.cwd());
    const written = await format.write(session, { root: workshop });
    const pieces = readPieces(written.files[0] as string, async () => {
      await remove();
      forget();
    });
    return { pieces, counter: { entries: written.entries }, lost: { ...lost, ...written.lost } };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function makeFolder(parent: string): Promise<string> {
  return mkdtemp(join(parent, '.continuo-export-')).catch((error: unknown) => {
    throw toStoreError(error, parent);
  });
}

async function* readPieces(path: string, afterwards: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield* createReadStream(path, { encoding: 'utf8' });
  } finally {
    await afterwards();
  }
}
