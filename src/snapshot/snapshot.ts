// Public door `continuo/snapshot`: sessions of teams as versioned files, and the base of everything that can be saved and restored.
export type { EnvelopeFail, EnvelopeUpgrade } from './envelope.ts';
export { FileSystemStorageService, type StorageServiceOptions } from './file-system-storage-service.ts';
export { type SavedSessionSummary, savedSessionVersion } from './saved-session-format.ts';
export type { SavedSession } from './saved-session-list.ts';
export { type SessionNotice, type SessionNoticeCode, sessionNoticeMessages } from './session-notice.ts';
export { type RestoredFrom, SessionRestorable, type SessionRestorableOptions } from './session-restorable.ts';
export {
  type ConversationMessage,
  type SessionContext,
  type SessionMetadata,
  type SessionSnapshot,
  type SessionSpeaker,
  type SessionSummary,
  snapshotVersion,
} from './session-snapshot.ts';
export type { SaveOutcome, SessionProblem, StorageService } from './storage-service.ts';
