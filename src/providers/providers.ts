// Public door `continuo/providers`: language models by name. Importing it loads none of their packages.
export type { IdleLimits } from './models/answer-watch.ts';
export { createModel, type ModelOptions } from './models/create-model.ts';
export { findProvider, type Provider, providers } from './models/provider-table.ts';
export type { RetryOptions } from './models/retry-delay.ts';
export { createOfflineModel } from './offline/offline-model.ts';
