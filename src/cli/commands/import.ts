// continuo import: the sessions of other agents as conversations of the store, as often as one likes, or as long as they are written.
import { join } from 'node:path';
import type { Command } from 'commander';
import packageRecord from '../../../package.json' with { type: 'json' };
import { Handovers } from '../../transcripts/handover.ts';
import { createReport } from '../../transcripts/import-report.ts';
import type { StandingOptions } from '../../transcripts/import-standing.ts';
import { type ImportReport, SilentSessions } from '../../transcripts/transcripts.ts';
import type { Context } from '../context.ts';
import { embedIndexed } from '../embedder/embed-all.ts';
import { exitCodes, exitStatus } from '../exit-codes.ts';
import type { Help } from '../messages/messages.ts';
import { type OpenHome, openHomeWithKey } from '../open-home.ts';
import { readMoment } from '../option-values.ts';
import { formatMoment } from '../output/moment.ts';
import { withProgress } from '../output/progress.ts';
import { findHere, gatherHere, workingFolder } from '../recall/here.ts';
import { type HomeRecall, openHomeRecall } from '../recall/open-home-recall.ts';
import { listPrivate } from '../recall/private-projects.ts';
import { stoppable } from '../stoppable.ts';
import { noteSwept, sweepDue } from '../sweep-due.ts';
import { compareWithStore, findSessions, type SearchOptions } from '../transcripts/found-sessions.ts';
import { runImport } from '../transcripts/import-run.ts';
import {
  type ComparedSessions,
  isAdvice,
  listMistakes,
  renderAdvice,
  renderFound,
  renderMistakes,
  renderReport,
} from '../transcripts/import-view.ts';
import { everyAgent, findPlaces, type MistakenSource, type SessionPlace } from '../transcripts/session-places.ts';
import { usageError } from '../usage-error.ts';

interface ImportOptions {
  dryRun?: boolean;
  again?: boolean;
  watch?: boolean;
  since?: string;
}

export function define(command: Command, { commands: { import: help } }: Help): void {
  command
    .argument('[sources...]', help.arguments.sources)
    .option('--dry-run', help.options.dryRun)
    .option('--again', help.options.again)
    .option('-w, --watch', help.options.watch)
    .option('--since <when>', help.options.since);
}

export async function run(context: Context, words: readonly string[], options: ImportOptions): Promise<number | undefined> {
  const { dryRun = false, watch = false, again = false } = options;
  if (dryRun && watch) throw usageError(context.text.import.watchWrites);
  const since = options.since === undefined ? undefined : readMoment(context, '--since', options.since);
  const { places, mistaken: unusable } = await findPlaces(context, words);
  const opened = await openHomeWithKey(context, dryRun ? 'read' : 'write');
  await using store = opened.store;
  const here = await findHere(context, store, gatherHere(context, workingFolder()));
  const privateProjects = listPrivate(context, here.known);
  const recall = dryRun ? undefined : await openHomeRecall(context, opened, here);
  return await stoppable(context, async (signal) => {
    const search = { since, signal };
    const silent = await SilentSessions.load(join(context.home, 'silent-sessions.json'), packageRecord.version);
    const looked = await look(opened, places, { ...search, again, silent });
    const { found } = looked;
    const isNothing = found.every(({ sources, notes }) => sources.length === 0 && notes.every(isAdvice));
    // Where nothing is found at all, that is said in one sentence; where something is awaited, it may come.
    const isVain = !watch && !(isNothing && looked.earlier === 0);
    const mistaken = [...unusable, ...(isVain ? emptyFolders(context, looked.empty) : [])];
    if (isNothing && !watch) return tellNothing(context, places, { ...looked, words, since, dryRun, mistaken });
    const held = found.filter(({ sources }) => sources.length > 0);
    if (!context.output.json && !context.output.quiet && held.length > 0) {
      context.output.line(...(await renderFound(context, held)), '');
    }
    const report = await runImport(context, found, { store, dryRun, again, silent, privateProjects, signal });
    const follow = async () => recall && (await followLog(context, recall, signal));
    // Also where nothing is new: an import that was killed may have left the index behind.
    await follow();
    tell(context, { found: held, advice: renderAdvice(context, found), report, dryRun, mistaken });
    if (!dryRun) noteSwept(context, await sweepDue(context, store));
    if (!watch) return codeOf(found, report) ?? codeOfMistakes(mistaken);
    context.output.note(context.style.dim(context.text.import.watching));
    const { watchSessions } = await import('../transcripts/watch-sessions.ts');
    await watchSessions(context, places, { ...search, store, dryRun, again, silent, privateProjects, known: found, follow });
    return undefined;
  }).finally(() => recall?.close());
}

interface Looked {
  found: ComparedSessions[];
  /** How many sessions did not change since the given moment. */
  earlier: number;
  /** Named folders in which there is none. */
  empty: string[];
}

async function look(
  { store }: OpenHome,
  places: readonly SessionPlace[],
  { again, silent, ...search }: SearchOptions & Pick<StandingOptions, 'again' | 'silent'>,
): Promise<Looked> {
  const found: ComparedSessions[] = [];
  let earlier = 0;
  const empty = new Set(places.flatMap(({ mixed }) => (mixed ? [mixed.word] : [])));
  const handovers = new Handovers(store);
  for (const place of places) {
    const sessions = await findSessions(place, search);
    earlier += sessions.earlier;
    const count = sessions.sources.length + sessions.notes.length;
    if (count + sessions.earlier > 0 && place.mixed) empty.delete(place.mixed.word);
    if (count === 0) continue;
    found.push({ ...sessions, ...(await compareWithStore({ store, handovers, again, silent }, sessions)) });
  }
  return { found, earlier, empty: [...empty] };
}

function emptyFolders({ text }: Context, words: readonly string[]): MistakenSource[] {
  return words.map((word) => ({ word, error: usageError(text.import.emptyFolder(word)) }));
}

/** The index right behind the log, so that the next search finds everything at once. Without it the import is as good. */
async function followLog(context: Context, recall: HomeRecall, signal: AbortSignal): Promise<void> {
  const { engine, embedsQuickly } = recall;
  if (!engine) return;
  try {
    await withProgress(context, context.text.reindex.catchingUp, (onProgress) =>
      engine.catchUp({ onProgress, signal, wait: 5000, vectors: false }),
    );
    if (embedsQuickly) await embedIndexed(context, engine);
  } catch (error) {
    if (signal.aborted) throw error;
    context.output.note(context.style.dim(context.text.import.indexLater));
  }
}

interface Told {
  found: readonly ComparedSessions[];
  advice: readonly string[];
  report: ImportReport;
  dryRun: boolean;
  mistaken: readonly MistakenSource[];
}

function tell(context: Context, { found, advice, report, dryRun, mistaken }: Told): void {
  const places = found.map(({ format, path, sources, bytes, fresh, grown }) => ({
    agent: format.name,
    path,
    sessions: sources.length,
    bytes,
    new: fresh,
    grown,
  }));
  const json = { dryRun, found: places, ...report, mistaken: listMistakes(context, mistaken) };
  context.output.done(json, () => [...renderReport(context, report, dryRun), ...advice, ...renderMistakes(context, mistaken)]);
}

/** That there is nothing is an answer, unless somebody said where it must be; that nothing changed always is. */
function tellNothing(
  context: Context,
  places: readonly SessionPlace[],
  told: Omit<Looked, 'empty'> & Pick<Told, 'dryRun' | 'mistaken'> & { words: readonly string[]; since: number | undefined },
): number | undefined {
  const { output, text } = context;
  const { found, earlier, words, since, dryRun, mistaken } = told;
  const paths = [...new Set(places.map(({ path }) => path))];
  const skipped = found.flatMap(({ notes }) => notes.map(({ reason, what }) => ({ reason, what, count: 1 })));
  output.result({ dryRun, found: [], ...createReport(), skipped, mistaken: listMistakes(context, mistaken) }, () => [
    earlier > 0
      ? text.import.nothingSince(earlier, formatMoment(since ?? 0))
      : text.import.nothing(paths.join(text.import.between)),
    ...renderAdvice(context, found),
    ...renderMistakes(context, mistaken),
  ]);
  const isAnswer = earlier > 0 || words.length === 0 || words.includes(everyAgent);
  return codeOfMistakes(mistaken) ?? (isAnswer ? undefined : exitStatus.notFound);
}

/** What could be read is imported; that some could not must not go unseen in a script. */
function codeOf(found: readonly ComparedSessions[], { failed }: ImportReport): number | undefined {
  const isUnread = found.some(({ notes }) => notes.some(({ reason }) => reason === 'broken'));
  return failed.length > 0 || isUnread ? exitStatus.medium : undefined;
}

function codeOfMistakes([first]: readonly MistakenSource[]): number | undefined {
  return first && exitCodes[first.error.code];
}
