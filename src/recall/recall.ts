// Public door `continuo/recall`: finding earlier material, going on with it, keeping it in bounds.
export { ConversationContext, type ConversationContextOptions } from './context/conversation-context.ts';
export { ConversationDb } from './context/conversation-db.ts';
export { type QuotedHistory, quoteHistory } from './context/quote-history.ts';
export { resolveContinue } from './context/resolve-continue.ts';
export type { EmbedderSource } from './embedders/embedder-slot.ts';
export { type OnnxOptions, openOnnxEmbedder } from './embedders/onnx.ts';
export { createOpenAiCompatibleEmbedder, type OpenAiCompatibleOptions } from './embedders/openai-compatible.ts';
export { openStaticEmbedder, type StaticEmbedderOptions } from './embedders/static.ts';
export {
  type CatchUpOptions,
  RecallEngine,
  type RecallEngineOptions,
  type RecallProblem,
  type RecallStatus,
} from './recall-engine.ts';
export { applyRetention } from './retention/apply-retention.ts';
export { planRetention } from './retention/plan-retention.ts';
export { listRetention } from './retention/retention-note.ts';
export type { RetentionPlan } from './retention/retention-plan.ts';
export type { RetentionSettings } from './retention/retention-settings.ts';
export { createScanRecall, type ScanRecallOptions } from './scan-recall.ts';
export { type RecallThresholds, type RecallWeights, recallThresholds, recallWeights } from './search/weights.ts';
export type { PrivateProjects } from './visibility.ts';
