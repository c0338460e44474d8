// What the project's own files say about where its modules are: tsconfig paths, package names and exports, Go modules, Rust crates.
// A manifest that cannot be read as what it should be says nothing.
import type { JsonValue } from '../../../base/json.ts';
import { maskCode } from '../languages/mask-code.ts';
import { scriptLexis } from '../languages/typescript.ts';
import { folderOf, joinPath, nameOf } from './project-path.ts';

export interface PackageManifest {
  folder: string;
  name?: string;
  exports?: JsonValue;
  imports?: JsonValue;
  /** What stands for the package as a whole, best first. */
  mains: string[];
}

export interface PathMapping {
  /** Where non-relative names are looked up; undefined where the configuration does not say. */
  baseUrl?: string;
  paths: { pattern: string; targets: string[] }[];
}

export interface Manifests {
  packages: ReadonlyMap<string, PackageManifest>;
  packagesByName: ReadonlyMap<string, PackageManifest>;
  /** By the folder of the configuration file. */
  mappings: ReadonlyMap<string, PathMapping>;
  /** Go module path by folder. */
  goModules: ReadonlyMap<string, string>;
  /** Folder by the name of a Rust crate, dashes written as underscores. */
  crates: ReadonlyMap<string, string>;
}

const manifestName = /^(?:package\.json|go\.mod|Cargo\.toml|[tj]sconfig(?:\.[\w-]+)?\.json)$/;

export function isManifest(path: string): boolean {
  return manifestName.test(nameOf(path));
}

export function buildManifests(texts: ReadonlyMap<string, string>): Manifests {
  const packages = new Map<string, PackageManifest>();
  const packagesByName = new Map<string, PackageManifest>();
  const mappings = new Map<string, PathMapping>();
  const goModules = new Map<string, string>();
  const crates = new Map<string, string>();
  for (const [path, text] of texts) {
    const [folder, name] = [folderOf(path), nameOf(path)];
    if (name === 'package.json') {
      const manifest = readPackage(folder, text);
      if (!manifest) continue;
      packages.set(folder, manifest);
      if (manifest.name !== undefined && !packagesByName.has(manifest.name)) packagesByName.set(manifest.name, manifest);
    } else if (name === 'go.mod') {
      const module = /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1];
      if (module !== undefined) goModules.set(folder, module);
    } else if (name === 'Cargo.toml') {
      const crate = /^\s*\[package\][^[]*?^\s*name\s*=\s*["']([\w-]+)["']/m.exec(text)?.[1];
      if (crate !== undefined) crates.set(crate.replaceAll('-', '_'), folder);
    } else if (name === 'tsconfig.json' || name === 'jsconfig.json') {
      const mapping = readMapping(path, texts, 0);
      if (mapping && (name === 'tsconfig.json' || !mappings.has(folder))) mappings.set(folder, mapping);
    }
  }
  return { packages, packagesByName, mappings, goModules, crates };
}

type JsonObject = { [key: string]: JsonValue };

function readPackage(folder: string, text: string): PackageManifest | undefined {
  const json = parseLoosely(text);
  if (!json) return undefined;
  const manifest: PackageManifest = { folder, mains: [] };
  if (typeof json.name === 'string') manifest.name = json.name;
  if (json.exports !== undefined) manifest.exports = json.exports;
  if (json.imports !== undefined) manifest.imports = json.imports;
  for (const key of ['source', 'types', 'typings', 'module', 'main']) {
    const value = json[key];
    if (typeof value === 'string') manifest.mains.push(value);
  }
  return manifest;
}

const longestChain = 8;

/** With what it extends, the nearer configuration winning. */
function readMapping(path: string, texts: ReadonlyMap<string, string>, depth: number): PathMapping | undefined {
  const text = texts.get(path);
  const json = text === undefined || depth > longestChain ? undefined : parseLoosely(text);
  if (!json) return undefined;
  const folder = folderOf(path);
  const bases = (Array.isArray(json.extends) ? json.extends : [json.extends]).filter((base) => typeof base === 'string');
  let mapping: PathMapping = { paths: [] };
  for (const base of bases) {
    const target = base.startsWith('.') ? joinPath(folder, base.endsWith('.json') ? base : `${base}.json`) : undefined;
    const inherited = target === undefined ? undefined : readMapping(target, texts, depth + 1);
    if (inherited) mapping = { ...mapping, ...inherited };
  }
  const options = asObject(json.compilerOptions);
  const baseUrl = typeof options?.baseUrl === 'string' ? joinPath(folder, options.baseUrl) : undefined;
  if (baseUrl !== undefined) mapping = { ...mapping, baseUrl };
  const paths = asObject(options?.paths);
  if (paths) mapping = { ...mapping, paths: readPaths(paths, baseUrl ?? mapping.baseUrl ?? folder) };
  return mapping;
}

function readPaths(paths: JsonObject, from: string): PathMapping['paths'] {
  const list = Object.entries(paths).map(([pattern, targets]) => ({
    pattern,
    targets: (Array.isArray(targets) ? targets : [])
      .filter((target) => typeof target === 'string')
      .flatMap((target) => joinPath(from, target) ?? []),
  }));
  // The longest beginning wins.
  return list.sort((a, b) => prefixLength(b.pattern) - prefixLength(a.pattern));
}

function prefixLength(pattern: string): number {
  const star = pattern.indexOf('*');
  return star < 0 ? Number.POSITIVE_INFINITY : star;
}

/** JSON that may hold comments and commas too many. */
function parseLoosely(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // Not plain JSON: once more without what only configuration files have.
  }
  try {
    const { masked, strings } = maskCode(text, scriptLexis);
    let clean = '';
    let done = 0;
    for (const { start, end } of [...strings, { start: text.length, end: text.length }]) {
      clean += masked.slice(done, start).replace(/,(\s*[}\]])/g, '$1') + text.slice(start, end);
      done = end;
    }
    return asObject(JSON.parse(clean));
  } catch {
    return undefined;
  }
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}
