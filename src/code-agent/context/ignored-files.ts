// What .gitignore files leave out where there is no git to ask: the same patterns, read by the same rules.
import { createGlobFilter } from '../../tools/builtin/glob.ts';

interface Rule {
  /** Folder of the file that holds it, with a slash at the end; empty for the project's own. */
  below: string;
  fits(path: string): boolean;
  foldersOnly: boolean;
  isException: boolean;
}

/** Paths that are not ignored, in order. `read` gives the text of a .gitignore file. */
export function withoutIgnored(paths: readonly string[], read: (path: string) => string | undefined): string[] {
  const rules = paths
    .filter((path) => path === '.gitignore' || path.endsWith('/.gitignore'))
    // Outer files first: what is said further inside, and later, wins.
    .sort((a, b) => a.split('/').length - b.split('/').length)
    .flatMap((path) => parseRules(path.slice(0, -'.gitignore'.length), read(path) ?? ''));
  if (rules.length === 0) return [...paths];
  const folders = new Map<string, boolean>();
  const isFolderIgnored = (folder: string): boolean => {
    if (folder === '') return false;
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const above = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    const ignored = isFolderIgnored(above) || isIgnored(folder, true, rules);
    folders.set(folder, ignored);
    return ignored;
  };
  return paths.filter((path) => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    return !isFolderIgnored(folder) && !isIgnored(path, false, rules);
  });
}

function isIgnored(path: string, isFolder: boolean, rules: readonly Rule[]): boolean {
  let ignored = false;
  for (const { below, fits, foldersOnly, isException } of rules) {
    if (ignored !== isException || (foldersOnly && !isFolder) || !path.startsWith(below)) continue;
    if (fits(path.slice(below.length))) ignored = !isException;
  }
  return ignored;
}

function parseRules(below: string, text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.replace(/(?<!\\)\s+$/, '');
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const isException = trimmed.startsWith('!');
    const whole = isException ? trimmed.slice(1) : trimmed;
    const foldersOnly = whole.endsWith('/');
    // Braces are plain characters here.
    const pattern = (foldersOnly ? whole.slice(0, -1) : whole).replace(/[{}]/g, '?');
    const fits = compile(pattern);
    if (fits) rules.push({ below, fits, foldersOnly, isException });
  }
  return rules;
}

/** Undefined where the pattern is none: git passes over it as well. */
function compile(pattern: string): ((path: string) => boolean) | undefined {
  try {
    return createGlobFilter(pattern);
  } catch {
    return undefined;
  }
}
