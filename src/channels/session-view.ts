// The session object callers hold, and the memory of what they were given, by which a change of theirs is told from one made elsewhere.
import type { Conversation } from '../model/conversation.ts';
import type { ConversationId } from '../model/id.ts';
import type { ChannelSession } from './channel-session.ts';
import { copyState, lastActivity, type SessionState } from './session-state.ts';
import type { SessionWindow } from './session-window.ts';

/** The conversation a key leads to now, and the caller's view of it. */
export interface Opened {
  conversation: Conversation;
  window: SessionWindow;
  session: ChannelSession;
  /** The state as the store had it when it was last looked at. */
  stored: SessionState;
}

/** Outlives eviction for as long as the caller holds the session. */
const noted = new WeakMap<ChannelSession, { id: ConversationId; state: SessionState }>();

export function openView({ key, ...parts }: Omit<Opened, 'session'> & { key: string }): Opened {
  const { conversation, stored } = parts;
  const opened: Opened = {
    ...parts,
    session: {
      key,
      id: conversation.id,
      get messages() {
        return opened.window.messages;
      },
      created_at: conversation.createdAt,
      get updated_at() {
        return lastActivity(opened.conversation);
      },
      ...copyState(stored),
    },
  };
  noteState(opened.session, conversation.id, stored);
  return opened;
}

/** Remembers the state as the caller has it now. */
export function noteState(session: ChannelSession, id: ConversationId, state: SessionState): void {
  noted.set(session, { id, state: copyState(state) });
}

export function notedState(session: ChannelSession): SessionState {
  return noted.get(session)?.state ?? { metadata: {} };
}

/**
 * What the session is compared with to find the caller's changes. One that was deleted and is saved again starts from nothing;
 * a copy the caller made, from what the opened session showed them.
 */
export function baseState(session: ChannelSession, opened: Opened): SessionState {
  const known = noted.get(session);
  if (!known) return notedState(opened.session);
  return known.id === opened.conversation.id ? known.state : { metadata: {} };
}

/** In place, because callers may hold the metadata object itself. */
export function putState(session: ChannelSession, state: SessionState): void {
  for (const name of Object.keys(session.metadata)) if (!Object.hasOwn(state.metadata, name)) delete session.metadata[name];
  Object.assign(session.metadata, state.metadata);
  session.activeSkill = state.activeSkill;
}
