// What a folder with a sentence model says of itself: which file is the model, how its vectors are pooled, how much it reads, what
// goes before a question. Everything in it may have been downloaded from anywhere: it is checked, and no path in it leads out.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import type { Pooling } from './onnx-pooling.ts';

export interface OnnxFolder {
  /** The last part of its path. */
  name: string;
  modelFile: string;
  /** The model and what belongs to it: everything that decides about a vector. */
  files: string[];
  pooling: Pooling | undefined;
  maxTokens: number;
  prefixes: { query?: string; passage?: string };
}

type Settings = Record<string, unknown>;

const modelFiles = [
  'model.onnx',
  'onnx/model.onnx',
  'model_quantized.onnx',
  'onnx/model_quantized.onnx',
  'onnx/model_int8.onnx',
  'onnx/model_qint8_arm64.onnx',
  'onnx/model_quint8_avx2.onnx',
  'onnx/model_uint8.onnx',
  'onnx/model_fp16.onnx',
  'onnx/model_O4.onnx',
];
const largestJson = 100_000_000;
const mostTokens = 8192;
const usualTokens = 512;

/** `file` names the model where the folder holds several. */
export async function readOnnxFolder(path: string, file?: string): Promise<OnnxFolder> {
  const folder = resolve(path);
  if (!(await isKind(folder, 'isDirectory'))) throw unfit(folder, 'there is no such folder');
  const modelFile = await findModelFile(folder, file);
  for (const needed of ['tokenizer.json', 'config.json']) {
    if (!(await isKind(join(folder, needed), 'isFile'))) throw unfit(folder, `there is no ${needed} in it`);
  }
  const config = (await readSettings(folder, 'config.json')) ?? {};
  const tokenizerConfig = (await readSettings(folder, 'tokenizer_config.json')) ?? {};
  const sentence = (await readSettings(folder, 'sentence_bert_config.json')) ?? {};
  const prompts = asSettings((await readSettings(folder, 'config_sentence_transformers.json'))?.prompts);
  const name = basename(folder);
  return {
    name,
    modelFile,
    files: [...(await findParts(modelFile)), join(folder, 'tokenizer.json')],
    pooling: await readPooling(folder),
    maxTokens: readMaxTokens(config, tokenizerConfig, sentence),
    prefixes: readPrefixes(prompts, `${name} ${String(config._name_or_path ?? '')}`),
  };
}

/** The tokenizer as its file describes it, and its settings. */
export async function readTokenizer(path: string): Promise<{ tokenizer: Settings; config: Settings }> {
  const folder = resolve(path);
  const tokenizer = (await readSettings(folder, 'tokenizer.json')) ?? {};
  const config = (await readSettings(folder, 'tokenizer_config.json')) ?? {};
  const normalizer = asSettings(tokenizer.normalizer);
  // Some files say one thing in one place and another in the other; the settings win, as where these models were made.
  if (normalizer.type === 'BertNormalizer' && typeof config.do_lower_case === 'boolean') {
    tokenizer.normalizer = { ...normalizer, lowercase: config.do_lower_case };
  }
  return { tokenizer, config };
}

export function unfit(path: string, reason: string, cause?: unknown): ContinuoError {
  return new ContinuoError('embedder-folder-unfit', { path, reason }, cause === undefined ? {} : { cause });
}

async function findModelFile(folder: string, file: string | undefined): Promise<string> {
  if (file !== undefined) {
    const chosen = resolve(folder, file);
    if (relative(folder, chosen).startsWith(`..${sep}`) || !chosen.startsWith(folder + sep)) {
      throw unfit(folder, 'the model file must be inside of it');
    }
    if (!(await isKind(chosen, 'isFile'))) throw unfit(folder, `there is no ${file} in it`);
    return chosen;
  }
  for (const each of modelFiles) if (await isKind(join(folder, each), 'isFile')) return join(folder, each);
  throw unfit(folder, 'there is no model.onnx or onnx/model.onnx in it');
}

/** Large models keep their weights in files beside them: `model.onnx_data`, `model.onnx.data`. */
async function findParts(modelFile: string): Promise<string[]> {
  const folder = dirname(modelFile);
  const names = (await readdir(folder)).filter((name) => name.startsWith(basename(modelFile))).sort();
  const parts: string[] = [];
  for (const name of names) if (await isKind(join(folder, name), 'isFile')) parts.push(join(folder, name));
  return parts;
}

async function readPooling(folder: string): Promise<Pooling | undefined> {
  const settings = await readSettings(folder, '1_Pooling/config.json');
  if (!settings) return undefined;
  const chosen = Object.keys(settings).filter((key) => key.startsWith('pooling_mode_') && settings[key] === true);
  if (chosen.length === 1 && chosen[0] === 'pooling_mode_cls_token') return 'cls';
  if (chosen.length === 1 && chosen[0] === 'pooling_mode_mean_tokens') return 'mean';
  throw unfit(folder, `its pooling is not known here: ${chosen.join(', ').slice(0, 200) || 'none'}`);
}

function readMaxTokens(config: Settings, tokenizer: Settings, sentence: Settings): number {
  // RoBERTa and its kin count positions from behind their padding.
  const isRoberta = typeof config.model_type === 'string' && config.model_type.includes('roberta');
  const offset = isRoberta ? 2 : 0;
  const positions = asCount(config.max_position_embeddings);
  const limits = [
    asCount(sentence.max_seq_length),
    asCount(tokenizer.model_max_length),
    positions === undefined ? undefined : Math.max(1, positions - offset),
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? usualTokens : Math.min(...limits);
}

function readPrefixes(prompts: Settings, names: string): { query?: string; passage?: string } {
  const query = asPrefix(prompts.query);
  const passage = asPrefix(prompts.passage) ?? asPrefix(prompts.document);
  if (query !== undefined || passage !== undefined) {
    return { ...(query !== undefined && { query }), ...(passage !== undefined && { passage }) };
  }
  const isE5 = /(?:^|[^a-z0-9])e5(?:[^a-z0-9]|$)/i.test(names);
  return isE5 ? { query: 'query: ', passage: 'passage: ' } : {};
}

function asPrefix(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 1000 ? value : undefined;
}

function asCount(value: unknown): number | undefined {
  // "As much as you like" is written as a very large number.
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= mostTokens ? (value as number) : undefined;
}

/** Undefined where there is no such file. */
async function readSettings(folder: string, file: string): Promise<Settings | undefined> {
  const path = join(folder, file);
  if (!(await isKind(path, 'isFile'))) return undefined;
  if ((await stat(path)).size > largestJson) throw unfit(folder, `its ${file} is too large`);
  try {
    const parsed: unknown = JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, ''));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Settings;
  } catch (error) {
    throw unfit(folder, `its ${file} cannot be read`, error);
  }
  throw unfit(folder, `its ${file} cannot be read`);
}

function asSettings(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};
}

/** Pipes and devices are neither: reading one might never end. */
async function isKind(path: string, kind: 'isFile' | 'isDirectory'): Promise<boolean> {
  return stat(path).then(
    (found) => found[kind](),
    () => false,
  );
}
