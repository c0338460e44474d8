// Pages that repeat what the source says, held against the source.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { errorMessages } from '../src/model/error-codes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('docs/errors.md', () => {
  it('lists exactly the codes of the catalog, with their sentences', () => {
    const page = readFileSync(`${root}/docs/errors.md`, 'utf8');
    const rows = [...page.matchAll(/^\| `([\w-]+)` \| (.*) \|$/gm)].map(([, code, sentence]) => [
      code,
      sentence?.replaceAll('\\|', '|'),
    ]);
    expect(Object.fromEntries(rows)).toEqual(errorMessages);
    expect(rows.length).toBe(Object.keys(errorMessages).length);
  });
});

describe('npm run docs', () => {
  it('has nothing left to write', () => {
    expect(execFileSync(process.execPath, ['scripts/docs.mjs', '--check'], { cwd: root, encoding: 'utf8' })).toBe('');
  });
});
