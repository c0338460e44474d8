// Under which names the record of purges keeps sessions. Light: whoever purges needs it, and nothing else of this room.
import type { Conversation } from '../model/conversation.ts';

const importPrefix = 'import:';

/** The name of a session that Continuo wrote itself when it handed the conversation over; by the key the session would get. */
export function handedOverName(key: string): string {
  return `handed over ${key}`;
}

/**
 * What must not come back with a later import once this conversation is purged: its session, and those it was handed over as. Nothing
 * where it has no session; nor for one that gave up its key, which says that another may take it.
 */
export function purgedNames({ key, meta }: Conversation): string[] {
  const { handovers } = meta;
  const handedOver = typeof handovers === 'object' && handovers !== null ? Object.keys(handovers) : [];
  return [...(key?.startsWith(importPrefix) ? [key] : []), ...handedOver.map(handedOverName)];
}
