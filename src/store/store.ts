// Public door `continuo/store`: the wide store and the drivers' building blocks, without opening a home.
export { type BackupManifest, checkBackup, restoreBackup } from './backup.ts';
export {
  type AppendOptions,
  type AppendResult,
  type Assignment,
  ConversationStore,
  type EntryPage,
  type ReadOptions,
  type StoreOptions,
  type SweepResult,
} from './conversation-store.ts';
export { MemoryDriver } from './drivers/memory/memory-driver.ts';
export type { Lease, LeaseOptions } from './lease.ts';
export { createRedactor, type Redactor } from './redaction/redactor.ts';
export type { SweepPlan } from './sweep.ts';
export type { WatchOptions } from './watcher.ts';
