// The public API. Light: drivers, crypto, model providers and the command line are loaded only when they are used.
export { type ChannelSession, type ChatMessage, SessionManager, type SessionMessage } from './channels/session-manager.ts';
export { type ConvertOptions, convertStore } from './convert-store.ts';
export { getSessionManager } from './keyed-sessions.ts';
export type { Conversation, NewConversation } from './model/conversation.ts';
export type { Draft, Entry, NewEntry, Role } from './model/entry.ts';
export { ContinuoError, isContinuoError } from './model/error.ts';
export type { ErrorCode } from './model/error-codes.ts';
export type { ConversationId, EntryId } from './model/id.ts';
export type { ConversationPage, ListQuery } from './model/list-query.ts';
export type { StoragePolicy } from './model/storage-policy.ts';
export { type OpenRecallOptions, openRecall } from './open-recall.ts';
export { type DriverName, type OpenStoreOptions, openStore, type StoreKey } from './open-store.ts';
export { createModel, type ModelOptions } from './providers/models/create-model.ts';
export { AgentError, type AgentErrorKind } from './runtime/agent-error.ts';
export type { Conversation as RunningConversation } from './runtime/conversation.ts';
export { type ReplayOptions, replay } from './runtime/rollout/replay.ts';
export type { RuntimeEvent } from './runtime/runtime-event.ts';
export { type OpenOptions, Session, type SessionOptions } from './runtime/session.ts';
export type { FinalOutput, MessageOptions } from './runtime/turn/turn.ts';
export { restoreBackup } from './store/backup.ts';
export {
  type AppendResult,
  ConversationStore,
  type EntryPage,
  type ReadOptions,
} from './store/conversation-store.ts';
export type { Lease, LeaseOptions } from './store/lease.ts';
