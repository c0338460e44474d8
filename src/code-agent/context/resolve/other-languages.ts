// Which files an import of Python, Go, Rust, Java, Kotlin or C means.
import { folderOf, foldersAbove, joinPath, nameOf, stemOf } from './project-path.ts';
import type { Resolve, ResolveContext } from './resolve-context.ts';

export const resolvePython: Resolve = (record, { specifier, names, form }, context) => {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const parts = specifier
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  const folder = folderOf(record.path);
  const bases = dots > 0 ? [joinPath(folder, '../'.repeat(dots - 1))] : pythonRoots(folder, context);
  for (const base of bases) {
    if (base === undefined) continue;
    const module = pythonModule(base, parts, context);
    const below = form === 'from' ? names.flatMap((name) => pythonModule(base, [...parts, name], context) ?? []) : [];
    if (module === undefined && below.length === 0) continue;
    // A package that only leads to its modules is not meant itself, unless one of the names is none of them.
    const isWhole = below.length < names.length || form !== 'from';
    return [...new Set([...below, ...(module !== undefined && isWhole ? [module] : [])])];
  }
  return [];
};

function pythonModule(base: string, parts: readonly string[], context: ResolveContext): string | undefined {
  const path = [base, ...parts].filter((part) => part !== '').join('/');
  const inside = path === '' ? '' : `${path}/`;
  const candidates = [
    ...(parts.length > 0 ? [`${path}.py`, `${path}.pyi`] : []),
    `${inside}__init__.py`,
    `${inside}__init__.pyi`,
  ];
  return candidates.find((candidate) => context.has(candidate));
}

/** Where a program would look: the folder above the outermost package of the file, the project, and where sources usually are. */
function* pythonRoots(folder: string, context: ResolveContext): Generator<string> {
  for (const above of foldersAbove(folder)) {
    if (context.has(above === '' ? '__init__.py' : `${above}/__init__.py`)) continue;
    yield above;
    break;
  }
  for (const above of foldersAbove(folder)) {
    yield above;
    yield above === '' ? 'src' : `${above}/src`;
    yield above === '' ? 'lib' : `${above}/lib`;
  }
}

export const resolveGo: Resolve = (_record, { specifier }, context) => {
  for (const [folder, module] of context.manifests.goModules) {
    if (specifier !== module && !specifier.startsWith(`${module}/`)) continue;
    const target = joinPath(folder, specifier.slice(module.length));
    const files =
      target === undefined ? [] : context.filesIn(target).filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
    if (files.length > 0) return files;
  }
  return [];
};

export const resolveRust: Resolve = (record, { specifier, form }, context) => {
  const folder = folderOf(record.path);
  if (form === 'declared-module') {
    const base = moduleFolder(record.path);
    return first([`${base}${specifier}.rs`, `${base}${specifier}/mod.rs`], context);
  }
  const [head = '', ...rest] = specifier.split('::');
  if (head === 'crate') return rustPath(crateFolder(folder, context), rest, context);
  if (head === 'self') return rustPath(moduleFolder(record.path), rest, context);
  if (head === 'super') {
    let base: string | undefined = moduleFolder(record.path).replace(/\/$/, '');
    let way = [head, ...rest];
    while (way[0] === 'super' && base !== undefined) {
      base = joinPath(base, '..');
      way = way.slice(1);
    }
    return base === undefined ? [] : rustPath(base === '' ? '' : `${base}/`, way, context);
  }
  const crate = context.manifests.crates.get(head);
  if (crate !== undefined) return rustPath(crate === '' ? 'src/' : `${crate}/src/`, rest, context);
  // Since 2018 a path may begin with a module of the same folder.
  return rest.length > 0 ? rustPath(moduleFolder(record.path), [head, ...rest], context, false) : [];
};

/** The file of the longest beginning of the path that is a module; the crate's own file where none is. */
function rustPath(base: string, parts: readonly string[], context: ResolveContext, orRoot = true): readonly string[] {
  for (let length = parts.length; length > 0; length--) {
    const way = base + parts.slice(0, length).join('/');
    const found = first([`${way}.rs`, `${way}/mod.rs`], context);
    if (found.length > 0) return found;
  }
  const own = base.replace(/\/$/, '');
  return orRoot ? first([`${base}lib.rs`, `${base}main.rs`, `${base}mod.rs`, `${own}.rs`], context) : [];
}

/** Where the modules that a file declares lie, with a slash at the end. */
function moduleFolder(path: string): string {
  const folder = folderOf(path);
  const stem = stemOf(path);
  const base = folder === '' ? '' : `${folder}/`;
  return stem === 'mod' || stem === 'lib' || stem === 'main' ? base : `${base}${stem}/`;
}

function crateFolder(folder: string, context: ResolveContext): string {
  for (const above of foldersAbove(folder)) {
    const base = above === '' ? '' : `${above}/`;
    if (context.has(`${base}lib.rs`) || context.has(`${base}main.rs`)) return base;
    if (context.has(`${base}Cargo.toml`)) return `${base}src/`;
  }
  return '';
}

export const resolveJvm: Resolve = (record, { specifier }, context) => {
  const parts = specifier.split('.');
  if (parts.at(-1) === '*') {
    const uses = new Set(record.uses);
    const inPackage = context
      .filesOfPackage(parts.slice(0, -1).join('.'))
      .filter((path) => context.recordOf(path)?.symbols.some(({ name, exported }) => exported && uses.has(name)));
    return inPackage.length > 0 ? inPackage : jvmType(parts.slice(0, -1), context);
  }
  return jvmType(parts, context);
};

/** `a.b.C`, and `a.b.C.member` of which the type is meant. */
function jvmType(parts: readonly string[], context: ResolveContext): readonly string[] {
  for (let length = parts.length; length >= Math.max(1, parts.length - 2); length--) {
    const name = parts[length - 1] as string;
    const files = context.filesOfPackage(parts.slice(0, length - 1).join('.'));
    const found = files.filter((path) =>
      context.recordOf(path)?.symbols.some((symbol) => symbol.name === name && symbol.container === undefined),
    );
    if (found.length > 0) return found;
    // A file that is gone is known by its place alone.
    const way = parts.slice(0, length).join('/');
    for (const ending of ['java', 'kt']) {
      const placed = context.filesNamed(`${name}.${ending}`).filter((path) => `/${path}`.endsWith(`/${way}.${ending}`));
      if (placed.length > 0) return placed;
    }
  }
  return [];
}

export const resolveC: Resolve = (record, { specifier, form }, context) => {
  const beside = form === 'system' ? undefined : joinPath(folderOf(record.path), specifier);
  if (beside !== undefined && context.has(beside)) return [beside];
  for (const above of foldersAbove(folderOf(record.path))) {
    for (const folder of ['', 'include', 'src', 'inc']) {
      const path = joinPath(above, `${folder}/${specifier}`);
      if (path !== undefined && context.has(path)) return [path];
    }
  }
  if (form === 'system' && !specifier.includes('/')) return [];
  const named = context.filesNamed(nameOf(specifier)).filter((path) => path.endsWith(`/${specifier}`));
  return named.length === 1 ? named : [];
};

function first(candidates: readonly string[], context: ResolveContext): readonly string[] {
  const found = candidates.find((candidate) => context.has(candidate));
  return found === undefined ? [] : [found];
}
