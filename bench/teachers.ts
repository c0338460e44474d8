// The encoders the static model learned from, through the onnx embedder. They are not part of the package: `node training/teachers.mjs`
// fetches them, and CONTINUO_ONNX_PACKAGES names a folder where onnxruntime-node and @huggingface/tokenizers are installed.
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Embedder } from '../src/model/ports/embedder.ts';
import { openOnnxEmbedder } from '../src/recall/embedders/onnx.ts';

export interface Teachers {
  english: Embedder;
  chinese: Embedder;
}

/** Undefined where they are not there. */
export async function openTeachers(root: string, scratch: string): Promise<Teachers | undefined> {
  const packages = process.env.CONTINUO_ONNX_PACKAGES;
  const english = join(root, 'training/work/teachers/minilm/models/Xenova/all-MiniLM-L6-v2');
  const chinese = join(root, 'training/work/teachers/bge-zh/lib/models');
  if (!packages || !existsSync(english) || !existsSync(chinese)) return undefined;
  const common = { packages, threads: 1 };
  const unpacked = await unpackTokenizer(chinese, join(scratch, 'bge-zh'));
  return {
    english: await openOnnxEmbedder({ folder: english, pooling: 'mean', ...common }),
    chinese: inLowerCase(await openOnnxEmbedder({ folder: unpacked, pooling: 'cls', ...common })),
  };
}

async function unpackTokenizer(from: string, to: string): Promise<string> {
  await mkdir(join(to, 'onnx'), { recursive: true });
  for (const name of ['config.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'])
    await symlink(join(from, name), join(to, name));
  await writeFile(join(to, 'tokenizer.json'), gunzipSync(await readFile(join(from, 'tokenizer.json.gz'))));
  return to;
}

/** Its tokenizer keeps capitals while its vocabulary has none. */
function inLowerCase(embedder: Embedder): Embedder {
  const { id, dimension } = embedder;
  return {
    id,
    dimension,
    embed: (texts, options) =>
      embedder.embed(
        texts.map((text) => text.toLowerCase()),
        options,
      ),
  };
}
