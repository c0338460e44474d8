// One import into the home's store, agent by agent, and what came of it put together.
import { exclusionMark } from '../../recall/conversation-marks.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { createReport } from '../../transcripts/import-report.ts';
import {
  type ImportedSession,
  type ImportReport,
  importTranscripts,
  type SilentSessions,
  type TranscriptFormat,
} from '../../transcripts/transcripts.ts';
import type { Context } from '../context.ts';
import { withProgress } from '../output/progress.ts';
import type { FoundSessions } from './found-sessions.ts';

export interface ImportRunOptions {
  store: ConversationStore;
  dryRun: boolean;
  /** Also what was purged here. */
  again: boolean;
  silent: SilentSessions;
  /** What private projects are filed under. */
  privateProjects: ReadonlySet<string>;
  signal: AbortSignal;
  onSession?: (done: ImportedSession & { format: TranscriptFormat }) => void;
}

export async function runImport(
  context: Context,
  found: readonly FoundSessions[],
  { store, dryRun, again, silent, privateProjects, signal, onSession }: ImportRunOptions,
): Promise<ImportReport> {
  const { env, text } = context;
  const total = found.reduce((sum, { sources }) => sum + sources.length, 0);
  const reports: ImportReport[] = [];
  await withProgress(context, dryRun ? text.import.counting : text.import.label, async (progress) => {
    let before = 0;
    for (const { format, sources, notes } of found) {
      const report = await importTranscripts({
        store,
        format,
        sources: [...sources, ...notes],
        dryRun,
        again,
        silent,
        project: { env, privateProjects, privateMark: exclusionMark(true), ...(env.HOME !== undefined && { home: env.HOME }) },
        signal,
        onProgress: ({ done }) => progress(before + done, Math.max(1, total)),
        onSession: (done) => onSession?.({ ...done, format }),
      });
      before += sources.length;
      reports.push(report);
    }
  });
  if (!dryRun) await silent.save();
  return reports.reduce(addReports, createReport());
}

function addReports(
  sum: ImportReport,
  { sources, entries, messages, known, skipped, broken, failed }: ImportReport,
): ImportReport {
  const added = { ...sum.sources };
  for (const outcome of Object.keys(sources) as (keyof typeof sources)[]) added[outcome] += sources[outcome];
  const kinds = sum.skipped.map((each) => ({ ...each }));
  for (const { reason, what, count } of skipped) {
    const same = kinds.find((each) => each.reason === reason && each.what === what);
    if (same) same.count += count;
    else kinds.push({ reason, what, count });
  }
  return {
    sources: added,
    entries: sum.entries + entries,
    messages: sum.messages + messages,
    known: sum.known + known,
    skipped: kinds.sort((a, b) => b.count - a.count),
    broken: [...sum.broken, ...broken],
    failed: [...sum.failed, ...failed],
  };
}
