// Public door `continuo/runtime`: sessions, conversations at work, events, approvals, replay.
export { AgentError, type AgentErrorKind } from './agent-error.ts';
export type { CommandKey, Grant } from './approvals/approval-grants.ts';
export type { ApprovalAnswer, ApprovalDecision, ApprovalQuestion } from './approvals/approvals.ts';
export type { SessionApprovals, SessionApprovalsOptions } from './approvals/session-approvals.ts';
export { listStoredGrants, revokeStoredGrant, type StoredGrant } from './approvals/store-grants.ts';
export type { Conversation } from './conversation.ts';
export { EventBus, type EventSubscription, type SubscribeOptions } from './event-bus.ts';
export type { Compaction, Uncompaction } from './history/compaction.ts';
export { defaultHistoryLimits, type HistoryLimits } from './history/history-store.ts';
export { type Summarise, summariseWith } from './history/summarise.ts';
export type { MessageInput } from './message-input.ts';
export type { Figures, Metrics, MetricsSnapshot } from './metrics.ts';
export { createNotifier, type Notice, type Notifier, type NotifierSettings } from './notifier/notifier.ts';
export {
  type AgentProvider,
  type AgentRequest,
  type AgentResponse,
  createAgentProvider,
} from './project-session/agent-provider.ts';
export { type AiProvider, createAiProvider } from './project-session/ai-provider.ts';
export { ProjectSession, type ProjectSessionOptions } from './project-session/project-session.ts';
export { createSkillContext, type SkillContext } from './project-session/skill-context.ts';
export { type ReplayOptions, type ReplayStep, replay } from './rollout/replay.ts';
export type { RuntimeEvent, RuntimeEventOf, RuntimeEventType } from './runtime-event.ts';
export { type ConversationDefaults, type OpenOptions, Session, type SessionOptions } from './session.ts';
export type { FinalOutput, MessageOptions } from './turn/turn.ts';
