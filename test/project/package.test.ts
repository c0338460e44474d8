// package.json and package-lock.json say what a fresh clone on any platform needs.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packageFile = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
const lockFile: { packages: Record<string, { hasInstallScript?: boolean }> } = JSON.parse(
  readFileSync(`${root}/package-lock.json`, 'utf8'),
);

describe('package-lock.json', () => {
  it('names the optional packages of every platform, without which npm refuses a clean install', () => {
    expect(execFileSync(process.execPath, ['scripts/complete-lock.mjs', '--check'], { cwd: root, encoding: 'utf8' })).toBe('');
  });
});

describe('package.json', () => {
  it('allows the install scripts of exactly the packages that have one, for an npm that runs no others', () => {
    const withScript = Object.entries(lockFile.packages).filter(([, entry]) => entry.hasInstallScript);
    const names = withScript.map(([place]) => place.replace(/^.*node_modules\//, ''));
    expect(packageFile.allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, true])));
  });

  it('exports only what the source has', () => {
    const targets = Object.values(packageFile.exports as Record<string, string | { default: string }>).flatMap((entry) =>
      typeof entry === 'string' ? [] : [entry.default],
    );
    const sources = [...targets, packageFile.bin.continuo].map((file: string) =>
      file.replace(/^(?:\.\/)?dist\//, 'src/').replace(/\.js$/, '.ts'),
    );
    expect(sources.filter((file) => !existsSync(`${root}/${file}`))).toEqual([]);
  });
});
