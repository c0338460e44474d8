// What an import found and did, for people: a table of the places, and a summary that leaves nothing out.
import { ContinuoError } from '../../model/error.ts';
import { noteworthy } from '../../transcripts/import-report.ts';
import type { ImportReport, SkippedNote, SkipReason } from '../../transcripts/transcripts.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { plainLine } from '../output/plain-text.ts';
import { formatSize } from '../output/size.ts';
import { type Cell, type Column, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import type { Comparison, FoundSessions } from './found-sessions.ts';
import type { MistakenSource } from './session-places.ts';

export type ComparedSessions = FoundSessions & Comparison;

const mostTold = 20;
const mostOfFile = 3;

export async function renderFound(
  { text, style, terminal, env }: Context,
  found: readonly ComparedSessions[],
): Promise<string[]> {
  const { headings } = text.import;
  const columns: Column[] = [
    { heading: headings.agent },
    { heading: headings.folder, flexible: true },
    { heading: headings.sessions, align: 'right' },
    { heading: headings.size, align: 'right', dispensable: 1 },
    { heading: headings.fresh, align: 'right' },
    { heading: headings.grown, align: 'right' },
  ];
  const rows = found.map(({ format, path, sources, bytes, fresh, grown }): Cell[] => [
    { text: format.label, paint: style.cyan },
    { text: plainLine(shortenHome(path, env.HOME)) },
    { text: String(sources.length) },
    { text: formatSize(bytes) },
    { text: String(fresh) },
    { text: String(grown) },
  ]);
  const ruler = await createRuler([...columns.map(({ heading }) => heading), ...rows.flat().map((cell) => cell.text)]);
  return renderTable(columns, rows, { ruler, width: terminal.columns, paintHeading: style.bold });
}

export function renderReport(context: Context, report: ImportReport, dryRun: boolean): string[] {
  const { text, style } = context;
  const words = text.import;
  const { sources, entries, messages, skipped } = report;
  const counted = new Map<SkipReason, number>();
  for (const { reason, count } of skipped) counted.set(reason, (counted.get(reason) ?? 0) + count);
  const parts = [...counted].sort((a, b) => b[1] - a[1]).map(([reason, count]) => words.reasons[reason](count));
  return [
    dryRun ? words.wouldTake(sources.created, sources.grown, entries, messages) : words.taken(sources, entries, messages),
    ...otherSessions(context, sources),
    ...(parts.length === 0 ? [] : [style.dim(words.leftOut(parts.join(words.between)))]),
    ...renderProblems(context, report),
  ];
}

function otherSessions({ text, style }: Context, { unchanged, empty, trashed, purged }: ImportReport['sources']): string[] {
  const words = text.import;
  const parts = [
    ...(unchanged > 0 ? [words.unchanged(unchanged)] : []),
    ...(empty > 0 ? [words.nothingSaid(empty)] : []),
    ...(trashed > 0 ? [words.inTrash(trashed)] : []),
    ...(purged > 0 ? [words.purged(purged)] : []),
  ];
  return parts.length === 0 ? [] : [style.dim(words.others(parts.join(words.between)))];
}

/** What could not be read, with its place. */
export function renderProblems(context: Context, { broken, failed, skipped }: ImportReport): string[] {
  const { text, style } = context;
  const words = text.import;
  const lines = [
    ...failed.map(({ path, code, reason }) => describeError(new ContinuoError(code, { path, reason }), text)),
    ...firstOfFiles(broken).map((note) => describeNote(context, note)),
  ];
  const places = skipped.reduce((sum, { reason, count }) => sum + (noteworthy.has(reason) ? count : 0), 0);
  if (lines.length === 0) return [];
  const told = lines.slice(0, mostTold).map((line) => `  ${style.yellow(plainLine(line))}`);
  const left = failed.length + places - told.length;
  return [words.broken(failed.length, places), ...told, ...(left > 0 ? [style.dim(`  ${words.more(left)}`)] : [])];
}

/** What somebody can do about sessions that were seen and cannot be taken as they are. */
export function renderAdvice({ text, style }: Context, found: readonly FoundSessions[]): string[] {
  const notes = found.flatMap(({ notes }) => notes).filter(isAdvice);
  return notes.map(({ path, what }) => style.yellow(plainLine(`${path}: ${text.translateReason(what)}`)));
}

export function isAdvice({ reason }: SkippedNote): boolean {
  return reason === 'unknown';
}

/** What was named and could not be imported, each with what to do about it. */
export function renderMistakes(context: Context, mistaken: readonly MistakenSource[]): string[] {
  if (mistaken.length === 0) return [];
  const lines = listMistakes(context, mistaken).map(({ message }) => `  ${context.style.yellow(plainLine(message))}`);
  return [context.text.import.mistaken(mistaken.length), ...lines];
}

export function listMistakes({ text }: Context, mistaken: readonly MistakenSource[]) {
  return mistaken.map(({ word, error }) => ({ source: word, code: error.code, message: describeError(error, text) }));
}

/** One file that is broken throughout must not hide the others. */
function firstOfFiles(notes: readonly SkippedNote[]): SkippedNote[] {
  const told = new Map<string | undefined, number>();
  return notes.filter(({ path }) => {
    told.set(path, (told.get(path) ?? 0) + 1);
    return (told.get(path) ?? 0) <= mostOfFile;
  });
}

function describeNote({ text }: Context, { path, line, reason, what }: SkippedNote): string {
  const place = [path, line].filter((part) => part !== undefined).join(':');
  return `${place}: ${text.import.faults[reason] ?? reason} (${text.translateReason(what)})`;
}

export function shortenHome(path: string, home: string | undefined): string {
  return home !== undefined && home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
