// Vectors from a sentence model in a local folder (ONNX, as multilingual-e5-small is published), through optional packages that are
// loaded with the first text. Texts go in batches of like length. The id names the model's content: another model embeds anew.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import type { Embedder, EmbedOptions } from '../../model/ports/embedder.ts';
import { FingerprintCache } from './file-fingerprint.ts';
import { type OnnxFolder, readOnnxFolder, readTokenizer, unfit } from './onnx-folder.ts';
import { loadOnnxPackages, type OnnxRuntime, type OnnxSession, type OnnxTokenizer } from './onnx-packages.ts';
import { type Pooling, poolVectors } from './onnx-pooling.ts';

export interface OnnxOptions {
  /** Holds the model, tokenizer.json and config.json. */
  folder: string;
  /** The model's file in it, where there are several. */
  file?: string;
  /** Where the folder does not say; `mean` unless given. */
  pooling?: Pooling;
  /** Put before each text, where the model was trained so; what the folder says unless given. */
  prefixes?: { query?: string; passage?: string };
  /** Longer texts are cut; what the folder says unless given. */
  maxTokens?: number;
  /** Threads for one batch; as many as there are cores, and at most 4, unless given. */
  threads?: number;
  /** A folder where the packages may be installed, beside the usual places. */
  packages?: string;
  /** A file that keeps the hashes of model files, so that they are read once. */
  cache?: string;
}

/** Reads what the folder says; the model itself is loaded with the first text. */
export async function openOnnxEmbedder(options: OnnxOptions): Promise<Embedder> {
  const folder = await readOnnxFolder(options.folder, options.file);
  const cache = new FingerprintCache(options.cache);
  const plan: Plan = {
    options,
    folder,
    // What the folder says was so in training; the setting is for folders that do not.
    pooling: folder.pooling ?? options.pooling ?? 'mean',
    prefixes: { ...folder.prefixes, ...options.prefixes },
    maxTokens: Math.max(8, Math.min(options.maxTokens ?? folder.maxTokens, folder.maxTokens)),
  };
  const id = `onnx/${folder.name}/${await fingerprint(plan, cache)}`;
  const known = await cache.findDimension(id);
  if (known !== undefined) return new OnnxEmbedder(id, known, plan);
  // Nothing in the folder tells it reliably: one text is embedded.
  const model = new OnnxModel(id, plan);
  const [vector] = await model.run([(await model.encode(['text'], 'passage'))[0] as Encoded]);
  const dimension = (vector as Float32Array).length;
  await cache.putDimension(id, dimension);
  return new OnnxEmbedder(id, dimension, plan, model);
}

interface Plan {
  options: OnnxOptions;
  folder: OnnxFolder;
  pooling: Pooling;
  prefixes: { query?: string; passage?: string };
  maxTokens: number;
}

async function fingerprint({ folder, pooling, prefixes, maxTokens }: Plan, cache: FingerprintCache): Promise<string> {
  const hash = createHash('sha256');
  for (const file of folder.files) hash.update(await cache.hashOf(file));
  hash.update(JSON.stringify([pooling, prefixes.passage ?? '', maxTokens]));
  return hash.digest('hex').slice(0, 16);
}

interface Encoded {
  place: number;
  ids: readonly number[];
}

/** Padded tokens of one batch: what a batch may cost. */
const batchTokens = 4096;
const batchTexts = 32;
/** No token is longer on average: what lies behind is never read, and long texts are not taken apart for nothing. */
const charactersPerToken = 12;

class OnnxEmbedder implements Embedder {
  readonly id: string;
  readonly dimension: number;
  readonly #model: OnnxModel;

  constructor(id: string, dimension: number, plan: Plan, model = new OnnxModel(id, plan)) {
    this.id = id;
    this.dimension = dimension;
    this.#model = model;
  }

  async embed(texts: readonly string[], { signal, kind = 'passage' }: EmbedOptions = {}): Promise<Float32Array[]> {
    assertWanted(signal);
    const vectors: Float32Array[] = texts.map(() => new Float32Array(this.dimension));
    if (texts.every((text) => text.trim() === '')) return vectors;
    const encoded = await this.#model.encode(texts, kind);
    for (const batch of batchesOf(encoded, await this.#model.textsAtOnce())) {
      assertWanted(signal);
      for (const [i, vector] of (await this.#model.run(batch)).entries()) {
        if (vector.length !== this.dimension) {
          const details = { embedder: this.id, expected: this.dimension, found: vector.length };
          throw new ContinuoError('dimension-mismatch', details);
        }
        vectors[(batch[i] as Encoded).place] = vector;
      }
    }
    assertWanted(signal);
    return vectors;
  }
}

/** Like lengths together, so that little is padded. */
function* batchesOf(encoded: readonly Encoded[], atOnce: number): Generator<Encoded[]> {
  let batch: Encoded[] = [];
  for (const each of [...encoded].sort((a, b) => a.ids.length - b.ids.length)) {
    if (batch.length >= atOnce || (batch.length > 0 && (batch.length + 1) * each.ids.length > batchTokens)) {
      yield batch;
      batch = [];
    }
    batch.push(each);
  }
  if (batch.length > 0) yield batch;
}

interface Loaded {
  runtime: OnnxRuntime;
  session: OnnxSession;
  output: string;
  tokenizer: OnnxTokenizer;
  /** Special tokens that stand at the end of every text. */
  tail: number;
  textsAtOnce: number;
}

/** The session and the tokenizer, loaded once when they are needed. A failure is not remembered. */
class OnnxModel {
  readonly #id: string;
  readonly #plan: Plan;
  #loading: Promise<Loaded> | undefined;

  constructor(id: string, plan: Plan) {
    this.#id = id;
    this.#plan = plan;
  }

  /** The tokens of each text that has content. */
  async encode(texts: readonly string[], kind: 'query' | 'passage'): Promise<Encoded[]> {
    const { tokenizer, tail } = await this.#load();
    const { maxTokens, prefixes } = this.#plan;
    const prefix = prefixes[kind] ?? '';
    return [...texts.entries()].flatMap(([place, given]) => {
      const text = given.trim().slice(0, maxTokens * charactersPerToken);
      if (text === '') return [];
      const { ids } = this.#tokenize(tokenizer, (prefix + text).toWellFormed());
      if (ids.length <= maxTokens) return [{ place, ids }];
      return [{ place, ids: [...ids.slice(0, maxTokens - tail), ...ids.slice(ids.length - tail)] }];
    });
  }

  async textsAtOnce(): Promise<number> {
    return (await this.#load()).textsAtOnce;
  }

  async run(batch: readonly Encoded[]): Promise<Float32Array[]> {
    const { runtime, session, output } = await this.#load();
    const width = Math.max(...batch.map(({ ids }) => ids.length));
    const size = batch.length * width;
    const ids = new BigInt64Array(size);
    const mask = new BigInt64Array(size);
    for (const [row, { ids: tokens }] of batch.entries()) {
      for (const [column, token] of tokens.entries()) {
        ids[row * width + column] = BigInt(token);
        mask[row * width + column] = 1n;
      }
    }
    const dims = [batch.length, width];
    const inputs: Record<string, () => BigInt64Array> = {
      input_ids: () => ids,
      attention_mask: () => mask,
      token_type_ids: () => new BigInt64Array(size),
    };
    const feeds = Object.fromEntries(
      session.inputNames.map((name) => [name, new runtime.Tensor('int64', (inputs[name] as () => BigInt64Array)(), dims)]),
    );
    const answer = await session.run(feeds, [output]).catch((cause: unknown) => {
      throw new ContinuoError('embedder-failed', { embedder: this.#id, reason: firstLine(cause) }, { cause });
    });
    const lengths = batch.map(({ ids: tokens }) => tokens.length);
    return poolVectors(answer[output], { embedder: this.#id, pooling: this.#plan.pooling, lengths });
  }

  #tokenize(tokenizer: OnnxTokenizer, text: string): { ids: readonly number[] } {
    let ids: unknown;
    try {
      ({ ids } = tokenizer.encode(text));
    } catch (cause) {
      throw new ContinuoError('embedder-refused', { embedder: this.#id, reason: firstLine(cause) }, { cause });
    }
    const isWhole = Array.isArray(ids) && ids.length > 0 && ids.every((token) => Number.isSafeInteger(token) && token >= 0);
    if (!isWhole) throw unfit(this.#plan.options.folder, 'its tokenizer.json gives no tokens');
    return { ids: ids as number[] };
  }

  #load(): Promise<Loaded> {
    this.#loading ??= this.#open().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #open(): Promise<Loaded> {
    const { options, folder } = this.#plan;
    const path = resolve(options.folder);
    const { runtime, tokenizers } = loadOnnxPackages({ folder: path, packages: options.packages });
    const [session, tokenizer] = await Promise.all([
      openSession(runtime, folder.modelFile, options.threads).catch((cause: unknown) => {
        throw unfit(path, `its model cannot be loaded: ${firstLine(cause)}`, cause);
      }),
      readTokenizer(path).then(({ tokenizer: described, config }) => {
        try {
          return new tokenizers.Tokenizer(described, config);
        } catch (cause) {
          throw unfit(path, 'its tokenizer.json cannot be used', cause);
        }
      }),
    ]);
    const strange = session.inputNames.find((name) => !knownInputs.includes(name));
    if (strange !== undefined || !session.inputNames.includes('input_ids')) {
      throw unfit(
        path,
        `its model asks for something else than a text: ${(strange ?? session.inputNames.join(', ')).slice(0, 100)}`,
      );
    }
    // One that pools by itself may do more than pooling: what it says counts.
    const output = knownOutputs.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0];
    if (output === undefined) throw unfit(path, 'its model puts nothing out');
    const textsAtOnce = (await roundsByBatch(folder.modelFile)) ? 1 : batchTexts;
    return { runtime, session, output, tokenizer, tail: this.#countTail(tokenizer), textsAtOnce };
  }

  #countTail(tokenizer: OnnxTokenizer): number {
    const whole = this.#tokenize(tokenizer, 'text').ids;
    const bare = this.#tokenize({ encode: (text) => tokenizer.encode(text, { add_special_tokens: false }) }, 'text').ids;
    const start = whole.findIndex((_, i) => bare.every((token, j) => whole[i + j] === token));
    return start < 0 ? 0 : whole.length - start - bare.length;
  }
}

const knownInputs: readonly string[] = ['input_ids', 'attention_mask', 'token_type_ids'];
const knownOutputs: readonly string[] = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'];

function openSession(runtime: OnnxRuntime, file: string, threads: number | undefined): Promise<OnnxSession> {
  const intraOpNumThreads = threads ?? Math.max(1, Math.min(4, availableParallelism()));
  return runtime.InferenceSession.create(file, { intraOpNumThreads, interOpNumThreads: 1, logSeverityLevel: 3 });
}

/**
 * Models with 8 bits a weight often round what passes through them on a scale that they take from the whole batch: a text would get
 * another vector in other company. The names of such steps stand at the beginning of the file.
 */
async function roundsByBatch(file: string): Promise<boolean> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(firstBytes) });
  return buffer.subarray(0, bytesRead).includes('DynamicQuantize');
}

const firstBytes = 4_000_000;

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed().replace(/\.$/, '');
}

function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
}
