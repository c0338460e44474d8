// Public door `continuo/providers`: language models by name. Importing it loads none of their packages.

export type { RetryOptions } from '../base/retry-delay.ts';
export {
  type AgentProgramLimits,
  type AgentProgramOptions,
  type AgentProgramSpec,
  createAgentProgram,
  type KnownProgramSpec,
  type TemplateProgramSpec,
} from './cli-agents/create-agent-program.ts';
export { type DialectName, dialects, type KnownProgramName, knownPrograms } from './cli-agents/program-table.ts';
export type { IdleLimits } from './models/answer-watch.ts';
export { createModel, type ModelOptions } from './models/create-model.ts';
export { findProvider, type Provider, providers } from './models/provider-table.ts';
export { createOfflineModel } from './offline/offline-model.ts';
