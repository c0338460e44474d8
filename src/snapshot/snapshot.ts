// Public door `continuo/snapshot`: sessions of teams as versioned files.
export { FileSystemStorageService, type StorageServiceOptions } from './file-system-storage-service.ts';
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
