// Which file a module name of TypeScript or JavaScript means: relative, by tsconfig paths, by a package of this project (name,
// exports, imports). Built files that are not there are looked for where they are built from.
import type { JsonValue } from '../../../base/json.ts';
import type { PackageManifest } from './manifests.ts';
import { folderOf, foldersAbove, joinPath } from './project-path.ts';
import type { Resolve, ResolveContext } from './resolve-context.ts';

export const resolveScript: Resolve = (record, { specifier }, context) => {
  const folder = folderOf(record.path);
  const name = specifier.replace(/[?#][^/]*$/, (tail) => (specifier.startsWith('#') && tail === specifier ? tail : ''));
  const found = /^\.\.?(?:\/|$)/.test(name)
    ? fileAt(joinPath(folder, name), context)
    : name.startsWith('#')
      ? byImports(name, folder, context)
      : (byMapping(name, folder, context) ?? byPackage(name, context));
  return found === undefined ? [] : [found];
};

const endings = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '.vue', '.svelte'];
const builtFrom: Record<string, readonly string[]> = {
  js: ['ts', 'tsx', 'd.ts'],
  jsx: ['tsx'],
  mjs: ['mts', 'd.mts'],
  cjs: ['cts', 'd.cts'],
};

function fileAt(path: string | undefined, context: ResolveContext): string | undefined {
  if (path === undefined) return undefined;
  if (path !== '' && context.has(path)) return path;
  const dot = path.lastIndexOf('.');
  for (const ending of builtFrom[path.slice(dot + 1)] ?? []) {
    const candidate = `${path.slice(0, dot + 1)}${ending}`;
    if (context.has(candidate)) return candidate;
  }
  if (path !== '') {
    for (const ending of endings) if (context.has(path + ending)) return path + ending;
  }
  const inside = path === '' ? 'index' : `${path}/index`;
  for (const ending of endings) if (context.has(inside + ending)) return inside + ending;
  return undefined;
}

function byMapping(name: string, folder: string, context: ResolveContext): string | undefined {
  const { mappings } = context.manifests;
  if (mappings.size === 0) return undefined;
  for (const above of foldersAbove(folder)) {
    const mapping = mappings.get(above);
    if (!mapping) continue;
    for (const { pattern, targets } of mapping.paths) {
      const rest = matchStar(pattern, name);
      if (rest === undefined) continue;
      for (const target of targets) {
        const found = fileAt(
          target.replace('*', () => rest),
          context,
        );
        if (found !== undefined) return found;
      }
    }
    return mapping.baseUrl === undefined ? undefined : fileAt(joinPath(mapping.baseUrl, name), context);
  }
  return undefined;
}

/** What the star stands for; empty where there is none and the names are the same. */
function matchStar(pattern: string, name: string): string | undefined {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === name ? '' : undefined;
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const fits = name.startsWith(head) && name.endsWith(tail) && name.length >= head.length + tail.length;
  return fits ? name.slice(head.length, name.length - tail.length) : undefined;
}

function byPackage(name: string, context: ResolveContext): string | undefined {
  const parts = name.split('/');
  const length = name.startsWith('@') ? 2 : 1;
  const manifest = context.manifests.packagesByName.get(parts.slice(0, length).join('/'));
  if (!manifest) return undefined;
  const below = parts.slice(length).join('/');
  if (manifest.exports !== undefined) {
    const found = throughMap(manifest.exports, below === '' ? '.' : `./${below}`, manifest, context);
    if (found !== undefined) return found;
  }
  if (below !== '') return builtFile(below, manifest, context) ?? builtFile(`src/${below}`, manifest, context);
  for (const main of [...manifest.mains, 'src/index', 'index', 'src/main']) {
    const found = builtFile(main, manifest, context);
    if (found !== undefined) return found;
  }
  return undefined;
}

function byImports(name: string, folder: string, context: ResolveContext): string | undefined {
  for (const above of foldersAbove(folder)) {
    const manifest = context.manifests.packages.get(above);
    if (manifest) return manifest.imports === undefined ? undefined : throughMap(manifest.imports, name, manifest, context);
  }
  return undefined;
}

function throughMap(map: JsonValue, key: string, manifest: PackageManifest, context: ResolveContext): string | undefined {
  const entries = entriesOf(map);
  for (const [pattern, target] of entries) {
    const rest = matchStar(pattern, key);
    if (rest === undefined) continue;
    for (const path of targetsOf(target, 0)) {
      const found = builtFile(
        path.replaceAll('*', () => rest),
        manifest,
        context,
      );
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Exports may be one target, a list of conditions, or a map of paths. Exact names come first, then the longest beginnings. */
function entriesOf(map: JsonValue): [string, JsonValue][] {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return [['.', map]];
  const entries = Object.entries(map) as [string, JsonValue][];
  if (!entries.some(([key]) => key.startsWith('.') || key.startsWith('#'))) return [['.', map]];
  const rank = (key: string) => (key.includes('*') ? key.indexOf('*') : 10_000);
  return entries.sort(([a], [b]) => rank(b) - rank(a));
}

/** Every target whatever its condition: which one a program would take does not matter for who depends on whom. */
function targetsOf(target: JsonValue, depth: number): string[] {
  if (typeof target === 'string') return [target];
  if (typeof target !== 'object' || target === null || depth > 8) return [];
  return Object.values(target).flatMap((value) => targetsOf(value as JsonValue, depth + 1));
}

const builtFolder = /^(?:dist|build|lib|out|esm|cjs)\//;

function builtFile(target: string, manifest: PackageManifest, context: ResolveContext): string | undefined {
  const way = target.replace(/^\.\//, '');
  const at = (path: string) => fileAt(joinPath(manifest.folder, path), context);
  const found = at(way);
  if (found !== undefined || !builtFolder.test(way)) return found;
  const source = way.replace(builtFolder, 'src/').replace(/\.d\.([mc]?)ts$/, '.$1js');
  return at(source) ?? at(source.replace(/^src\/(?:esm|cjs|types)\//, 'src/'));
}
