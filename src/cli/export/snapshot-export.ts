// A conversation as a snapshot of a team's session (docs/formats/session-snapshot.md), which is read as a whole. What tools said is no part
// of one.
import type { Conversation } from '../../model/conversation.ts';
import { snapshotVersion } from '../../snapshot/session-snapshot.ts';
import { formatSnapshot } from '../../snapshot/snapshot-text.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { readTail, sessionKey } from '../../team/team-log.ts';
import { escapeObeyed } from '../output/safe-json.ts';

/** Stands for the team where there was none. */
const noTeam = 'continuo';

export async function* exportSnapshot(
  store: ConversationStore,
  { conversation, name, counter }: { conversation: Conversation; name: string; counter: { entries: number } },
): AsyncGenerator<string> {
  const { id, key, team, agent, createdAt, activeAt, lastSeq } = conversation;
  const { messages, teamTask = null, programSessions } = await readTail(store, id, 0);
  counter.entries = messages.length;
  const lastSpeakerId = messages.at(-1)?.speaker.id;
  const prefix = sessionKey('');
  const text = formatSnapshot(
    {
      schemaVersion: snapshotVersion,
      teamId: team ?? agent ?? noTeam,
      sessionId: key?.startsWith(prefix) ? key.slice(prefix.length) : id,
      createdAt: new Date(createdAt).toISOString(),
      updatedAt: new Date(activeAt).toISOString(),
      context: { teamTask, messages },
      metadata: {
        messageCount: messages.length,
        ...(lastSpeakerId !== undefined && { lastSpeakerId }),
        summary: name,
        log: { conversationId: id, seq: lastSeq },
        ...(Object.keys(programSessions).length > 0 && { programSessions }),
      },
    },
    undefined,
  );
  yield escapeObeyed(text);
}
