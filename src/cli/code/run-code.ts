// One run of the coding agent, from its words to its report. A run that is told to stop is waited for, so that the session is saved
// and the way back is said before the program ends.
import type { CodeAgent } from '../../code-agent/code-agent.ts';
import type { WorkReport } from '../../code-agent/work-loop.ts';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { Context } from '../context.ts';
import { exitCodes, exitStatus } from '../exit-codes.ts';
import { Interrupted } from '../interrupted.ts';
import { giveCure } from '../next-step.ts';
import { firstLine, plainLine } from '../output/plain-text.ts';
import { settling } from '../stoppable.ts';
import type { CodePlan } from './code-options.ts';
import { type CodeReport, findPlace, renderReport, toJson } from './code-report.ts';
import { type OpenCode, openCode } from './open-code.ts';
import { describeNotice, errorOf } from './session-notices.ts';

export async function runCode(context: Context, plan: CodePlan, words: string | undefined): Promise<number> {
  const opened = await openCode(context, plan);
  return settling(context, (signal) => workOnce(context, plan, opened, words, signal).finally(() => opened.close()));
}

async function workOnce(
  context: Context,
  plan: CodePlan,
  opened: OpenCode,
  words: string | undefined,
  stop: AbortSignal,
): Promise<number> {
  const { agent, view } = opened;
  const isResumed = plan.resume !== undefined;
  if (plan.resume !== undefined && !(await restore(context, plan.resume, opened))) return exitStatus.refused;
  view.line(context.style.dim(context.text.code.start(plainLine(agent.model.id), plainLine(agent.rootDir))));
  const limit = plan.timeout === undefined ? undefined : AbortSignal.timeout(plan.timeout);
  const signal = limit ? AbortSignal.any([stop, limit]) : stop;
  let report: WorkReport | undefined;
  let commit: CodeReport['commit'];
  let error: ContinuoError | undefined;
  try {
    report = await agent.run(words, { signal });
    commit = plan.commit && (await commitWork(context, agent, report, plan.commit.message, signal));
  } catch (caught) {
    if (!isContinuoError(caught)) throw caught;
    const isLate = isContinuoError(caught, 'cancelled') && !stop.aborted && limit?.aborted;
    error = isLate ? new ContinuoError('timeout', { what: 'The work', seconds: (plan.timeout ?? 0) / 1000 }) : caught;
  }
  return tell(context, opened, { work: report, commit, error, isResumed }, stop);
}

async function restore(context: Context, wanted: NonNullable<CodePlan['resume']>, opened: OpenCode): Promise<boolean> {
  const source = wanted === 'latest' ? undefined : wanted.source;
  if (await opened.restore(source)) return true;
  const notice = opened.agent.lastNotice;
  if (notice === undefined || notice.code === 'session-not-chosen') {
    if (notice) context.output.note(describeNotice(context, notice));
    return false;
  }
  const error = errorOf(notice);
  throw source !== undefined && /\s/.test(source) ? giveCure(error, context.text.code.wordsFirst) : error;
}

/** Only what is done is committed, and only what the agent changed. */
async function commitWork(
  { text }: Context,
  agent: CodeAgent,
  { outcome }: WorkReport,
  message: string | undefined,
  signal: AbortSignal,
): Promise<CodeReport['commit']> {
  if (outcome === 'unchanged') return { skipped: text.code.commitNothing };
  if (outcome !== 'done') return { skipped: text.code.commitSkipped };
  return agent.commit(message ?? firstLine(agent.task ?? ''), { signal });
}

async function tell(context: Context, opened: OpenCode, report: CodeReport, stop: AbortSignal): Promise<number> {
  const { agent, view, notices } = opened;
  const { output, text, style } = context;
  const { work, error } = report;
  // Nothing was begun: it is an error as everywhere, or a person who thought better of it.
  if (error && agent.conversationId === undefined) throw stop.aborted ? new Interrupted() : error;
  const place = await findPlace(agent);
  const status = error ? exitCodes[error.code] : statusOf(work);
  view.watch.finish();
  if (output.json) {
    output.result(toJson(context, agent, report, notices, place), () => []);
    return status;
  }
  if (work && view.watch.end) await view.watch.print();
  const lines = await renderReport(context, agent, report, notices, place);
  if (lines.length > 0) output.line('', ...lines);
  if (!error) return status;
  const goOn = place ? `${text.code.labels.resume}: ${place.command}` : undefined;
  if (stop.aborted && !work) {
    output.warn(style.yellow(text.code.stopped), ...(goOn === undefined ? [] : [goOn]));
    return exitStatus.interrupted;
  }
  throw goOn === undefined || work ? error : giveCure(error, goOn);
}

function statusOf(work: WorkReport | undefined): number {
  return work?.outcome === 'done' || work?.outcome === 'unchanged' ? exitStatus.ok : exitStatus.unfinished;
}
