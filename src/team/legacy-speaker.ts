// Who said a message. Older snapshots call a speaker's fields roleId, roleName and roleTitle.
import type { ConversationMessage, SessionSpeaker } from '../snapshot/session-snapshot.ts';

type LooseSpeaker = { [field in 'id' | 'name' | 'displayName' | 'roleId' | 'roleName' | 'roleTitle' | 'type']?: unknown };

export function readSpeaker(message: Pick<ConversationMessage, 'speaker'>): SessionSpeaker {
  const speaker = (message.speaker ?? {}) as LooseSpeaker;
  const text = (...values: unknown[]) => values.find((value): value is string => typeof value === 'string' && value !== '');
  const id = text(speaker.id, speaker.roleId, speaker.name, speaker.roleName) ?? 'unknown';
  const name = text(speaker.name, speaker.roleName, speaker.displayName, speaker.roleTitle) ?? id;
  const displayName = text(speaker.displayName, speaker.roleTitle);
  const type = text(speaker.type);
  return {
    id,
    name,
    ...(displayName !== undefined && { displayName }),
    ...((type === 'human' || type === 'ai' || type === 'system') && { type }),
  };
}
