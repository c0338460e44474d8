// Where the optional packages that run a model lie, and a published model: where scripts/install-onnx.mjs puts them, or in the folders
// that CONTINUO_ONNX_PACKAGES and CONTINUO_ONNX_MODEL name. Undefined where they are not there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const installed = fileURLToPath(new URL('../onnx', import.meta.url));

export const onnxPackages = process.env.CONTINUO_ONNX_PACKAGES ?? ifPresent(installed, 'node_modules/onnxruntime-node');
export const onnxModel = process.env.CONTINUO_ONNX_MODEL ?? ifPresent(join(installed, 'node_modules/.models/all-MiniLM-L6-v2'));

function ifPresent(folder: string, part = ''): string | undefined {
  return existsSync(join(folder, part)) ? folder : undefined;
}
