// Writes a folder with an ONNX sentence model of a few kilobytes: each token has a vector made from its name, and nothing else
// happens. Enough to try everything around a model; the protocol buffers are written by hand.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface TinyModelOptions {
  dimension?: number;
  /** Inputs the model asks for. */
  inputs?: readonly string[];
  /** Further files, by their path in the folder; texts as they are, the rest as JSON. */
  files?: Record<string, unknown>;
  /** Another one has other vectors. */
  name?: string;
}

const words =
  'the parser drops last token when input ends without a newline book table for two on friday evening near window text number of kind word query passage : ,';
const characters = '导航模块的坐标会漂移请检查周五晚上订一张靠窗桌子字，0123456789abcdefghijklmnopqrstuvwxyz';

export function writeTinyOnnxModel(folder: string, options: TinyModelOptions = {}): void {
  const { dimension = 32, inputs = ['input_ids', 'attention_mask'], files = {}, name = 'tiny' } = options;
  const tokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...new Set([...words.split(' '), ...characters])];
  for (const character of 'abcdefghijklmnopqrstuvwxyz0123456789') tokens.push(`##${character}`);
  const table = tokens.flatMap((token) => vectorOf(`${name} ${token}`, dimension));
  write(folder, 'onnx/model.onnx', encodeModel(table, tokens.length, dimension, inputs));
  write(folder, 'tokenizer.json', describeTokenizer(tokens));
  write(folder, 'tokenizer_config.json', { model_max_length: 64, do_lower_case: true });
  write(folder, 'config.json', { model_type: 'bert', hidden_size: dimension });
  for (const [path, content] of Object.entries(files)) write(folder, path, content);
}

function write(folder: string, path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
}

function vectorOf(name: string, dimension: number): number[] {
  const bytes = createHash('shake256', { outputLength: dimension }).update(name).digest();
  return [...bytes].map((byte) => byte / 127.5 - 1);
}

function describeTokenizer(tokens: readonly string[]): object {
  const special = (content: string) => ({
    id: tokens.indexOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  });
  const part = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(special),
    // Against the settings, as some published models have it.
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: false },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [part('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, part('[SEP]')],
      pair: [],
      special_tokens: Object.fromEntries(['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [tokens.indexOf(id)], tokens: [id] }])),
    },
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  };
}

/** ModelProto { ir_version 8, opset 17, graph { Gather(table, input_ids) → last_hidden_state } }. */
function encodeModel(table: readonly number[], rows: number, dimension: number, inputs: readonly string[]): Buffer {
  const tensor = message(
    packed(1, [rows, dimension]),
    number(2, 1),
    text(8, 'table'),
    bytes(9, Buffer.from(Float32Array.from(table).buffer)),
  );
  const node = message(text(1, 'table'), text(1, 'input_ids'), text(2, 'last_hidden_state'), text(4, 'Gather'));
  const value = (name: string, type: number, dims: readonly string[]) => {
    const shape = message(...dims.map((dim) => bytes(1, text(2, dim))));
    return message(text(1, name), bytes(2, bytes(1, message(number(1, type), bytes(2, shape)))));
  };
  const graph = message(
    bytes(1, node),
    text(2, 'tiny'),
    bytes(5, tensor),
    ...inputs.map((name) => bytes(11, value(name, 7, ['batch', 'length']))),
    bytes(12, value('last_hidden_state', 1, ['batch', 'length', 'width'])),
  );
  return message(number(1, 8), bytes(7, graph), bytes(8, number(2, 17)));
}

function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

function text(field: number, content: string): Buffer {
  return bytes(field, Buffer.from(content));
}

function packed(field: number, values: readonly number[]): Buffer {
  return bytes(field, Buffer.concat(values.map(varint)));
}

function varint(value: number): Buffer {
  const parts: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...parts, left]);
    parts.push((left % 128) + 128);
  }
}
