import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { formatCommand } from './format-command.ts';
import { parseShell } from './parse-shell.ts';

const words = [
  ...['printf', '%s\\0', 'plain', 'a b', "it's", "''", '"', '$HOME', '`x`', '$(x)', '~', '*', '[a]', '!x', '#', '', '\\'],
  ...['a\nb', 'a=b', '中文 ファイル', '{a,b}', '-x', '&', ';', '|', '<', '>', '(', 'a\tb', '%1'],
];

describe('a command made of words', () => {
  it('gives the program the same words back', () => {
    const output = execFileSync('/bin/sh', ['-c', formatCommand(words)], { encoding: 'utf8' });
    expect(output.split('\0').slice(0, -1)).toEqual(words.slice(2));
  });

  it('is read the same by whoever decides about permission', () => {
    expect(parseShell(formatCommand(words))).toEqual({ commands: [words], expands: false });
  });

  it('stays readable where nothing needs quotes', () => {
    expect(formatCommand(['npm', 'run', 'test:unit', '--', './a-b/c.test.ts', 'x y'])).toBe(
      "npm run test:unit -- ./a-b/c.test.ts 'x y'",
    );
  });
});
