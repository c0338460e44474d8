// Recall over the home's store, as every command has it: private projects left out, trouble with the index told in one line.

import { isContinuoError } from '../../model/error.ts';
import type { Recall, RecallAnswer, RecallQuery } from '../../model/ports/recall.ts';
import type { CatchUpResult } from '../../recall/index/indexer.ts';
import type { RecallEngine, RecallProblem } from '../../recall/recall-engine.ts';
import type { PrivateProjects } from '../../recall/visibility.ts';
import { loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import { embedIndexed } from '../embedder/embed-all.ts';
import { describeError } from '../error-report.ts';
import type { OpenHome } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { withProgress } from '../output/progress.ts';
import { withDimensionCheck } from './check-dimension.ts';
import { embedderOptions } from './configured-embedder.ts';
import type { Here } from './here.ts';

export interface HomeRecall extends Recall {
  /** Undefined where there is no store, and so no index. */
  readonly engine: RecallEngine | undefined;
  /** Whether vectors cost so little that a search that waits anyway waits for them, too. */
  readonly embedsQuickly: boolean;
  close(): Promise<void>;
}

const worthTellingAfter = 1500;

/** To be closed before the store. `find` asks from here, unless the query says otherwise. */
export async function openHomeRecall(
  context: Context,
  { store, key }: OpenHome,
  here: Pick<Here, 'key'> & { hidden: PrivateProjects },
  embedder?: ReturnType<typeof embedderOptions>,
): Promise<HomeRecall> {
  const privateProjects = here.hidden;
  const ask = (recall: Recall) => (query: RecallQuery) => recall.find({ hereProject: here.key, ...query });
  if ((await loadHome(context.home)) === undefined) {
    const { createScanRecall } = await import('../../recall/scan-recall.ts');
    const scan = createScanRecall(store, { privateProjects, clock: () => context.now() });
    return { engine: undefined, embedsQuickly: false, find: ask(scan), close: async () => undefined };
  }
  const { openRecall } = await import('../../open-recall.ts');
  const options = await (embedder ?? embedderOptions(context));
  const engine = await openRecall({
    home: context.home,
    store,
    ...(key && { key }),
    privateProjects,
    clock: () => context.now(),
    onProblem: createProblemTeller(context),
    ...options,
    embedder: options.embedder ? withDimensionCheck(context, options.embedder) : null,
  });
  context.cleanups.add(() => engine.close());
  return { engine, embedsQuickly: options.embedsInSearch === true, find: ask(engine), close: () => engine.close() };
}

/** Finds; where not everything is indexed, that is made up for first, with a bar where it takes long. */
export async function findCaughtUp(context: Context, recall: HomeRecall, query: RecallQuery): Promise<RecallAnswer> {
  const answer = await recall.find(query);
  const { complete, incompleteBecause } = answer.searched;
  if (complete || incompleteBecause === 'newest-only' || incompleteBecause === 'index-newer' || !recall.engine) return answer;
  // What is wrong with the index was told by the search.
  const caughtUp = await catchUp(context, recall.engine).catch((error: unknown) => {
    if (!isContinuoError(error, 'permission-denied') && !isContinuoError(error, 'disk-full')) throw error;
    return { complete: false };
  });
  // What is wrong with the embedder is told by the search.
  if (recall.embedsQuickly) await embedIndexed(context, recall.engine).catch(() => undefined);
  return caughtUp?.complete === false ? answer : recall.find(query);
}

async function catchUp(context: Context, engine: RecallEngine): Promise<Pick<CatchUpResult, 'complete'> | undefined> {
  const wait = 5000;
  const { output, style, text, terminal } = context;
  // Where nobody sees a bar, one line says what the wait is for.
  const tell = () => output.note(style.dim(text.reindex.waiting));
  const telling = terminal.stderr ? undefined : setTimeout(tell, worthTellingAfter);
  try {
    return await withProgress(context, text.reindex.catchingUp, (onProgress) =>
      engine.catchUp({ onProgress, wait, vectors: false }),
    );
  } finally {
    clearTimeout(telling);
  }
}

function createProblemTeller({ output, style, text }: Context): (problem: RecallProblem) => void {
  let hasToldOfEmbedder = false;
  return ({ what, error }) => {
    // An index that was thrown away fills again by itself.
    if (what === 'index-replaced') return;
    const reason = isContinuoError(error) ? describeError(error, text) : error instanceof Error ? error.message : '';
    if (what !== 'embedding-failed') return output.note(style.dim(text.reindex.problem(reason)));
    // It is tried again and again.
    if (!hasToldOfEmbedder) output.warn(style.yellow(text.embedder.wordsAlone(plainLine(reason))));
    hasToldOfEmbedder = true;
  };
}
