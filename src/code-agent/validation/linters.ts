// The linters that are known, as data. A linter only complains: none of these commands changes a file.
import type { FileTool } from './file-tools.ts';

const script = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
const python = /\.pyi?$/;

export const linters: readonly FileTool[] = [
  {
    ...{ name: 'eslint', program: 'eslint', handles: script, words: [] },
    configs: /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:[cm]?js|json|ya?ml))?)$/,
    sections: [['package.json', { key: 'eslintConfig' }]],
  },
  {
    ...{ name: 'biome', program: 'biome', configs: /^\.?biome\.jsonc?$/ },
    ...{ handles: /\.(?:[cm]?[jt]sx?|jsonc?|css|graphql|vue|svelte|astro)$/, words: ['lint', '--no-errors-on-unmatched'] },
  },
  { name: 'oxlint', program: 'oxlint', handles: script, configs: /^(?:\.oxlintrc\.json|oxlint\.config\.ts)$/, words: [] },
  {
    ...{ name: 'stylelint', program: 'stylelint', handles: /\.(?:css|scss|sass|less)$/, words: [] },
    configs: /^(?:stylelint\.config\.[cm]?js|\.stylelintrc(?:\.(?:[cm]?js|json|ya?ml))?)$/,
    sections: [['package.json', { key: 'stylelint' }]],
  },
  {
    ...{ name: 'ruff', program: 'ruff', handles: python, configs: /^\.?ruff\.toml$/, words: ['check'] },
    sections: [['pyproject.toml', /^\s*\[tool\.ruff[\].]/m]],
  },
  {
    ...{ name: 'flake8', program: 'flake8', handles: python, configs: /^\.flake8$/, words: [] },
    sections: [
      ['setup.cfg', /^\s*\[flake8\]/m],
      ['tox.ini', /^\s*\[flake8\]/m],
    ],
  },
  {
    ...{ name: 'mypy', program: 'mypy', handles: python, configs: /^\.?mypy\.ini$/, words: [] },
    sections: [
      ['pyproject.toml', /^\s*\[tool\.mypy\]/m],
      ['setup.cfg', /^\s*\[mypy\]/m],
    ],
  },
  {
    ...{ name: 'golangci-lint', program: 'golangci-lint', handles: /\.go$/, configs: /^\.golangci\.(?:ya?ml|toml|json)$/ },
    ...{ given: 'folders', words: ['run'] },
  },
  { name: 'go vet', program: 'go', handles: /\.go$/, configs: /^go\.mod$/, given: 'folders', words: ['vet'] },
  {
    ...{ name: 'clippy', program: 'cargo-clippy', handles: /\.rs$/, configs: /^Cargo\.toml$/, given: 'package' },
    words: ['clippy', '--quiet', '--all-targets'],
  },
  { name: 'shellcheck', program: 'shellcheck', handles: /\.(?:sh|bash|ksh)$/, configs: /^\.?shellcheckrc$/, words: [] },
  { name: 'rubocop', program: 'rubocop', handles: /\.(?:rb|rake)$/, configs: /^\.rubocop\.yml$/, words: ['--force-exclusion'] },
];
