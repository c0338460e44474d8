// Imports sessions of one format, one after the other: incrementally, each entry once, however often and by however many it is done at the
// same time. A source that cannot be read is told about and does not stop the rest; a store that fails does.
import { isContinuoError } from '../model/error.ts';
import type { StoragePolicy } from '../model/storage-policy.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { toStoreError } from '../store/io-fault.ts';
import { Handovers } from './handover.ts';
import { type ImportReport, ReportKeeper, type SourceOutcome } from './import-report.ts';
import { SessionImport, type SessionImportOptions, SourceFault } from './import-session.ts';
import { ProjectFinder, type ProjectFinderOptions } from './project-finder.ts';
import { Beginnings } from './shared-beginning.ts';
import type { SilentSessions } from './silent-sessions.ts';
import type { SkippedNote, TranscriptFormat, TranscriptSource } from './transcript-format.ts';

export interface ImportOptions {
  store: ConversationStore;
  format: TranscriptFormat;
  /** What {@link TranscriptFormat.discover} gives, or a part of it. */
  sources: AsyncIterable<TranscriptSource | SkippedNote> | Iterable<TranscriptSource | SkippedNote>;
  /** Counts what would be taken and writes nothing. */
  dryRun?: boolean;
  /** Takes sessions back whose conversations were purged here. Without it they are left alone, also when they grow. */
  again?: boolean;
  /** Sessions in which nothing was said, as they were then: left out while unchanged. Without it they are read each time. */
  silent?: SilentSessions | undefined;
  /** Put on new conversations. */
  tags?: readonly string[];
  /** Of new conversations; default full. */
  policy?: StoragePolicy | undefined;
  /** How folders are recognised as projects. */
  project?: ProjectFinderOptions;
  mostLineBytes?: number;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: ImportProgress) => void;
  /** Told of each session when it is done. */
  onSession?: (done: ImportedSession) => void;
}

export interface ImportedSession {
  source: TranscriptSource;
  outcome: SourceOutcome;
  /** Entries taken of it. */
  entries: number;
}

export interface ImportProgress {
  source: TranscriptSource;
  /** Sessions that are done, of how many. */
  done: number;
  total: number;
  /** Entries taken so far. */
  entries: number;
}

const mostAttempts = 20;
const overtaken = ['seq-conflict', 'conversation-not-found', 'conversation-trashed'] as const;

export async function importTranscripts(options: ImportOptions): Promise<ImportReport> {
  const { store, format, signal, dryRun = false, again = false, tags = [], policy, mostLineBytes } = options;
  const report = new ReportKeeper();
  const sources = await gatherSources(options.sources, report);
  let done = 0;
  let entries = 0;
  const session: Omit<SessionImportOptions, 'onEntries'> = {
    store,
    format,
    report,
    projects: new ProjectFinder(store, options.project),
    beginnings: new Beginnings(store, format.name, { signal }),
    handovers: new Handovers(store),
    dryRun,
    again,
    silent: options.silent,
    tags,
    policy,
    signal,
    mostLineBytes,
  };
  for (const source of sources) {
    signal?.throwIfAborted();
    const tell = () => options.onProgress?.({ source, done, total: sources.length, entries });
    const before = entries;
    const onEntries = (count: number) => {
      entries += count;
      tell();
    };
    let outcome: SourceOutcome = 'failed';
    try {
      outcome = await runSession({ ...session, onEntries }, source);
      report.ended(outcome);
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      const { code, message, details } = toStoreError(error.cause, source.path);
      report.failed({ path: source.path, id: source.id, code, reason: String(details.reason ?? message) });
    }
    done += 1;
    tell();
    options.onSession?.({ source, outcome, entries: entries - before });
  }
  return report.report;
}

async function runSession(options: SessionImportOptions, source: TranscriptSource) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await new SessionImport(options, source).run();
    } catch (error) {
      // Another process took a part of it, or took its conversation away: begin again from what is stored now.
      const isOvertaken = overtaken.some((code) => isContinuoError(error, code));
      if (!isOvertaken || attempt === mostAttempts) throw error;
    }
  }
}

/** Oldest change first: what others were forked from mostly comes before its forks. */
async function gatherSources(given: ImportOptions['sources'], report: ReportKeeper): Promise<TranscriptSource[]> {
  const sources: TranscriptSource[] = [];
  for await (const each of given) {
    if (each.type === 'source') sources.push(each);
    else report.skipped(each);
  }
  return sources.sort((a, b) => a.modifiedAt - b.modifiedAt || (a.id < b.id ? -1 : 1));
}
