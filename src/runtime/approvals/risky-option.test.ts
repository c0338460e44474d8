import { expect, it } from 'vitest';
import { hasRiskyOption } from './risky-option.ts';

it.each([
  'git grep --open-files-in-pager=sh x',
  'git grep --open=sh x',
  'git fetch --upload-p=/tmp/x .',
  'git push --rece=/tmp/x .',
  'git diff --ext-d',
  'git log --output=/tmp/x',
  '/usr/bin/git log --outp=/tmp/x',
  'npm run build --script-s=/tmp/x',
  'npm test -userconfig /tmp/x',
  'pnpm test --config.script-shell=/tmp/x',
  'yarn test --use-yarnrc /tmp/x',
])('%s may run or write something else', (text) => {
  expect(hasRiskyOption(text.split(' '))).toBe(true);
});

it.each([
  'git log --oneline -n 5',
  'git diff --stat -- --output',
  'git commit -m --',
  'git status --short --branch',
  'npm test --silent',
  'npm test -s',
  'npm test -- --config x --prefix y',
  'ls --output',
  'cargo test --config',
  '',
])('%s does what it says', (text) => {
  expect(hasRiskyOption(text.split(' '))).toBe(false);
});
