// The two packages that run an ONNX model. They are large and optional: found beside Continuo, in a folder of the caller, or in a
// folder above the model's. Never inside the model's own folder: what was downloaded along with a model is not run.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ContinuoError } from '../../model/error.ts';

/** What is used of `onnxruntime-node`. */
export interface OnnxRuntime {
  InferenceSession: { create(path: string, options?: object): Promise<OnnxSession> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => object;
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, object>, fetches: readonly string[]): Promise<Record<string, OnnxOutput | undefined>>;
}

export interface OnnxOutput {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** What is used of `@huggingface/tokenizers`. */
export interface TokenizersPackage {
  Tokenizer: new (tokenizer: object, config: object) => OnnxTokenizer;
}

export interface OnnxTokenizer {
  encode(text: string, options?: { add_special_tokens?: boolean }): { ids: number[] };
}

export interface OnnxPackages {
  runtime: OnnxRuntime;
  tokenizers: TokenizersPackage;
}

const runtimeName = 'onnxruntime-node';
const tokenizersName = '@huggingface/tokenizers';
/** The versions it was tested with; the same as in package.json. */
const wanted: Readonly<Record<string, string>> = { [runtimeName]: '1.30', [tokenizersName]: '0.2' };

export interface PackagePlaces {
  /** The model's folder. */
  folder: string;
  /** A folder of the caller where packages may be installed. */
  packages?: string | undefined;
}

/** The command that installs what is missing; undefined where nothing is. Loads nothing. */
export function findInstallCommand(places: PackagePlaces): string | undefined {
  const missing = [runtimeName, tokenizersName].filter((name) => find(name, places) === undefined);
  return missing.length === 0 ? undefined : installCommand(missing, places);
}

export function loadOnnxPackages(places: PackagePlaces): OnnxPackages {
  const missing: string[] = [];
  const runtime = load(runtimeName, places, missing) as OnnxRuntime | undefined;
  const tokenizers = load(tokenizersName, places, missing) as TokenizersPackage | undefined;
  if (!runtime || !tokenizers) {
    const command = installCommand(missing, places);
    throw new ContinuoError('embedder-packages-missing', { packages: missing.join(', '), command });
  }
  return { runtime, tokenizers };
}

function installCommand(missing: readonly string[], { packages }: PackagePlaces): string {
  const specifiers = missing.map((name) => `${name}@${wanted[name]}`).join(' ');
  return `npm install ${packages === undefined ? '' : `--prefix ${JSON.stringify(packages)} `}${specifiers}`;
}

function load(name: string, places: PackagePlaces, missing: string[]): unknown {
  const path = find(name, places);
  if (path === undefined) {
    missing.push(name);
    return undefined;
  }
  try {
    return createRequire(path)(path);
  } catch (cause) {
    // There, but for another system or half installed.
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new ContinuoError('embedder-package-broken', { package: name, path, reason }, { cause });
  }
}

function find(name: string, places: PackagePlaces): string | undefined {
  for (const base of basesOf(places)) {
    try {
      return createRequire(base).resolve(name);
    } catch {
      // Perhaps in the next place.
    }
  }
  return undefined;
}

function basesOf({ folder, packages }: PackagePlaces): string[] {
  const own = packages === undefined ? [] : [join(packages, 'package.json')];
  return [import.meta.url, ...own, join(dirname(folder), 'package.json')];
}
