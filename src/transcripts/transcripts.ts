// The sessions of other agents: found, read, imported, and written so that those agents can go on with them.
export { detectFormat, findFormat, transcriptFormats } from './formats.ts';
export type { FailedSource, ImportReport, SkippedCount, SourceOutcome } from './import-report.ts';
export { formatImportKey, type ImportState, readImportState } from './import-state.ts';
export { type ImportedSession, type ImportOptions, type ImportProgress, importTranscripts } from './import-transcripts.ts';
export { foreignId } from './known-entries.ts';
export { readHead } from './session-folder.ts';
export type {
  Environment,
  OutgoingEntry,
  OutgoingSession,
  ResumeCommand,
  SkippedNote,
  SkipReason,
  TranscriptFormat,
  TranscriptHeader,
  TranscriptItem,
  TranscriptSource,
  WriteTarget,
  WrittenTranscript,
} from './transcript-format.ts';
