// Public door `continuo/recall`: finding earlier material.
export {
  type CatchUpOptions,
  RecallEngine,
  type RecallEngineOptions,
  type RecallProblem,
  type RecallStatus,
} from './recall-engine.ts';
export { createScanRecall, type ScanRecallOptions } from './scan-recall.ts';
export type { PrivateProjects } from './search/visibility.ts';
export { type RecallThresholds, type RecallWeights, recallThresholds, recallWeights } from './search/weights.ts';
