// Public door `continuo/transcripts`. The sessions of other agents: found, read, imported, and written so that those agents can go on.
export { detectFormat, findFormat, transcriptFormats } from './formats.ts';
export { rememberHandover } from './handover.ts';
export type { FailedSource, ImportReport, SkippedCount, SourceOutcome } from './import-report.ts';
export { formatImportKey, type ImportState, readImportState } from './import-state.ts';
export { type ImportedSession, type ImportOptions, type ImportProgress, importTranscripts } from './import-transcripts.ts';
export { foreignId } from './known-entries.ts';
export {
  fromOpenAiMessage,
  type OpenAiMessage,
  OpenAiMessageList,
  type OpenAiToolCall,
  toOpenAiMessages,
} from './openai/openai-messages.ts';
export { readHead } from './session-folder.ts';
export { SilentSessions } from './silent-sessions.ts';
export {
  type CheckpointItem,
  type EntryItem,
  type Environment,
  type HeaderItem,
  headBytes,
  type OutgoingEntry,
  type OutgoingSession,
  type ReadTranscriptOptions,
  type ResumeCommand,
  type SkippedNote,
  type SkipReason,
  type TranscriptEntry,
  type TranscriptFormat,
  type TranscriptHeader,
  type TranscriptItem,
  type TranscriptSource,
  type WriteTarget,
  type WrittenTranscript,
} from './transcript-format.ts';
