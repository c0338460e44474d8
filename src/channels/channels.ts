// Public door `continuo/channels`: keyed sessions for chat platforms.
export type { ChannelSession, ChannelSession as Session, ChatMessage, SessionMessage } from './channel-session.ts';
export type {
  CleanupCandidate,
  CleanupReport,
  CleanupSchedule,
  CleanupScheduleOptions,
  KeptReason,
} from './session-cleanup.ts';
export { type ChatAddress, sessionKey } from './session-key.ts';
export type { SessionListQuery, SessionSummary } from './session-list.ts';
export {
  type AddMessageOptions,
  getSessionManager,
  SessionManager,
  type SessionManagerOptions,
  type SessionStoreSource,
} from './session-manager.ts';
