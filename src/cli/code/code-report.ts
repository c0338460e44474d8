// What came of the work, for people and for programs: the outcome, the changed files, checks, reviews, the commit, and how to go on.
import { basename, dirname, join } from 'node:path';
import type { CodeAgent } from '../../code-agent/code-agent.ts';
import type { ChangeSet, FileChange } from '../../code-agent/diff/diff-manager.ts';
import type { CommitResult } from '../../code-agent/git/commit.ts';
import type { Checks, WorkReport } from '../../code-agent/work-loop.ts';
import type { ContinuoError } from '../../model/error.ts';
import { sessionFolderName } from '../../snapshot/saved-session-list.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { plainLine } from '../output/plain-text.ts';
import { type Cell, type Column, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import { describeNotice, type NoticeDesk } from './session-notices.ts';

export interface CodeReport {
  /** Undefined where the work was stopped or failed. */
  work: WorkReport | undefined;
  /** Undefined where none was asked for; why none was made, as a sentence. */
  commit: CommitResult | { skipped: string } | undefined;
  error: ContinuoError | undefined;
  isResumed: boolean;
}

/** Where the session is, and the command that goes on with it. */
export interface SessionPlace {
  id: string;
  path: string;
  command: string;
}

export async function findPlace(agent: CodeAgent): Promise<SessionPlace | undefined> {
  const { sessionFile: path } = agent;
  if (path === undefined) return undefined;
  const id = (await agent.listSessions()).find((session) => session.path === path)?.id ?? basename(path, '.json');
  const isHere = dirname(path) === join(process.cwd(), sessionFolderName);
  return { id, path, command: `continuo code --resume ${isHere ? id : quote(path)}` };
}

export function toJson(
  context: Context,
  agent: CodeAgent,
  { work, commit, error, isResumed }: CodeReport,
  { told }: NoticeDesk,
  place: SessionPlace | undefined,
): object {
  return {
    task: agent.task ?? null,
    root: agent.rootDir,
    model: agent.model.id,
    resumed: isResumed,
    outcome: work?.outcome ?? null,
    text: work?.text ?? '',
    changes: work ? changesToJson(work.changes) : null,
    checks: work?.checks ? checksToJson(work.checks) : null,
    reviews: work?.reviews ?? [],
    commit: commit && 'commit' in commit ? { ...commit } : null,
    session: place ? { id: place.id, path: place.path, messages: agent.messages.length, saved: agent.isSaved } : null,
    resume: place?.command ?? null,
    conversationId: agent.conversationId ?? null,
    notices: told,
    error: error ? { code: error.code, message: describeError(error, context.text), details: error.details } : null,
  };
}

function checksToJson({ outcome, text, formatted }: Checks): object {
  return { outcome, text, formatted };
}

function changesToJson({ available, reason, base, files, omitted, warnings }: ChangeSet): object {
  return {
    available,
    ...(reason !== undefined && { reason }),
    base,
    files: files.map(({ patch: _patch, ...file }) => file),
    omitted,
    warnings,
  };
}

export async function renderReport(
  context: Context,
  agent: CodeAgent,
  { work, commit }: CodeReport,
  { saved }: NoticeDesk,
  place: SessionPlace | undefined,
): Promise<string[]> {
  if (!work) return [];
  const { text, style } = context;
  const { outcome, changes, checks, reviews } = work;
  const words = text.code;
  const { labels } = words;
  const isGood = outcome === 'done' || outcome === 'unchanged';
  const count = (wanted: string) => reviews.filter((review) => review.outcome === wanted).length;
  const facts: [string, string][] = [
    ...(checks ? [[labels.checks, words.checkStates[checks.outcome]] as [string, string]] : []),
    ...(reviews.length > 0
      ? [
          [labels.reviews, words.reviewCounts(count('accepted'), count('changes'), count('unclear') + count('failed'))] as [
            string,
            string,
          ],
        ]
      : []),
    ...(commit ? describeCommit(context, commit).map((line, at): [string, string] => [at === 0 ? labels.commit : '', line]) : []),
    [labels.session, place ? words.savedIn(plainLine(place.path), agent.messages.length) : words.notSaved],
    ...(saved?.code === 'session-saved-masked' ? [['', describeNotice(context, saved)] as [string, string]] : []),
    ...(place ? [[labels.resume, place.command] as [string, string]] : []),
  ];
  const ruler = await createRuler(facts.flat());
  const widest = Math.max(...facts.map(([label]) => ruler.width(label)));
  return [
    (isGood ? style.green : style.yellow)(words.outcomes[outcome]),
    ...(await renderFiles(context, changes)),
    ...facts.map(([label, fact]) => `${style.dim(label)}${' '.repeat(widest - ruler.width(label) + 2)}${fact}`),
  ];
}

/** Without git the agent's own edits are known, and not what they came to. */
async function renderFiles(context: Context, { available, reason = '', files, omitted }: ChangeSet): Promise<string[]> {
  if (files.length === 0) return [];
  const { text, style, terminal } = context;
  const { fileHeadings: headings } = text.code;
  const columns: Column[] = [
    { heading: headings.change },
    { heading: headings.added, align: 'right' },
    { heading: headings.removed, align: 'right' },
    { heading: headings.file, flexible: true },
  ];
  const rows = files.map((file) => toRow(context, file, available));
  const ruler = await createRuler([...Object.values(headings), ...rows.flat().map((cell) => cell.text)]);
  const table = renderTable(columns, rows, { ruler, width: terminal.columns, paintHeading: style.bold });
  return [
    ...table,
    ...(omitted > 0 ? [text.code.omitted(omitted)] : []),
    ...(available ? [] : [style.dim(text.code.unknownChanges(text.translateReason(reason)))]),
  ];
}

function toRow({ text, style }: Context, file: FileChange, isCounted: boolean): Cell[] {
  const { path, from, status, additions, deletions, binary } = file;
  const name = from === undefined ? plainLine(path) : `${plainLine(from)} → ${plainLine(path)}`;
  return [
    { text: text.code.changes[status] },
    binary ? { text: text.code.binary } : { text: isCounted ? String(additions) : '', paint: style.green },
    binary || !isCounted ? { text: '' } : { text: String(deletions), paint: style.red },
    { text: name },
  ];
}

function describeCommit({ text }: Context, commit: NonNullable<CodeReport['commit']>): string[] {
  const words = text.code;
  if ('skipped' in commit) return [commit.skipped];
  const { commit: hash, branch, paths, leftOut, hooksNotRun, unsigned } = commit;
  return [
    words.committed(hash.slice(0, 12), branch === null ? null : plainLine(branch), paths.length),
    ...leftOut.map(({ path, reason }) => words.leftOut(plainLine(path), text.translateReason(reason))),
    ...(hooksNotRun.length > 0 ? [words.hooksNotRun(hooksNotRun.join(words.between))] : []),
    ...(unsigned ? [words.unsigned] : []),
  ];
}

/** As a shell takes it. */
function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
