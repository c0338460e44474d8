// The packages that run a model are optional for users and 288 MB large, and no part of an installation: the tests that need them run
// where `node scripts/install-onnx.mjs` has put them in test/onnx, which continuous integration does, along with a published model.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onnxModel, onnxPackages } from '../../../test/support/onnx-parts.ts';
import { needs } from '../../../test/support/require-system.ts';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type TinyModelOptions, writeTinyOnnxModel } from '../../../test/support/tiny-onnx-model.ts';
import { embedderConformance } from '../../testing/embedder-conformance.ts';
import { type OnnxOptions, openOnnxEmbedder } from './onnx.ts';
import { readOnnxFolder } from './onnx-folder.ts';
import { loadOnnxPackages } from './onnx-packages.ts';

function tiny(options?: TinyModelOptions, name = 'tiny-model'): string {
  const folder = join(createTemporaryFolder('onnx'), name);
  writeTinyOnnxModel(folder, options);
  return folder;
}

function open(folder: string, options: Partial<OnnxOptions> = {}) {
  return openOnnxEmbedder({ folder, ...(onnxPackages !== undefined && { packages: onnxPackages }), ...options });
}

describe('a model folder', () => {
  it('says which file is the model, how much it reads and how it pools', async () => {
    const folder = tiny({
      files: {
        '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
        'onnx/model.onnx_data': 'weights',
        'sentence_bert_config.json': { max_seq_length: 48 },
      },
    });
    expect(await readOnnxFolder(folder)).toEqual({
      name: 'tiny-model',
      modelFile: join(folder, 'onnx/model.onnx'),
      files: ['onnx/model.onnx', 'onnx/model.onnx_data', 'tokenizer.json'].map((file) => join(folder, file)),
      pooling: 'cls',
      maxTokens: 48,
      prefixes: {},
    });
  });

  it.each([
    ['multilingual-e5-small', {}, { query: 'query: ', passage: 'passage: ' }],
    ['intfloat_e5_base', {}, { query: 'query: ', passage: 'passage: ' }],
    [
      'some-model',
      { 'config.json': { _name_or_path: 'intfloat/multilingual-e5-large' } },
      { query: 'query: ', passage: 'passage: ' },
    ],
    ['bge-me5x', {}, {}],
    [
      'nomic',
      { 'config_sentence_transformers.json': { prompts: { query: 'search_query: ', document: '' } } },
      { query: 'search_query: ', passage: '' },
    ],
  ])('named %s says what goes before a text', async (name, files, prefixes) => {
    expect((await readOnnxFolder(tiny({ files }, name))).prefixes).toEqual(prefixes);
  });

  it('whose positions begin behind the padding reads two tokens less, and a limit without end is none', async () => {
    const files = {
      'config.json': { model_type: 'xlm-roberta', max_position_embeddings: 514 },
      'tokenizer_config.json': { model_max_length: 1e30 },
    };
    expect((await readOnnxFolder(tiny({ files }))).maxTokens).toBe(512);
  });

  it.each<[string, (folder: string) => void, string]>([
    ['is missing', (folder) => rmSync(folder, { recursive: true }), 'there is no such folder'],
    [
      'has no model',
      (folder) => rmSync(join(folder, 'onnx'), { recursive: true }),
      'there is no model.onnx or onnx/model.onnx in it',
    ],
    ['has no tokenizer', (folder) => rmSync(join(folder, 'tokenizer.json')), 'there is no tokenizer.json in it'],
    ['has no config', (folder) => rmSync(join(folder, 'config.json')), 'there is no config.json in it'],
    [
      'has a config that is no JSON',
      (folder) => writeFileSync(join(folder, 'config.json'), '<html>'),
      'its config.json cannot be read',
    ],
    [
      'has a list for settings',
      (folder) => writeFileSync(join(folder, 'tokenizer_config.json'), '[]'),
      'its tokenizer_config.json cannot be read',
    ],
    [
      'pools in a way that is not known',
      (folder) => {
        mkdirSync(join(folder, '1_Pooling'));
        writeFileSync(join(folder, '1_Pooling/config.json'), '{"pooling_mode_lasttoken": true}');
      },
      'its pooling is not known here: pooling_mode_lasttoken',
    ],
  ])('that %s is refused', async (_, spoil, reason) => {
    const folder = tiny();
    spoil(folder);
    await expect(open(folder)).rejects.toMatchObject({ code: 'embedder-folder-unfit', details: { path: folder, reason } });
  });

  it.skipIf(process.platform === 'win32')('with a pipe for a model is refused at once', async () => {
    const folder = tiny();
    rmSync(join(folder, 'onnx/model.onnx'));
    execFileSync('mkfifo', [join(folder, 'onnx/model.onnx')]);
    await expect(open(folder)).rejects.toMatchObject({ code: 'embedder-folder-unfit' });
  });

  it.each(['../other.onnx', '/etc/hostname', '.', 'onnx/none.onnx'])('does not give the file %s', async (file) => {
    await expect(open(tiny(), { file })).rejects.toMatchObject({ code: 'embedder-folder-unfit' });
  });
});

describe('the packages', () => {
  const needsNone = needs(!canLoad(), 'a checkout whose own node_modules does not hold onnxruntime-node');

  it.runIf(needsNone)('that are missing are named with the command that installs them', async () => {
    const folder = tiny();
    const place = join(folder, '..', 'packages');
    const error = await openOnnxEmbedder({ folder, packages: place }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'embedder-packages-missing',
      details: {
        packages: 'onnxruntime-node, @huggingface/tokenizers',
        command: `npm install --prefix "${place}" onnxruntime-node@1.30 @huggingface/tokenizers@0.2`,
      },
    });
  });

  it.runIf(needsNone)('inside of a model folder are not run', async () => {
    const folder = tiny();
    installFake(folder, 'onnxruntime-node', `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '')`);
    await expect(openOnnxEmbedder({ folder })).rejects.toMatchObject({ code: 'embedder-packages-missing' });
    expect(() => readFileSync(join(folder, 'ran'))).toThrow('ENOENT');
  });

  it('that cannot be loaded are told with their place', () => {
    const folder = createTemporaryFolder('onnx-packages');
    installFake(folder, 'onnxruntime-node', 'throw new Error("made for another system")');
    const load = () => loadOnnxPackages({ folder: join(folder, 'model') });
    if (canLoad()) return void expect(load).not.toThrow();
    expect(load).toThrow(expect.objectContaining({ code: 'embedder-package-broken' }) as Error);
  });

  it('are found in the folder of the caller and above the model, with the version that package.json asks for', () => {
    const folder = createTemporaryFolder('onnx-packages');
    installFake(folder, 'onnxruntime-node', 'exports.here = true');
    installFake(folder, '@huggingface/tokenizers', 'exports.here = true');
    const elsewhere = loadOnnxPackages({ folder: '/nowhere/model', packages: folder });
    const above = loadOnnxPackages({ folder: join(folder, 'models', 'e5') });
    if (!canLoad()) expect([elsewhere, above]).toMatchObject([{ runtime: { here: true } }, { runtime: { here: true } }]);
    const record = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as Record<string, unknown>;
    expect(record.peerDependencies).toEqual({ '@huggingface/tokenizers': '^0.2.0', 'onnxruntime-node': '^1.30.0' });
  });
});

const canRun = needs(canLoad() || onnxPackages !== undefined, 'what scripts/install-onnx.mjs installs');
describe.runIf(canRun)('a model that runs', () => {
  for (const { name, run } of embedderConformance(() => open(tiny()))) it(name, run);

  it('is named by its content: another model, tokenizer or prefix is another id; the folder may move', async () => {
    const [one, moved, other, prefixed] = await Promise.all([
      open(tiny()),
      open(tiny()),
      open(tiny({ name: 'other' })),
      open(tiny(), { prefixes: { passage: 'passage: ' } }),
    ]);
    expect(moved.id).toBe(one.id);
    expect(one.id).toMatch(/^onnx\/tiny-model\/[0-9a-f]{16}$/);
    expect(new Set([one, other, prefixed].map(({ id }) => id)).size).toBe(3);
  });

  it('is not loaded before the first text once its facts are known', async () => {
    const folder = tiny();
    const cache = join(folder, '..', 'cache.json');
    const first = await open(folder, { cache });
    const again = await openOnnxEmbedder({ folder, cache, packages: '/nowhere' });
    expect([again.id, again.dimension]).toEqual([first.id, first.dimension]);
    writeFileSync(cache, '{"files": 3, "dimensions": {"x": -1}}');
    expect((await open(folder, { cache })).id).toBe(first.id);
  });

  it('cuts what is too long and keeps the tokens at the end; padding counts for nothing', async () => {
    const embedder = await open(tiny(), { maxTokens: 8 });
    const [short, long, longer] = await embedder.embed(['the the the the the the', 'the '.repeat(7), 'the '.repeat(5000)]);
    expect(long).toEqual(short);
    expect(longer).toEqual(short);
  });

  it('reads the first token alone where it pools so', async () => {
    const files = { '1_Pooling/config.json': { pooling_mode_cls_token: true } };
    const embedder = await open(tiny({ files }));
    const [one, other] = await embedder.embed(['parser', 'window']);
    expect(one).toEqual(other);
  });

  it('puts before a text what the model was trained with', async () => {
    const plain = await open(tiny());
    const e5 = await open(tiny({}, 'multilingual-e5-small'));
    const [question] = await e5.embed(['the parser'], { kind: 'query' });
    const [passage] = await e5.embed(['the parser'], { kind: 'passage' });
    expect([question, passage]).toEqual(await plain.embed(['query: the parser', 'passage: the parser']));
  });

  it('follows the settings where they say that capitals do not count', async () => {
    const [small, large] = await (await open(tiny())).embed(['the parser', 'THE Parser']);
    expect(large).toEqual(small);
  });

  it.each<[string, TinyModelOptions, string]>([
    [
      'asks for pictures',
      { inputs: ['input_ids', 'pixel_values'] },
      'its model asks for something else than a text: pixel_values',
    ],
    ['is no model', { files: { 'onnx/model.onnx': 'hello' } }, 'its model cannot be loaded: '],
    [
      'has a broken tokenizer',
      { files: { 'tokenizer.json': { model: { type: 'WordPiece' } } } },
      'its tokenizer.json cannot be used',
    ],
  ])('that %s is refused', async (_, options, reason) => {
    await expect(open(tiny(options))).rejects.toMatchObject({
      code: 'embedder-folder-unfit',
      details: { reason: expect.stringContaining(reason) as string },
    });
  });
});

describe.runIf(canRun && needs(onnxModel !== undefined, 'a published model'))('a published model', () => {
  for (const { name, run } of embedderConformance(() => open(onnxModel as string))) it(name, run, 120_000);
});

function canLoad(): boolean {
  try {
    loadOnnxPackages({ folder: '/nowhere/model' });
    return true;
  } catch {
    return false;
  }
}

function installFake(folder: string, name: string, code: string): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name, version: '1.30.0', main: 'index.cjs' }));
  writeFileSync(join(place, 'index.cjs'), code);
}
