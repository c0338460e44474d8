// Public door `continuo/model`: the nouns, the errors and the ports.
export type { JsonObject, JsonValue } from '../base/json.ts';
export type { Conversation, ConversationPatch, NewConversation } from './conversation.ts';
export { newConversationSchema } from './conversation.ts';
export type { Draft, Entry, EntryKind, EntryStamp, NewEntry, Role } from './entry.ts';
export { newEntrySchema } from './entry.ts';
export { ContinuoError, type ErrorDetails, fillTemplate, isContinuoError } from './error.ts';
export { type ErrorCode, errorMessages } from './error-codes.ts';
export {
  type ConversationId,
  createConversationId,
  createSessionId,
  createTaskId,
  type EntryId,
  formatEntryId,
  isConversationId,
  parseConversationId,
  parseEntryId,
  type SessionId,
  type TaskId,
} from './id.ts';
export type { LeaseHolder } from './lease.ts';
export { type ConversationPage, type ListQuery, listQuerySchema, type Page } from './list-query.ts';
export type {
  AgentProgram,
  AgentProgramEvent,
  AgentProgramRemark,
  AgentProgramRequest,
} from './ports/agent-program.ts';
export type { Embedder, EmbedOptions } from './ports/embedder.ts';
export type {
  EmptyReason,
  IncompleteReason,
  Recall,
  RecallAnswer,
  RecallGroup,
  RecallHit,
  RecallQuery,
  RecallReason,
  RecallRole,
} from './ports/recall.ts';
export type { Redactor } from './ports/redactor.ts';
export type { Sealer } from './ports/sealer.ts';
export type {
  AppendNotice,
  AppendOutcome,
  AppendRequest,
  CompressResult,
  DraftRecord,
  DriverCapabilities,
  DriverListQuery,
  DriverStats,
  EncodedEntry,
  EntryRange,
  EntryRecord,
  ExpireResult,
  LeaseRequest,
  Problem,
  Progress,
  StoreDriver,
  VerifyReport,
} from './ports/store-driver.ts';
export type { FinishReason, ModelEvent, ModelRequest, PromptItem, TextModel, TokenUsage } from './ports/text-model.ts';
export type { Tool, ToolAccess, ToolContext, ToolOutcome, ToolSpec } from './ports/tool.ts';
export { type StoragePolicy, storagePolicySchema } from './storage-policy.ts';
