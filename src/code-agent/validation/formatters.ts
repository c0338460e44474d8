// The formatters that are known, as data. Where a project has settings for two, the one that only formats comes first.
import type { FileTool } from './file-tools.ts';
import { foldersAbove, joinPath, type ProjectFolders } from './project-folders.ts';

export const formatters: readonly FileTool[] = [
  {
    ...{ name: 'prettier', program: 'prettier', words: ['--write', '--ignore-unknown'] },
    handles: /\.(?:[cm]?[jt]sx?|json[c5]?|css|scss|less|html?|vue|svelte|astro|mdx?|ya?ml|graphql|gql|hbs)$/,
    configs: /^(?:prettier\.config\.[cm]?[jt]s|\.prettierrc(?:\.(?:[cm]?[jt]s|json5?|ya?ml|toml))?)$/,
    sections: [['package.json', { key: 'prettier' }]],
  },
  {
    ...{ name: 'biome', program: 'biome', configs: /^\.?biome\.jsonc?$/ },
    handles: /\.(?:[cm]?[jt]sx?|jsonc?|css|graphql|vue|svelte|astro)$/,
    words: ['format', '--write', '--no-errors-on-unmatched'],
  },
  {
    ...{ name: 'dprint', program: 'dprint', handles: /\.(?:[cm]?[jt]sx?|jsonc?|md|toml)$/, configs: /^\.?dprint\.jsonc?$/ },
    words: ['fmt', '--allow-no-files', '--'],
  },
  { name: 'deno', program: 'deno', handles: /\.(?:[jt]sx?|jsonc?|md)$/, configs: /^deno\.jsonc?$/, words: ['fmt', '--quiet'] },
  {
    ...{ name: 'black', program: 'black', handles: /\.pyi?$/, configs: /^$/, words: ['--quiet'] },
    sections: [['pyproject.toml', /^\s*\[tool\.black\]/m]],
  },
  {
    ...{ name: 'ruff', program: 'ruff', handles: /\.pyi?$/, configs: /^\.?ruff\.toml$/, words: ['format', '--force-exclude'] },
    sections: [['pyproject.toml', /^\s*\[tool\.ruff[\].]/m]],
  },
  { name: 'gofmt', program: 'gofmt', handles: /\.go$/, configs: /^go\.mod$/, words: ['-w'] },
  { name: 'rustfmt', program: 'rustfmt', handles: /\.rs$/, configs: /^Cargo\.toml$/, words: rustfmtWords },
  {
    ...{ name: 'clang-format', program: 'clang-format', words: ['-i', '--style=file'] },
    ...{ handles: /\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm|proto)$/, configs: /^[._]clang-format$/ },
  },
  {
    name: 'rubocop',
    program: 'rubocop',
    handles: /\.(?:rb|rake)$/,
    configs: /^\.rubocop\.yml$/,
    words: ['--fix-layout', '--force-exclusion'],
  },
  { name: 'mix format', program: 'mix', handles: /\.exs?$/, configs: /^\.formatter\.exs$/, words: ['format'] },
  { name: 'dart', program: 'dart', handles: /\.dart$/, configs: /^pubspec\.yaml$/, words: ['format'] },
];

/** rustfmt by itself takes the oldest edition, in which newer code is wrong. The workspace may be what says it. */
async function rustfmtWords(folder: string, project: ProjectFolders): Promise<string[]> {
  for (const above of foldersAbove(joinPath(folder, 'x'))) {
    const edition = /^\s*edition\s*=\s*"(\d{4})"/m.exec((await project.read(joinPath(above, 'Cargo.toml'))) ?? '')?.[1];
    if (edition !== undefined) return ['--edition', edition];
  }
  return ['--edition', '2021'];
}
