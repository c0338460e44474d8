// Which embedders can be used here, which one is, and how much of the index it has embedded.
import { ContinuoError } from '../../model/error.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import type { RecallStatus } from '../../recall/recall-engine.ts';
import { loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { openHomeWithKey } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import { configuredEmbedder, kindInUse, openConfigured, packagesFolder } from '../recall/configured-embedder.ts';

const kinds = ['static', 'openai-compatible', 'onnx', 'none'] as const;

interface Row {
  kind: (typeof kinds)[number];
  inUse: boolean;
  available: boolean;
  /** What makes it available. */
  install?: string;
}

export async function listEmbedders(context: Context): Promise<undefined> {
  const settings = configuredEmbedder(context);
  const used = await kindInUse(settings);
  const rows = await findKinds(context, used);
  const opened = used === 'none' ? undefined : await openConfigured(context, settings).catch(toProblem);
  const embedder = opened instanceof ContinuoError ? undefined : opened;
  const problem =
    opened instanceof ContinuoError ? { code: opened.code, message: describeError(opened, context.text) } : undefined;
  const vectors = embedder && (await readCoverage(context, embedder));
  if (context.output.json) {
    const { id, dimension } = embedder ?? {};
    const inUse = { kind: used, id: id ?? null, dimension: dimension ?? null, settings };
    const json = { inUse, vectors: vectors ?? null, problem: problem ?? null, embedders: rows };
    return void context.output.result(json, () => []);
  }
  await printRows(context, rows);
  const { output, style, text } = context;
  const words = text.embedder;
  if (embedder) output.line('', words.using(plainLine(embedder.id), embedder.dimension));
  else if (used === 'none') output.line('', words.usingNone);
  if (vectors) output.line(words.coverage(vectors.documents, vectors.behind));
  if (problem) output.note(style.yellow(words.wordsAlone(plainLine(problem.message))));
  output.note(style.dim(words.howToUse));
}

async function findKinds(context: Context, used: string): Promise<Row[]> {
  const { hasEmbedder } = await import('../../recall/embedders/open-embedder.ts');
  const { findInstallCommand } = await import('../../recall/embedders/onnx-packages.ts');
  const folder = configuredEmbedder(context)['embedder.folder'] ?? context.home;
  const install = findInstallCommand({ folder, packages: packagesFolder(context) });
  const rows = kinds.map(async (kind) => {
    const isHere = kind === 'none' || (await hasEmbedder(kind));
    const needs = kind === 'onnx' ? install : undefined;
    return {
      kind,
      inUse: kind === used,
      available: isHere && needs === undefined,
      ...(needs !== undefined && { install: needs }),
    };
  });
  return Promise.all(rows);
}

function toProblem(error: unknown): ContinuoError {
  return error instanceof ContinuoError ? error : new ContinuoError('internal', { reason: String(error) }, { cause: error });
}

/** Undefined where there is no store, or no index of it. */
async function readCoverage(context: Context, embedder: Embedder): Promise<RecallStatus['vectors']> {
  if ((await loadHome(context.home)) === undefined) return undefined;
  const { store: opened, key } = await openHomeWithKey(context, 'read');
  await using store = opened;
  const { openRecall } = await import('../../open-recall.ts');
  await using engine = await openRecall({ home: context.home, store, embedder, ...(key && { key }) });
  return (await engine.status()).vectors;
}

async function printRows({ output, style, terminal, text }: Context, rows: readonly Row[]): Promise<void> {
  const words = text.embedder;
  const cells = rows.map(({ kind, inUse, available, install }) => {
    const state = install !== undefined ? words.install(install) : available ? words.ready : words.notBundled;
    // One that is chosen and cannot run is not shown as if it did.
    const runs = inUse && available;
    return [
      { text: kind, paint: style.cyan },
      { text: words.kinds[kind] },
      runs ? { text: words.inUse, paint: style.green } : { text: state, paint: style.dim },
    ];
  });
  const { headings } = words;
  const columns = [
    { heading: headings.kind },
    { heading: headings.what, narrow: 30 },
    { heading: headings.state, flexible: true },
  ];
  const ruler = await createRuler([...Object.values(headings), ...cells.flat().map((cell) => cell.text)]);
  output.line(...renderTable(columns, cells, { ruler, width: terminal.columns, paintHeading: style.bold }));
}
