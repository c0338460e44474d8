// Every kind of embedder there is, and how one is opened. A new kind is one line in the table; what is heavy is loaded when it is chosen.
import { ContinuoError } from '../../model/error.ts';
import type { Embedder } from '../../model/ports/embedder.ts';
import type { Pooling } from './onnx-pooling.ts';

export type EmbedderKind = 'static' | 'openai-compatible' | 'onnx';

export interface EmbedderChoice {
  kind: EmbedderKind;
  /** The name a server knows it by; for `onnx`, the model's file where its folder holds several. */
  model?: string;
  /** `openai-compatible`: with the version, `http://127.0.0.1:11434/v1`. */
  baseUrl?: string;
  key?: string;
  /** `openai-compatible`: of the vectors. Unless given the server is asked. */
  dimension?: number;
  /** `onnx`: with the model, its tokenizer and its settings. */
  folder?: string;
  pooling?: Pooling;
  prefixes?: { query?: string; passage?: string };
  /** `onnx`: a folder where the optional packages may be installed. */
  packages?: string;
  /** `onnx` and `static`: a file that keeps the hashes of model files. */
  cache?: string;
}

interface KindEntry {
  /** So fast that a search may see to missing vectors itself. */
  isQuick: boolean;
  /** Whether this installation has it; it has unless given. */
  isHere?(): Promise<boolean>;
  open(choice: EmbedderChoice): Promise<Embedder>;
}

const kinds: { readonly [Kind in EmbedderKind]: KindEntry } = {
  static: {
    isQuick: true,
    isHere: async () => (await import('./static.ts')).hasBundledModel(),
    open: async ({ cache }) => (await import('./static.ts')).openStaticEmbedder({ ...(cache !== undefined && { cache }) }),
  },
  'openai-compatible': { isQuick: false, open: openServer },
  onnx: { isQuick: false, open: openFolder },
};

export async function hasEmbedder(kind: EmbedderKind): Promise<boolean> {
  return (await kinds[kind].isHere?.()) ?? true;
}

/** The one that needs no setting up; undefined where this installation has none. */
export async function findDefaultEmbedder(): Promise<EmbedderKind | undefined> {
  return (await hasEmbedder('static')) ? 'static' : undefined;
}

export function isQuickEmbedder(kind: EmbedderKind): boolean {
  return kinds[kind].isQuick;
}

/** Fails with a code that says what to do where it cannot be used. */
export async function openEmbedder(choice: EmbedderChoice): Promise<Embedder> {
  if (await hasEmbedder(choice.kind)) return kinds[choice.kind].open(choice);
  throw new ContinuoError('invalid-input', { what: 'embedder', reason: 'this installation has none of this kind' });
}

async function openFolder({ folder, model, pooling, prefixes, packages, cache }: EmbedderChoice): Promise<Embedder> {
  if (folder === undefined) throw new ContinuoError('invalid-input', { what: 'embedder', reason: 'it needs a folder' });
  const { openOnnxEmbedder } = await import('./onnx.ts');
  return openOnnxEmbedder({
    folder,
    ...(model !== undefined && { file: model }),
    ...(pooling !== undefined && { pooling }),
    ...(prefixes && { prefixes }),
    ...(packages !== undefined && { packages }),
    ...(cache !== undefined && { cache }),
  });
}

async function openServer({ baseUrl, model, key, prefixes, dimension: known }: EmbedderChoice): Promise<Embedder> {
  if (baseUrl === undefined || model === undefined) {
    throw new ContinuoError('invalid-input', { what: 'embedder', reason: 'it needs a base URL and a model' });
  }
  const { createOpenAiCompatibleEmbedder, findDimension } = await import('./openai-compatible.ts');
  const options = { baseUrl, model, ...(key !== undefined && { key }), ...(prefixes && { prefixes }) };
  // Somebody waits for the answer to a question: better words alone now than meaning later.
  const impatient = { timeout: 2000, retry: { attempts: 2, firstDelay: 200, maxDelay: 1000 }, retriesTimeouts: false };
  const dimension = known ?? (await findDimension({ ...options, ...impatient }));
  const passages = createOpenAiCompatibleEmbedder({ ...options, dimension });
  const questions = createOpenAiCompatibleEmbedder({ ...options, ...impatient, dimension });
  const { id } = passages;
  return {
    id,
    dimension,
    embed: (texts, asked) => (asked?.kind === 'query' ? questions : passages).embed(texts, asked),
  };
}
