// Where a session stands with the store before anything of it is read: the one place that says whether there is something to take, for the
// import and for whoever announces it.
import type { Conversation } from '../model/conversation.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { Handover, Handovers } from './handover.ts';
import { formatImportKey, type ImportState, isUnchanged, readImportState } from './import-state.ts';
import { isBeingMade } from './import-unread.ts';
import { handedOverName } from './purged-sessions.ts';
import type { SilentSessions } from './silent-sessions.ts';
import type { TranscriptFormat, TranscriptSource } from './transcript-format.ts';

export interface StandingOptions {
  store: ConversationStore;
  format: Pick<TranscriptFormat, 'name'>;
  handovers: Handovers;
  /** Also what was purged here. */
  again: boolean;
  silent?: SilentSessions | undefined;
}

export interface Standing {
  key: string;
  /** Why nothing is to be read; absent where there may be something new. */
  settled?: 'unchanged' | 'empty' | 'trashed' | 'purged';
  /** What became of it at an earlier import. */
  conversation?: Conversation;
  /** It was written by us, and nothing of it was imported yet. */
  handover?: Handover;
  /** How far it was read, in the conversation or in what was handed over. */
  state?: ImportState;
}

export async function findStanding(options: StandingOptions, source: TranscriptSource): Promise<Standing> {
  const standing = await findStored(options, source);
  const { key, settled, conversation, handover } = standing;
  if (settled !== undefined) return standing;
  const isSilent = isBeingMade(source) || (!conversation && options.silent?.has(key, source));
  return isSilent ? { ...standing, settled: conversation || handover ? 'unchanged' : 'empty' } : standing;
}

async function findStored({ store, format, handovers, again }: StandingOptions, source: TranscriptSource): Promise<Standing> {
  const key = formatImportKey(format.name, source.id);
  const conversation = await store.find(key);
  if (conversation) {
    const standing = withState({ key, conversation }, readStoredState(conversation), source);
    return conversation.trashedAt === undefined ? standing : { ...standing, settled: 'trashed' };
  }
  if (!again && (await store.wasPurged(key))) return { key, settled: 'purged' };
  const handover = await handovers.find(key);
  if (!handover) return !again && (await store.wasPurged(handedOverName(key))) ? { key, settled: 'purged' } : { key };
  if (handover.conversation.trashedAt !== undefined) return { key, handover, settled: 'trashed' };
  return withState({ key, handover }, handover.state, source);
}

function withState(standing: Standing, state: ImportState | undefined, source: TranscriptSource): Standing {
  if (!state) return standing;
  return { ...standing, state, ...(isUnchanged(state, source) && { settled: 'unchanged' }) };
}

/** A state that was made with the conversation and stands for entries that never came says nothing about what is stored. */
function readStoredState(conversation: Conversation): ImportState | undefined {
  const state = readImportState(conversation);
  if (!state || state.seq <= conversation.lastSeq) return state;
  const { checkpoint: _checkpoint, size: _size, modifiedAt: _modifiedAt, ...rest } = state;
  return { ...rest, seq: 0 };
}
